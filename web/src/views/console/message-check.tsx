import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  MessageCheck as Check,
  readMessageCheck,
  removeMessageCheck,
  setMessageCheck,
  testMessageCheck,
} from '../../../../contract/people/message-check.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { useMembership } from '../../api/session.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/choice.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { Secret } from '../../kit/copy.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { Field, SelectField, TextArea } from '../../kit/field.tsx'
import { Card, Form, FormDialog, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Actions, Quiet, Stack } from '../../kit/layout.tsx'
import { named, Words } from '../../kit/name.tsx'
import { Notice, StateMark } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { Loaded } from '../../kit/states.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { common } from '../../texts/common.ts'
import { messageCheckTexts } from '../../texts/message-check.ts'
import { useTexts } from '../../texts/texts.ts'
import { useChanged } from './changes.ts'
import { HeldMessages } from './held-messages.tsx'

const CHECK = '/people/organizations/{organizationId}/message-check'
const AWAY = ['refuse', 'send'] as const

/** The program that is asked before texts are sent, and the messages that it holds. */
export default function MessageCheck() {
  const t = useTexts(messageCheckTexts)
  const { organizationId, role } = useMembership()
  const isOwner = role === 'owner'
  const [isChanging, setChanging] = useState(false)
  const [isEnding, setEnding] = useState(false)
  const [secret, setSecret] = useState<string>()
  const query = useQuery({
    queryKey: keys.of(organizationId, 'organization', 'message check'),
    queryFn: () => call<typeof readMessageCheck>('GET', CHECK, { params: { organizationId } }),
  })
  return (
    <>
      <PageHead title={t.title} about={t.about} />
      <Card title={t.program.title} about={t.program.owners}>
        <Loaded query={query}>
          {({ check }) => (
            <>
              {check ? <Program check={check} /> : <p>{t.program.none}</p>}
              {isOwner && (
                <Actions>
                  <Button look={check ? 'quiet' : 'primary'} onClick={() => setChanging(true)}>
                    {check ? t.program.change : t.program.add}
                  </Button>
                  {check && (
                    <Button look="risk" onClick={() => setEnding(true)}>
                      {t.program.remove}
                    </Button>
                  )}
                </Actions>
              )}
              {isOwner && check && <Test key={check.setAt} />}
              {isChanging && (
                <Changing
                  check={check}
                  onDone={(made) => {
                    setChanging(false)
                    setSecret(made)
                  }}
                  onClose={() => setChanging(false)}
                />
              )}
            </>
          )}
        </Loaded>
      </Card>
      <HeldMessages />
      {isEnding && <Ending onClose={() => setEnding(false)} />}
      {secret !== undefined && <Made secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  )
}

function Program({ check }: { check: Check }) {
  const t = useTexts(messageCheckTexts).program
  const { address, whenAway, setByName, setAt, failingSince, fault } = check
  return (
    <Stack tight>
      <code>{address}</code>
      <StateMark tone={failingSince === undefined ? 'good' : 'bad'}>
        {t.state[failingSince === undefined ? 'well' : 'failing']}
      </StateMark>
      {failingSince !== undefined && (
        <Quiet small>
          {t.since} <Time at={failingSince} />
        </Quiet>
      )}
      {fault && <Problem fault={fault} />}
      <span>
        {t.away}: {t.whenAway[whenAway]}
      </span>
      <Quiet small>
        <Words text={t.set(named(setByName))} /> · <Time at={setAt} />
      </Quiet>
    </Stack>
  )
}

/** The failure, in words and as the network told it. */
function Problem({ fault: { kind, detail } }: { fault: NonNullable<Check['fault']> }) {
  const t = useTexts(messageCheckTexts).faults
  return (
    <Notice tone="warn">
      <p>{t[kind]}</p>
      <Quiet small>
        <span lang="en">{detail}</span>
      </Quiet>
    </Notice>
  )
}

type Made = { secret?: string }

function Changing({
  check,
  onDone,
  onClose,
}: {
  check: Check | undefined
  onDone: (secret: string | undefined) => void
  onClose: () => void
}) {
  const t = useTexts(messageCheckTexts).program
  const { organizationId } = useMembership()
  const changed = useChanged()
  const [address, setAddress] = useState(check?.address ?? '')
  const [whenAway, setWhenAway] = useState<Check['whenAway']>(check?.whenAway ?? 'refuse')
  const [isNew, setNew] = useState(false)
  const form = useForm<'address', Made>({
    check: () => ({ address: address.trim() === '' && t.missing }),
    fields: { address: 'address' },
    send: () =>
      call<typeof setMessageCheck>('POST', CHECK, {
        params: { organizationId },
        body: { address: address.trim(), whenAway, ...(isNew && { newSecret: true }) },
      }),
    onDone: ({ secret }) => {
      changed('organization')
      showToast({ text: t.saved })
      onDone(secret)
    },
  })
  return (
    <FormDialog form={form} title={t.changeTitle} action={t.save} onClose={onClose}>
      <TextField
        label={t.address}
        mistake={form.mistake('address')}
        required
        autoComplete="off"
        spellCheck={false}
        placeholder="https://dlp.example.com/parley"
        maxLength={2048}
        value={address}
        onChange={setAddress}
      />
      <SelectField
        label={t.away}
        options={AWAY.map((one) => [one, t.whenAway[one]] as const)}
        value={whenAway}
        onChange={setWhenAway}
      />
      {check && <Checkbox label={t.newSecret} isOn={isNew} onChange={setNew} />}
    </FormDialog>
  )
}

function Made({ secret, onClose }: { secret: string; onClose: () => void }) {
  const t = useTexts(messageCheckTexts).program.secret
  const c = useTexts(common)
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogBody>
        <Secret label={t.label} value={secret} />
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

function Ending({ onClose }: { onClose: () => void }) {
  const all = useTexts(messageCheckTexts).program
  const t = all.removing
  const changed = useChanged()
  const { organizationId } = useMembership()
  const removing = useMutation({
    mutationFn: () => call<typeof removeMessageCheck>('DELETE', CHECK, { params: { organizationId } }),
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
      costs={[t.costs]}
      action={all.remove}
      busy={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
    />
  )
}

type Tested = Awaited<ReturnType<typeof call<typeof testMessageCheck>>>

function Test() {
  const t = useTexts(messageCheckTexts).test
  const { organizationId } = useMembership()
  const changed = useChanged()
  const [text, setText] = useState('')
  const [tested, setTested] = useState<Tested>()
  const form = useForm<'text', Tested>({
    check: () => ({ text: text.trim() === '' && t.missing }),
    fields: { text: 'text' },
    send: () =>
      call<typeof testMessageCheck>('POST', `${CHECK}/test`, { params: { organizationId }, body: { text } }),
    onDone: (result) => {
      setTested(result)
      changed()
    },
  })
  return (
    <Form
      form={form}
      actions={
        <Button submit busy={form.busy}>
          {t.action}
        </Button>
      }
    >
      <Field label={t.label} hint={t.hint} mistake={form.mistake('text')}>
        {(wiring) => (
          <TextArea
            {...wiring}
            rows={2}
            maxLength={LIMITS.messageText}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      <div role="status">{tested && <Verdict tested={tested} />}</div>
    </Form>
  )
}

function Verdict({ tested: { verdict, reason, text, milliseconds, fault } }: { tested: Tested }) {
  const t = useTexts(messageCheckTexts).test
  if (fault || verdict === undefined) return fault ? <Problem fault={fault} /> : null
  return (
    <Stack tight>
      <strong>{t.verdicts[verdict]}</strong>
      {(reason ?? text) !== undefined && <bdi>{reason ?? text}</bdi>}
      <Quiet small>{t.took(milliseconds)}</Quiet>
    </Stack>
  )
}
