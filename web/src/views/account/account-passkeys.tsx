import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type { Passkey, removePasskey } from '../../../../contract/people/session.ts'
import { call, Refused, Unreachable } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'
import { Button, Notice } from '../../ui/controls.tsx'
import { CancelButton, Confirm, Dialog } from '../../ui/dialog.tsx'
import { Form, TextField, useForm } from '../../ui/form.tsx'
import { Name, named } from '../../ui/name.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
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
        <ul className="lines">
          {passkeys.map((passkey) => (
            <li key={passkey.id}>
              <div>
                <strong>
                  <Name text={passkey.name} />
                </strong>
                <p className="soft small">
                  {t.addedAt} <Time at={passkey.createdAt} />
                  {passkey.lastUsedAt !== undefined && (
                    <>
                      {' · '}
                      {t.usedAt} <Time at={passkey.lastUsedAt} />
                    </>
                  )}
                </p>
              </div>
              <Button
                look={['danger', 'small']}
                aria-label={t.removeOne(passkey.name)}
                onClick={() => setRemoving(passkey)}
              >
                {t.remove}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {support === 'yes' ? (
        <div>
          <Button onClick={() => setAdding(true)}>{t.add}</Button>
        </div>
      ) : (
        <p className="soft small">{support === 'no' ? t.unsupported : t.needsName}</p>
      )}
      {isAdding && <Add onClose={() => setAdding(false)} />}
      {removing && <Remove passkey={removing} onClose={() => setRemoving(undefined)} />}
    </>
  )
}

/** It was cancelled or failed between the browser and the device; the server knows nothing of it. */
class NotCreated extends Error {
  readonly exists: boolean

  constructor(error: unknown) {
    super(String(error))
    this.exists = error instanceof Error && error.name === 'InvalidStateError'
  }
}

function Add({ onClose }: { onClose: () => void }) {
  const t = useTexts(account)
  const toast = useToast()
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
      toast(t.account.passkeys.added)
      onClose()
    },
  })
  return (
    <Dialog title={words.title} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {words.action}
            </Button>
          </>
        }
      >
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
      </Form>
    </Dialog>
  )
}

function Remove({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const t = useTexts(account).account.passkeys
  const toast = useToast()
  const queries = useQueryClient()
  const removal = useMutation({
    mutationFn: () =>
      call<typeof removePasskey>('DELETE', '/people/passkeys/{passkeyId}', {
        params: { passkeyId: passkey.id },
      }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: keys.account })
      toast(t.removed)
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
