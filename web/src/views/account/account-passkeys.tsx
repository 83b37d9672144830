import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { Passkey, removePasskey } from '../../../../contract/people/session.ts'
import { call, Refused, Unreachable } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { FormDialog, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Lines, Quiet } from '../../kit/layout.tsx'
import { Name, named } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { createPasskey, passkeySupport } from './passkeys.ts'

export function PasskeyList({ passkeys }: { passkeys: readonly Passkey[] }) {
  const t = useTexts(account).account.passkeys
  const [isAdding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  const support = passkeySupport()
  return (
    <>
      {passkeys.length === 0 && <p>{t.none}</p>}
      {passkeys.length > 0 && (
        <Lines>
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>
                  <Name text={passkey.name} />
                </strong>
                <Quiet small>
                  {t.addedAt} <Time at={passkey.createdAt} />
                  {passkey.lastUsedAt !== undefined && (
                    <>
                      {' · '}
                      {t.usedAt} <Time at={passkey.lastUsedAt} />
                    </>
                  )}
                </Quiet>
              </div>
              <Button
                look="risk"
                size="small"
                aria-label={t.removeOne(passkey.name)}
                onClick={() => setRemoving(passkey)}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </Lines>
      )}
      {support === 'yes' ? (
        <div>
          <Button onClick={() => setAdding(true)}>{t.add}</Button>
        </div>
      ) : (
        <Quiet small>{support === 'no' ? t.unsupported : t.needsName}</Quiet>
      )}
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {removing && <Remove passkey={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

/** A passkey that was cancelled, or failed between browser and device; the server knows nothing of it. */
class NotCreated extends Error {
  readonly exists: boolean

  constructor(error: unknown) {
    super(String(error))
    this.exists = error instanceof Error && error.name === 'InvalidStateError'
  }
}

function Add({ onClose }: { onClose: () => void }) {
  const t = useTexts(account)
  const queries = useQueryClient()
  const words = t.account.passkeys.adding
  const [name, setName] = useState<string>(words.suggested)
  const [failure, setFailure] = useState<NotCreated>()
  const form = useForm<'name', Passkey | NotCreated>({
    check: () => ({ name: name.trim() === '' && words.nameMissing }),
    send: () => {
      setFailure(undefined)
      return createPasskey(name.trim()).catch((error: unknown) => {
        if (error instanceof Refused || error instanceof Unreachable) throw error
        return new NotCreated(error)
      })
    },
    onDone: (result) => {
      if (result instanceof NotCreated) return setFailure(result)
      void queries.invalidateQueries({ queryKey: keys.account })
      showToast({ text: t.account.passkeys.added })
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={words.title} action={words.action} onClose={onClose}>
      <TextField
        label={words.name}
        hint={words.hint}
        maxLength={LIMITS.profileName}
        required
        value={name}
        onChange={setName}
        mistake={form.mistake('name')}
      />
      {failure && (
        <Notice tone="bad">
          <p>{failure.exists ? words.exists : words.failed}</p>
        </Notice>
      )}
    </FormDialog>
  )
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTexts(account).account.passkeys
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: () =>
      call<typeof removePasskey>('DELETE', '/people/passkeys/{passkeyId}', {
        params: { passkeyId: passkey.id },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.account })
      showToast({ text: t.removed })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.confirm.title(named(passkey.name))}
      text={t.confirm.text}
      action={t.remove}
      busy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    />
  )
}
