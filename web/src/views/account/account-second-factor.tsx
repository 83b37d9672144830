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
import { Button } from '../../kit/button.tsx'
import { Code, Secret } from '../../kit/copy.tsx'
import { Dialog, DialogBody, DialogFoot } from '../../kit/dialog.tsx'
import { FormDialog } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Actions, Quiet } from '../../kit/layout.tsx'
import { useAskBeforeLeaving } from '../../kit/leaving.ts'
import { QrCode } from '../../kit/qr.tsx'
import { Time } from '../../kit/time.tsx'
import { showToast } from '../../kit/toast.tsx'
import { account } from '../../texts/account.ts'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'
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
          <p>{t.codesLeft(current.recoveryCodesLeft)}</p>
          <Actions>
            <Button onClick={() => setOpen('renew')}>{t.renew}</Button>
            <Button look="risk" onClick={() => setOpen('remove')}>
              {t.remove}
            </Button>
          </Actions>
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

/** Whether the server takes this sign-in as fresh. The page ends a minute earlier, to be safe. */
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
    fields: { password: 'password' },
    onDone: onBegun,
  })
  return (
    <FormDialog form={form} title={t.setting.title} action={t.setting.next} onClose={onClose}>
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
    </FormDialog>
  )
}

function Confirm({ begun, onClose, onDone }: StepProps & { begun: NewSecondFactor }) {
  const t = useTexts(secondFactor)
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const form = useForm<'code', RecoveryCodes>({
    check: () => ({ code: code.trim() === '' && t.codeMissing }),
    send: () =>
      call<typeof enableSecondFactor>('POST', '/people/second-factor', { body: { code: code.trim() } }),
    fields: { code: 'code' },
    onDone: (codes) => {
      showToast({ text: t.enabled })
      void queries.invalidateQueries({ queryKey: keys.account })
      // Organizations that ask for it are open from now on.
      void sessionState.read()
      onDone(codes)
    },
  })
  return (
    <FormDialog form={form} title={t.setting.title} action={t.setting.action} onClose={onClose}>
      <p>{t.setting.scan}</p>
      <QrCode text={begun.address} label={t.setting.qr} />
      <Secret label={t.setting.byHand} value={begun.secret} />
      <CodeField
        label={t.setting.code}
        hint={t.setting.codeHint}
        value={code}
        onChange={setCode}
        mistake={form.mistake('code')}
      />
      <Quiet small>{t.setting.effect}</Quiet>
    </FormDialog>
  )
}

/** Shown once. */
function Codes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const t = useTexts(secondFactor).codes
  useAskBeforeLeaving(true, t.leave)
  return (
    <Dialog title={t.title} onClose={onClose}>
      <DialogBody>
        <p>{t.about}</p>
        <Code label={t.label} text={codes.join('\n')} />
      </DialogBody>
      <DialogFoot>
        <Button look="primary" onClick={onClose}>
          {t.action}
        </Button>
      </DialogFoot>
    </Dialog>
  )
}

function Remove({ isFresh: isProved, onClose }: { isFresh: boolean; onClose: () => void }) {
  const t = useTexts(secondFactor)
  const queries = useQueryClient()
  const [code, setCode] = useState('')
  const form = useForm<'code', void>({
    check: () => ({ code: !isProved && code.trim() === '' && t.codeMissing }),
    send: () =>
      call<typeof disableSecondFactor>('DELETE', '/people/second-factor', {
        body: isProved ? {} : { code: code.trim() },
      }),
    fields: { code: 'code' },
    onDone: () => {
      showToast({ text: t.removing.done })
      void queries.invalidateQueries({ queryKey: keys.account })
      void sessionState.read()
      onClose()
    },
  })
  return (
    <FormDialog form={form} title={t.removing.title} action={t.remove} look="danger" onClose={onClose}>
      <p>{t.removing.text}</p>
      {!isProved && <CodeField value={code} onChange={setCode} mistake={form.mistake('code')} />}
    </FormDialog>
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
    fields: { code: 'code' },
    onDone: (codes) => {
      void queries.invalidateQueries({ queryKey: keys.account })
      onDone(codes)
    },
  })
  return (
    <FormDialog form={form} title={t.renewing.title} action={t.renewing.action} onClose={onClose}>
      <p>{t.renewing.text}</p>
      {!isProved && <CodeField value={code} onChange={setCode} mistake={form.mistake('code')} />}
    </FormDialog>
  )
}
