import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LIMITS } from '../../../../contract/limits.ts'
import type {
  disableSecondFactor,
  enableSecondFactor,
  NewSecondFactor,
  RecoveryCodes,
  renewRecoveryCodes,
  startSecondFactor,
} from '../../../../contract/people/second-factor.ts'
import type { Account } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { keys } from '../../api/live.ts'
import { sessionState } from '../../api/session-state.ts'
import { account } from '../../texts/account.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
import { Badge, Button } from '../../ui/controls.tsx'
import { Code, Secret } from '../../ui/copy.tsx'
import { CancelButton, Dialog } from '../../ui/dialog.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { useAskBeforeLeaving } from '../../ui/leaving.ts'
import { QrCode } from '../../ui/qr.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import { CodeField } from './code-step.tsx'
import { PasswordField, UsernameForManagers } from './entrance.tsx'

type Open = 'set up' | 'remove' | 'renew'

export function SecondFactor({ data }: { data: Account }) {
  const t = useTexts(secondFactor)
  const [open, setOpen] = useState<Open>()
  const [codes, setCodes] = useState<readonly string[]>()
  const { secondFactor: current } = data
  const close = () => setOpen(undefined)
  const show = ({ recoveryCodes }: RecoveryCodes) => {
    close()
    setCodes(recoveryCodes)
  }
  return (
    <>
      {current === null ? (
        <>
          <p>{t.off}</p>
          <div>
            <Button onClick={() => setOpen('set up')}>{t.setUp}</Button>
          </div>
        </>
      ) : (
        <>
          <p>
            {t.on} <Time at={current.enabledAt} />
          </p>
          <p className="row">
            {t.codesLeft(current.recoveryCodesLeft)}
            {current.recoveryCodesLeft < 3 && <Badge tone="warn">!</Badge>}
          </p>
          <div className="actions">
            <Button onClick={() => setOpen('renew')}>{t.renew}</Button>
            <Button look="danger" onClick={() => setOpen('remove')}>
              {t.remove}
            </Button>
          </div>
        </>
      )}
      {open === 'set up' && <SetUp data={data} onClose={close} onDone={show} />}
      {open === 'remove' && <Remove isFresh={isFresh(data)} onClose={close} />}
      {open === 'renew' && <Renew isFresh={isFresh(data)} onClose={close} onDone={show} />}
      {codes !== undefined && <Codes codes={codes} onClose={() => setCodes(undefined)} />}
    </>
  )
}

const FRESH_MS = LIMITS.freshSessionMinutes * 60_000

/** As the server sees it, or a little earlier: it then asks for nothing more. */
function isFresh({ sessions }: Account): boolean {
  const [here] = sessions.filter(({ isThis }) => isThis)
  return here !== undefined && Date.now() - here.createdAt < FRESH_MS - 60_000
}

type StepProps = { onClose: () => void; onDone: (codes: RecoveryCodes) => void }

function SetUp({ data, onClose, onDone }: StepProps & { data: Account }) {
  const [begun, setBegun] = useState<NewSecondFactor>()
  if (!begun) return <Begin data={data} onClose={onClose} onBegun={setBegun} />
  return <Confirm begun={begun} onClose={onClose} onDone={onDone} />
}

