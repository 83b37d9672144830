import { type ReactNode, useState } from 'react'
import { Refused } from '../../api/call.ts'
import { Button } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { account } from '../../texts/account.ts'
import { useTexts } from '../../texts/texts.ts'

/** Asks for an address, to which a mail goes, and then says so. */
export function AskForMail({
  words,
  autoComplete,
  placeholder,
  sendsMail,
  send,
  refused,
  beside,
}: {
  words: {
    title: string
    about: string
    email: string
    action: string
    sentTitle: string
    sent: (email: string) => string
    again: string
  }
  autoComplete: 'email' | 'username'
  placeholder?: string
  /** Whether the server sends mail. An admin has to hand over the link otherwise. */
  sendsMail: boolean
  send: (email: string) => Promise<void>
  /** Replaces the form if the link that led here is no longer valid. */
  refused?: ReactNode
  /** Shown beside the news that a mail was sent. */
  beside?: ReactNode
}) {
  const t = useTexts(account)
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm<'email', void>({
    check: () => ({ email: email.trim() === '' && t.emailMissing }),
    send: () => send(email.trim()),
    fields: { email: 'email' },
    onDone: () => setSentTo(email.trim()),
  })
  if (refused && form.error instanceof Refused && form.error.status === 403) return refused
  if (sentTo !== undefined) {
    return (
      <>
        <PageHead title={words.sentTitle} />
        <Notice tone={sendsMail ? 'good' : 'warn'}>
          <p>{words.sent(sentTo)}</p>
        </Notice>
        {beside}
        <div>
          <Button onClick={() => setSentTo(undefined)}>{words.again}</Button>
        </div>
      </>
    )
  }
  return (
    <>
      <PageHead title={words.title} about={words.about} />
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <Button submit look="primary" busy={form.busy}>
              {words.action}
            </Button>
          }
        >
          <TextField
            label={words.email}
            type="email"
            autoComplete={autoComplete}
            {...(placeholder !== undefined && { placeholder })}
            required
            value={email}
            onChange={setEmail}
            mistake={form.mistake('email')}
          />
        </Form>
      </Card>
    </>
  )
}
