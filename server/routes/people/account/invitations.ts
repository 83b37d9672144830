import * as contract from '../../../../contract/people/session.ts'
import {
  acceptInvitation,
  mustProveAccount,
  openInvitation,
  prepareJoining,
} from '../../../actions/members/invitations.ts'
import { ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import { answerEntered, sessionOf } from './entering.ts'
import { type AccountLimits, attemptOf } from './limits.ts'

export function invitationRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.lookAtInvitation, ({ body: { token }, parley, visitor }) =>
    limits.guesses.watch(visitor.client, async () => {
      const opened = await openInvitation(parley.db, token, parley.clock())
      const { organization: organizationName, name, email } = opened.invitation
      return ok({ organizationName, name, email, hasAccount: mustProveAccount(opened) })
    }),
  )

  people.anyone(contract.acceptInvitation, async ({ body, parley, visitor, reply }) => {
    const { db, clock } = parley
    const opened = await limits.guesses.watch(visitor.client, () => openInvitation(db, body.token, clock()))
    const joining = await limits.passwords.watch(attemptOf(parley, visitor, opened.account), () =>
      prepareJoining(parley, visitor, opened, body.password),
    )
    const entered = await db.write(opened.invitation.orgId, (tx) =>
      acceptInvitation(tx, parley, visitor, body, joining),
    )
    if ('sessionId' in entered) return ok(await sessionOf(parley, entered))
    return ok(await answerEntered(parley, visitor, reply, entered))
  })
}
