import { useEffect } from 'react'
import type { askToJoin, lookAtJoinLink } from '../../../../contract/people/join-links.ts'
import type { Session } from '../../../../contract/people/session.ts'
import { call } from '../../api/call.ts'
import { ButtonLink } from '../../kit/button.tsx'
import { named } from '../../kit/name.tsx'
import { PageHead } from '../../kit/page.tsx'
import { account } from '../../texts/account.ts'
import { joinLinks } from '../../texts/join-links.ts'
import { useTexts } from '../../texts/texts.ts'
import { AskForMail } from './ask-for-mail.tsx'
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
  return (
    <AskForMail
      words={{
        title: t.title(named(found.organizationName)),
        about: t.about(found.domains.join(', ')),
        email: t.email,
        action: t.action,
        sentTitle: t.sent.title,
        sent: sendsMail ? t.sent.text : t.sent.noMail,
        again: t.sent.again,
      }}
      autoComplete="email"
      placeholder={`@${found.domains[0]}`}
      sendsMail={sendsMail}
      send={(email) => call<typeof askToJoin>('POST', '/people/join-links/ask', { body: { token, email } })}
      refused={<RefusedLink />}
    />
  )
}
