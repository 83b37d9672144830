import * as contract from '../../../../contract/people/join-links.ts'
import {
  askToJoin,
  checkDomain,
  confirmAddress,
  openJoinRequest,
} from '../../../actions/members/join-links.ts'
import { refusal } from '../../../errors.ts'
import { noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { findOpenJoinLink, type OpenJoinLink } from '../../../queries/members/join-links.ts'
import { emailKey } from '../../../text.ts'
import type { AccountLimits } from './limits.ts'

/** Registers routes for joining by a domain's link. */
export function joiningRoutes(people: PeopleApi, limits: AccountLimits): void {
  people.anyone(contract.lookAtJoinLink, ({ body: { token }, parley, visitor }) =>
    limits.guesses.watch(visitor.client, async () => {
      const { organization: organizationName, domains } = await requireOpen(parley, token)
      return ok({ organizationName, domains })
    }),
  )

  people.anyone(contract.askToJoin, async ({ body: { token, email }, parley, visitor }) => {
    const link = await limits.guesses.watch(visitor.client, () => requireOpen(parley, token))
    checkDomain(link, email)
    limits.joins.count({ address: visitor.client.address, account: emailKey(email) })
    await parley.db.write(link.orgId, (tx) => askToJoin(tx, parley, link, email))
    return noContent()
  })

  people.anyone(contract.confirmAddress, ({ body: { token }, parley, visitor }) =>
    limits.guesses.watch(visitor.client, async () => {
      const { orgId } = await openJoinRequest(parley.db, token, parley.clock())
      const url = await parley.db.write(orgId, (tx) => confirmAddress(tx, parley, visitor.client, token))
      return ok({ url })
    }),
  )
}

async function requireOpen(
  { db, clock }: Pick<Parley, 'db' | 'clock'>,
  token: string,
): Promise<OpenJoinLink> {
  const link = await findOpenJoinLink(db, token, clock())
  if (!link) throw refusal('link_not_valid')
  return link
}
