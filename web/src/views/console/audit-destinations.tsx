import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  AuditDestination,
  addAuditDestination,
  listAuditDestinations,
  removeAuditDestination,
  testAuditDestination,
} from '../../../../contract/people/audit-destinations.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Secret } from '../../kit/copy.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { Field, SelectField, TextArea } from '../../kit/field.tsx'
import { Card, FormDialog, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Actions, Lines, Quiet, Stack } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { ErrorNotice, Notice, StateMark } from '../../kit/notice.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { auditDelivery } from '../../texts/audit-delivery.ts'
import { common } from '../../texts/common.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'

const DESTINATIONS = '/people/organizations/{organizationId}/audit/destinations'
const KINDS = ['webhook', 'syslog'] as const
/** Positions move without a change that pages hear of. */
const LOOK_MS = 5000

type Fault = NonNullable<AuditDestination['fault']>

/** Where the audit log is sent, and how that is doing. */
export function AuditDestinations() {
  const t = useTexts(auditDelivery).destinations
  const { organizationId } = useMembership()
  const [isAdding, setAdding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const [doomed, setDoomed] = useState<AuditDestination>()
  const query = useQuery({
    queryKey: keys.of(organizationId, 'organization', 'audit destinations'),
    queryFn: () => call<typeof listAuditDestinations>('GET', DESTINATIONS, { params: { organizationId } }),
    refetchInterval: LOOK_MS,
  })
  return (
    <Card title={t.title} about={t.about}>
      <Loaded query={query}>
        {({ destinations }) => (
          <>
            {destinations.length === 0 && <p>{t.none}</p>}
            {destinations.length > 0 && (
              <Lines>
                {destinations.map((destination) => (
                  <Destination
                    key={destination.id}
                    destination={destination}
                    onRemove={() => setDoomed(destination)}
                  />
                ))}
              </Lines>
            )}
            <Actions>
              {destinations.length >= LIMITS.auditDestinations ? (
                <Quiet small as="span">
                  {t.full(LIMITS.auditDestinations)}
                </Quiet>
              ) : (
                <Button look="primary" onClick={() => setAdding(true)}>
                  {t.add}
                </Button>
              )}
            </Actions>
          </>
        )}
      </Loaded>
      {isAdding && (
        <Adding
          onAdded={(made) => {
            setAdding(false)
            setSecret(made.secret)
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {secret !== undefined && <Made secret={secret} onClose={() => setSecret(undefined)} />}
      {doomed && <Removal destination={doomed} onClose={() => setDoomed(undefined)} />}
    </Card>
  )
}

function stateOf({ failingSince, waiting }: AuditDestination) {
  if (failingSince !== undefined) return { state: 'failing', tone: 'bad' } as const
  return waiting > 0
    ? ({ state: 'sending', tone: 'plain' } as const)
    : ({ state: 'well', tone: 'good' } as const)
}

function Destination({ destination, onRemove }: { destination: AuditDestination; onRemove: () => void }) {
  const t = useTexts(auditDelivery).destinations
  const { organizationId } = useMembership()
  const changed = useChanged()
  const { id, kind, address, createdByName, sentAt, waiting, waitingSince, fault, nextAttemptAt } =
    destination
  const { state, tone } = stateOf(destination)
  const test = useMutation({
    mutationFn: () =>
      call<typeof testAuditDestination>('POST', `${DESTINATIONS}/{destinationId}/test`, {
        params: { organizationId, destinationId: id },
      }),
    onSuccess: ({ arrived }) => {
      changed('organization')
      if (arrived) showToast({ text: t.arrived })
    },
  })
  return (
    <li>
      <Stack tight>
        <strong>{t.kinds[kind]}</strong>
        <code>{address}</code>
        <StateMark tone={tone}>{t.state[state]}</StateMark>
        {waitingSince !== undefined && state !== 'well' && (
          <Quiet small>
            {t.waiting(waiting, waiting >= LIMITS.auditWaiting)} <Time at={waitingSince} />
          </Quiet>
        )}
        {fault && <Problem fault={fault} />}
        {nextAttemptAt !== undefined && (
          <Quiet small>
            {t.again} <Time at={nextAttemptAt} exact />
          </Quiet>
        )}
        <Quiet small>
          {sentAt === undefined ? (
            t.neverSent
          ) : (
            <>
              {t.sent} <Time at={sentAt} />
            </>
          )}
          {' · '}
          <Words text={t.added.replace('{name}', named(createdByName))} />
        </Quiet>
        {test.data?.fault && <Problem fault={test.data.fault} isNew />}
        {test.error != null && <ErrorNotice error={test.error} />}
        <Actions>
          <Button
            size="small"
            busy={test.isPending}
            aria-label={t.testOne(address)}
            onClick={() => test.mutate()}
          >
            {t.test}
          </Button>
          <Button look="risk" size="small" aria-label={t.removeOne(address)} onClick={onRemove}>
            {t.remove}
          </Button>
        </Actions>
      </Stack>
    </li>
  )
}

/** What went wrong, in words and as the network told it. */
function Problem({ fault: { kind, detail }, isNew = false }: { fault: Fault; isNew?: boolean }) {
  const t = useTexts(auditDelivery).destinations
  return (
    <Notice tone={isNew ? 'bad' : 'warn'}>
      <p>{t.faults[kind]}</p>
      <Quiet small>
        <span lang="en">{detail}</span>
      </Quiet>
    </Notice>
  )
}

type Made = { secret?: string }

function Adding({ onAdded, onClose }: { onAdded: (made: Made) => void; onClose: () => void }) {
  const t = useTexts(auditDelivery).destinations.adding
  const { organizationId } = useMembership()
  const changed = useChanged()
  const [kind, setKind] = useState<AuditDestination['kind']>('webhook')
  const [address, setAddress] = useState('')
  const [ca, setCa] = useState('')
  const isSyslog = kind === 'syslog'
  const form = useForm<'address' | 'caCertificate', Made>({
    check: () => ({ address: address.trim() === '' && t.missing }),
    fields: { address: 'address', caCertificate: 'caCertificate' },
    send: () =>
      call<typeof addAuditDestination>('POST', DESTINATIONS, {
        params: { organizationId },
        body: {
          kind,
          address: address.trim(),
          ...(isSyslog && ca.trim() !== '' && { caCertificate: ca.trim() }),
        },
      }),
    onDone: (made) => {
      changed('organization')
      onAdded(made)
    },
  })
  return (
    <FormDialog form={form} title={t.title} action={t.action} onClose={onClose}>
      <SelectField
        label={t.kind}
        options={KINDS.map((one) => [one, t.kinds[one]] as const)}
        value={kind}
        onChange={setKind}
      />
      <TextField
        label={isSyslog ? t.host : t.url}
        mistake={form.mistake('address')}
        required
        autoComplete="off"
        spellCheck={false}
        placeholder={isSyslog ? 'siem.example.com:6514' : 'https://siem.example.com/parley'}
        maxLength={2048}
        value={address}
        onChange={setAddress}
      />
      {isSyslog && (
        <Field label={t.ca} hint={t.caHint} mistake={form.mistake('caCertificate')}>
          {(wiring) => (
            <TextArea
              {...wiring}
              rows={4}
              spellCheck={false}
              placeholder="-----BEGIN CERTIFICATE-----"
              maxLength={LIMITS.caCertificate}
              value={ca}
              onChange={(event) => setCa(event.target.value)}
            />
          )}
        </Field>
      )}
    </FormDialog>
  )
}

function Made({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useTexts(auditDelivery).destinations.made
  const c = useTexts(common)
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogBody>
        <Secret label={t.secret} value={secret} />
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

function Removal({ destination, onClose }: { destination: AuditDestination; onClose: () => void }) {
  const all = useTexts(auditDelivery).destinations
  const t = all.removing
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removing = useMutation({
    mutationFn: () =>
      call<typeof removeAuditDestination>('DELETE', `${DESTINATIONS}/{destinationId}`, {
        params: { organizationId, destinationId: destination.id },
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
      text={t.text.replace('{address}', destination.address)}
      costs={Object.values(t.costs)}
      action={all.remove}
      busy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  )
}
