import { useEffect, useState } from 'react'
import type { askToJoin, lookAtJoinLink } from '../../../../contract/people/join-links.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { call, Refused } from '../../api/call.ts'
import { Button, ButtonLink } from '../../kit/button.tsx'
import { Card, Form, TextField } from '../../kit/form.tsx'
import { useForm } from '../../kit/form-state.ts'
import { named } from '../../kit/name.tsx'
import { Notice } from '../../kit/notice.tsx'
import { PageHead } from '../../kit/page.tsx'
import { account } from '../../texts/account.ts'
import { joinLinks } from '../../texts/join-links.ts'
import { useTexts } from '../../texts/texts.ts'
import { forgetToken } from './entrance.tsx'
import { OpenedLink } from './opened-link.tsx'

type Found = Awaited<ReturnType<typeof call<typeof lookAtJoinLink>>>

/** A link for everybody of a domain was opened: asks for an address, to which a mail goes. */
export default function JoinByLink({ session }: { session: Session }) {
  const t = useTexts(joinLinks).join
  return (
    <OpenedLink
      name="join link"
      look={(token) => call<typeof lookAtJoinLink>('POST', '/people/join-links/look', { body: { token } })}
      opening={t.opening}
      refused={<RefusedLink />}
    >
      {(found, token) => <Ask key={token} token={token} found={found} sendsMail={session.mail === 'smtp'} />}
    </OpenedLink>
  )
}

export function RefusedLink() {
  const t = useTexts(joinLinks).join.refused
  const a = useTexts(account)
  useEffect(forgetToken, [])
  return (
    <>
      <PageHead title={t.title} about={t.text} />
      <p>{t.used}</p>
      <div>
        <ButtonLink to="/sign-in">{a.toSignIn}</ButtonLink>
      </div>
    </>
  )
}

function Ask({ token, found, sendsMail }: { token: string; found: Found; sendsMail: boolean }) {
  const t = useTexts(joinLinks).join
  const a = useTexts(account)
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const form = useForm<'email', void>({
    check: () => ({ email: email.trim() === '' && a.emailMissing }),
    send: () =>
      call<typeof askToJoin>('POST', '/people/join-links/ask', { body: { token, email: email.trim() } }),
    fieldOf: (refusal) =>
      refusal === 'invalid e-mail address' || refusal === 'this link is for addresses of other domains'
        ? 'email'
        : undefined,
    onDone: () => setSentTo(email.trim()),
  })
  if (form.error instanceof Refused && form.error.status === 403) return <RefusedLink />
  if (sentTo !== undefined) {
    return (
      <>
        <PageHead title={t.sent.title} />
        <Notice tone={sendsMail ? 'good' : 'warn'}>
          <p>{sendsMail ? t.sent.text(sentTo) : t.sent.noMail(sentTo)}</p>
        </Notice>
        <div>
          <Button onClick={() => setSentTo(undefined)}>{t.sent.again}</Button>
        </div>
      </>
    )
  }
  return (
    <>
      <PageHead title={t.title(named(found.organizationName))} about={t.about(found.domains.join(', '))} />
      <Card>
        <Form
          form={form}
          startsHere
          actions={
            <Button submit look="primary" busy={form.busy}>
              {t.action}
            </Button>
          }
        >
          <TextField
            label={t.email}
            type="email"
            autoComplete="email"
            placeholder={`@${found.domains[0]}`}
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
