import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ServiceToken } from '../../../../contract/people/service-tokens.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Code, Secret } from '../../kit/copy.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { SelectField } from '../../kit/field.tsx'
import { Card, FormDialog } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Actions, Lines, Quiet } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import type { ServiceTokenTexts } from '../../texts/identity.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'

/** Choices for how long a replaced token goes on, in hours. */
const OVERLAPS = ['0', '1', '24', '168'] as const

type MadeToken = { id: string; token: string }

/** Operations on the tokens of one kind. */
export type ServiceTokenCalls = {
  read(): Promise<{ url: string; tokens: ServiceToken[] }>
  make(overlapHours: number): Promise<MadeToken>
  revoke(tokenId: string): Promise<unknown>
}

/** The address and the tokens by which a service outside reaches the organization. */
export function ServiceTokens({
  name,
  texts: t,
  calls,
  mayMake = true,
}: {
  /** The name under which they are kept in memory. */
  name: string
  texts: ServiceTokenTexts
  calls: ServiceTokenCalls
  mayMake?: boolean
}) {
  const { organizationId } = useMembership()
  const changed = useChanged()
  const [secret, setSecret] = useState<string>()
  const [isReplacing, setReplacing] = useState(false)
  const [doomed, setDoomed] = useState<ServiceToken>()
  const query = useQuery({
    queryKey: keys.of(organizationId, 'organization', name),
    queryFn: () => calls.read(),
  })
  const onMade = ({ token }: { token: string }) => {
    changed('organization')
    setReplacing(false)
    setSecret(token)
  }
  // The answer holds the token, so it leaves memory with the dialog.
  const making = useMutation({ mutationFn: () => calls.make(0), onSuccess: onMade, gcTime: 0 })
  return (
    <Card title={t.title} about={t.about}>
      <Loaded query={query}>
        {({ url, tokens }) => {
          const hasCurrent = tokens.some(({ endsAt }) => endsAt === undefined)
          return (
            <>
              <div>
                <Quiet small>{t.url}</Quiet>
                <Code label={t.url} text={url} />
              </div>
              {tokens.length === 0 && <p>{t.none}</p>}
              {tokens.length > 0 && (
                <Lines>
                  {tokens.map((token) => (
                    <Token
                      key={token.id}
                      token={token}
                      texts={t}
                      onRevoke={mayMake ? () => setDoomed(token) : undefined}
                    />
                  ))}
                </Lines>
              )}
              {mayMake ? (
                <Actions>
                  <Button
                    look="primary"
                    busy={making.isPending}
                    onClick={() => (hasCurrent ? setReplacing(true) : making.mutate())}
                  >
                    {hasCurrent ? t.replace : t.make}
                  </Button>
                </Actions>
              ) : (
                <Quiet small>{t.ownersOnly}</Quiet>
              )}
            </>
          )
        }}
      </Loaded>
      {isReplacing && (
        <Replace texts={t} make={calls.make} onMade={onMade} onClose={() => setReplacing(false)} />
      )}
      {secret !== undefined && <Made texts={t} token={secret} onClose={() => setSecret(undefined)} />}
      {doomed && (
        <Revoke texts={t} revoke={() => calls.revoke(doomed.id)} onClose={() => setDoomed(undefined)} />
      )}
    </Card>
  )
}

function Token({
  texts: t,
  token,
  onRevoke,
}: {
  texts: ServiceTokenTexts
  token: ServiceToken
  onRevoke: (() => void) | undefined
}) {
  const { createdByName, createdAt, lastUsedAt, endsAt } = token
  const title = endsAt === undefined ? t.current : t.former
  return (
    <li>
      <div>
        <strong>{title}</strong>
        <Quiet small>
          <Words text={t.created.replace('{name}', named(createdByName))} /> · <Time at={createdAt} />
        </Quiet>
        <Quiet small>
          {lastUsedAt === undefined ? (
            t.neverUsed
          ) : (
            <>
              {t.used} <Time at={lastUsedAt} />
            </>
          )}
          {endsAt !== undefined && (
            <>
              {' · '}
              {t.ends} <Time at={endsAt} />
            </>
          )}
        </Quiet>
      </div>
      {onRevoke && (
        <Button look="risk" size="small" aria-label={t.revokeOne(title)} onClick={onRevoke}>
          {t.revoke}
        </Button>
      )}
    </li>
  )
}

function Replace({
  texts: { replacing: t },
  make,
  onMade,
  onClose,
}: {
  texts: ServiceTokenTexts
  make: ServiceTokenCalls['make']
  onMade: (made: { token: string }) => void
  onClose: () => void
}) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24')
  const form = useForm<never, MadeToken>({
    check: () => ({}),
    send: () => make(Number(overlap)),
    fields: {},
    onDone: onMade,
  })
  return (
    <FormDialog form={form} title={t.title} action={t.action} onClose={onClose}>
      <p>{t.text}</p>
      <SelectField
        label={t.overlap}
        options={OVERLAPS.map((hours) => [hours, t.hours(Number(hours))] as const)}
        value={overlap}
        onChange={setOverlap}
      />
    </FormDialog>
  )
}

function Made({
  texts: { made: t },
  token,
  onClose,
}: {
  texts: ServiceTokenTexts
  token: string
  onClose: () => void
}) {
  const c = useTexts(common)
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogBody>
        <Secret label={t.token} value={token} />
        <Notice tone="warn">{t.once}</Notice>
      </DialogBody>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          {c.done}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function Revoke({
  texts,
  revoke,
  onClose,
}: {
  texts: ServiceTokenTexts
  revoke: () => Promise<unknown>
  onClose: () => void
}) {
  const t = texts.revoking
  const changed = useChanged()
  const revoking = useMutation({
    mutationFn: revoke,
    onSuccess: () => {
      changed('organization')
      showToast({ text: t.done })
      onClose()
    },
  })
  return (
    <Confirm
      title={t.title}
      text={t.text}
      costs={Object.values(t.costs)}
      action={texts.revoke}
      busy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    />
  )
}
