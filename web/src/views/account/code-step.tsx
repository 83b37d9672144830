import { useState } from 'react'
import type { finishSignIn } from '../../../../contract/people/second-factor.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Quiet } from '../../kit/layout.tsx'
import { PageHead } from '../../kit/page.tsx'
import { secondFactor } from '../../texts/second-factor.ts'
import { useTexts } from '../../texts/texts.ts'

/** The second step of signing in; the first was a password, or a link. */
export function CodeStep({ onDone, onBack }: { onDone: (session: Session) => void; onBack: () => void }) {
  const t = useTexts(secondFactor)
  const [code, setCode] = useState('')
  const form = useForm<'code', Session>({
    check: () => ({ code: code.trim() === '' && t.codeMissing }),
    send: () => call<typeof finishSignIn>('POST', '/people/sign-in/code', { body: { code: code.trim() } }),
    fields: { code: 'code' },
    onDone,
  })
  return (
    <>
      <PageHead title={t.step.title} about={t.step.about} />
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <>
              <Button submit look="primary" busy={form.busy}>
                {t.step.action}
              </Button>
              <Button look="quiet" onClick={onBack}>
                {t.step.back}
              </Button>
            </>
          }
        >
          <CodeField value={code} onChange={setCode} mistake={form.mistake('code')} />
        </Form>
        <Quiet small>{t.step.lost}</Quiet>
      </Card>
    </>
  )
}

export function CodeField({
  label,
  hint,
  value,
  onChange,
  mistake,
}: {
  label?: string
  hint?: string
  value: string
  onChange: (value: string) => void
  mistake: string | undefined
}) {
  const t = useTexts(secondFactor)
  return (
    <TextField
      label={label ?? t.code}
      hint={hint ?? t.codeHint}
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={40}
      required
      value={value}
      onChange={onChange}
      mistake={mistake}
    />
  )
}
