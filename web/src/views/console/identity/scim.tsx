import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  makeScimToken,
  readScim,
  revokeScimToken,
  ScimToken,
} from '../../../../../contract/people/scim.ts'
import { call } from '../../../api/call.ts'
import { keys } from '../../../api/live.ts'
import { useMembership } from '../../../api/session.ts'
import { Button } from '../../../kit/button.tsx'
import { Confirm } from '../../../kit/confirm.tsx'
import { Code, Secret } from '../../../kit/copy.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../../kit/dialog.tsx'
import { SelectField } from '../../../kit/field.tsx'
import { Card, FormDialog } from '../../../kit/form.tsx'
import { useForm } from '../../../kit/form-state.ts'
import { Actions, Lines, Quiet } from '../../../kit/layout.tsx'
import { named, Words } from '../../../kit/name.tsx'
import { Notice } from '../../../kit/notice.tsx'
import { Loaded } from '../../../kit/states.tsx'
import { Time } from '../../../kit/time.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { common } from '../../../texts/common.ts'
import { identity } from '../../../texts/identity.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChanged } from '../changes.ts'

const SCIM = '/people/organizations/{organizationId}/scim'
/** Choices for how long a replaced token goes on, in hours. */
const OVERLAPS = ['0', '1', '24', '168'] as const

/** The address and the tokens by which an identity provider manages people. */
export function Scim() {
  const t = useTexts(identity).scim
  const { organizationId, role } = useMembership()
  const changed = useChanged()
  const [secret, setSecret] = useState<string>()
  const [isReplacing, setReplacing] = useState(false)
  const [doomed, setDoomed] = useState<ScimToken>()
  const isOwner = role === 'owner'
  const query = useQuery({
    queryKey: keys.of(organizationId, 'organization', 'scim'),
    queryFn: () => call<typeof readScim>('GET', SCIM, { params: { organizationId } }),
  })
  const make = (overlapHours: number) =>
    call<typeof makeScimToken>('POST', `${SCIM}/tokens`, {
      params: { organizationId },
      body: { overlapHours },
    })
  const onMade = ({ token }: { token: string }) => {
    changed('organization')
    setReplacing(false)
    setSecret(token)
  }
  // The answer holds the token, so it leaves memory with the dialog.
  const making = useMutation({ mutationFn: () => make(0), onSuccess: onMade, gcTime: 0 })
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
                      onRevoke={isOwner ? () => setDoomed(token) : undefined}
                    />
                  ))}
                </Lines>
              )}
              {isOwner ? (
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
      {isReplacing && <Replace make={make} onMade={onMade} onClose={() => setReplacing(false)} />}
      {secret !== undefined && <Made token={secret} onClose={() => setSecret(undefined)} />}
      {doomed && <Revoke token={doomed} onClose={() => setDoomed(undefined)} />}
    </Card>
  )
}

function Token({ token, onRevoke }: { token: ScimToken; onRevoke: (() => void) | undefined }) {
  const t = useTexts(identity).scim
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
  make,
  onMade,
  onClose,
}: {
  make: (overlapHours: number) => Promise<{ id: string; token: string }>
  onMade: (made: { token: string }) => void
  onClose: () => void
}) {
  const t = useTexts(identity).scim.replacing
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24')
  const form = useForm<never, { id: string; token: string }>({
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

function Made({ token, onClose }: { token: string; onClose: () => void }) {
  const t = useTexts(identity).scim.made
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

function Revoke({ token, onClose }: { token: ScimToken; onClose: () => void }) {
  const all = useTexts(identity).scim
  const t = all.revoking
  const changed = useChanged()
  const { organizationId } = useMembership()
  const revoking = useMutation({
    mutationFn: () =>
      call<typeof revokeScimToken>('DELETE', `${SCIM}/tokens/{scimTokenId}`, {
        params: { organizationId, scimTokenId: token.id },
      }),
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
      action={all.revoke}
      busy={revoking.isPending}
      error={revoking.error}
      onConfirm={() => revoking.mutate()}
      onClose={onClose}
    />
  )
}