/** Asks for the password where the sign-in is not of just now; otherwise one click. */
function Begin({
  data,
  onClose,
  onBegun,
}: {
  data: Account
  onClose: () => void
  onBegun: (begun: NewSecondFactor) => void
}) {
  const t = useTexts(secondFactor)
  const a = useTexts(account)
  const [password, setPassword] = useState('')
  const asks = data.hasPassword && !isFresh(data)
  const form = useForm<'password', NewSecondFactor>({
    check: () => ({ password: asks && password === '' && a.passwordMissing }),
    send: () =>
      call<typeof startSecondFactor>('POST', '/people/second-factor/start', {
        body: asks ? { password } : {},
      }),
    fieldOf: (refusal) => (refusal === 'wrong password' ? 'password' : undefined),
    onDone: onBegun,
  })
  return (
    <Dialog title={t.setting.title} onClose={onClose} busy={form.busy}>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {t.setting.next}
            </Button>
          </>
        }
      >
        <p>{asks ? t.setting.passwordAbout : t.about}</p>
        {asks && (
          <>
            <UsernameForManagers email={data.email} />
            <PasswordField
              label={t.setting.password}
              value={password}
              onChange={setPassword}
              mistake={form.mistake('password')}
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}

function Confirm({ begun, onClose, onDone }: StepProps & { begun: NewSecondFactor }) {
  const t = useTexts(secondFactor)
  const toast = useToast()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const form = useForm<'code', RecoveryCodes>({
    check: () => ({ code: code.trim() === '' && t.codeMissing }),
    send: () =>
      call<typeof enableSecondFactor>('POST', '/people/second-factor', { body: { code: code.trim() } }),
    fieldOf: (refusal) => (refusal === 'wrong code' ? 'code' : undefined),
    onDone: (codes) => {
      toast(t.enabled)
      void queries.invalidateQueries({ queryKey: keys.account })
      // Organizations that ask for it are open from now on.
      void sessionState.read()
      onDone(codes)
    },
  })
  return (
    <Dialog title={t.setting.title} onClose={onClose} busy={form.busy}>
      <p>{t.setting.scan}</p>
      <QrCode text={begun.address} label={t.setting.qr} />
      <Secret label={t.setting.byHand} value={begun.secret} />
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {t.setting.action}
            </Button>
          </>
        }
      >
        <CodeField
          label={t.setting.code}
          hint={t.setting.codeHint}
          value={code}
          onChange={setCode}
          mistake={form.mistake('code')}
        />
        <p className="soft small">{t.setting.effect}</p>
      </Form>
    </Dialog>
  )
}

/** Shown once. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTexts(secondFactor).codes
  useAskBeforeLeaving(true, t.leave)
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p>{t.about}</p>
      <Code label={t.label} text={codes.join('\n')} />
      <div className="actions end">
        <Button look="primary" onClick={onClose}>
          {t.action}
        </Button>
      </div>
    </Dialog>
  )
}

function Remove({ isFresh: isProved, onClose }: { isFresh: boolean; onClose: () => void }) {
  const t = useTexts(secondFactor)
  const toast = useToast()
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const form = useForm<'code', void>({
    check: () => ({ code: !isProved && code.trim() === '' && t.codeMissing }),
    send: () =>
      call<typeof disableSecondFactor>('DELETE', '/people/second-factor', {
        body: isProved ? {} : { code: code.trim() },
      }),
    fieldOf: (refusal) => (refusal === 'wrong code' ? 'code' : undefined),
    onDone: () => {
      toast(t.removing.done)
      void queries.invalidateQueries({ queryKey: keys.account })
      void sessionState.read()
      onClose()
    },
  })
  return (
    <Dialog title={t.removing.title} onClose={onClose} busy={form.busy}>
      <p>{t.removing.text}</p>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="danger" busy={form.busy}>
              {t.remove}
            </Button>
          </>
        }
      >
        {!isProved && <CodeField value={code} onChange={setCode} mistake={form.mistake('code')} />}
      </Form>
    </Dialog>
  )
}

function Renew({ isFresh: isProved, onClose, onDone }: StepProps & { isFresh: boolean }) {
  const t = useTexts(secondFactor)
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const form = useForm<'code', RecoveryCodes>({
    check: () => ({ code: !isProved && code.trim() === '' && t.codeMissing }),
    send: () =>
      call<typeof renewRecoveryCodes>('POST', '/people/second-factor/recovery-codes', {
        body: isProved ? {} : { code: code.trim() },
      }),
    fieldOf: (refusal) => (refusal === 'wrong code' ? 'code' : undefined),
    onDone: (codes) => {
      void queries.invalidateQueries({ queryKey: keys.account })
      onDone(codes)
    },
  })
  return (
    <Dialog title={t.renewing.title} onClose={onClose} busy={form.busy}>
      <p>{t.renewing.text}</p>
      <Form
        form={form}
        align="end"
        actions={
          <>
            <CancelButton />
            <Button type="submit" look="primary" busy={form.busy}>
              {t.renewing.action}
            </Button>
          </>
        }
      >
        {!isProved && <CodeField value={code} onChange={setCode} mistake={form.mistake('code')} />}
      </Form>
    </Dialog>
  )
}
