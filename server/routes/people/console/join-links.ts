import * as contract from '../../../../contract/people/join-links.ts'
import { createJoinLink, joinLinkContext, revokeJoinLink } from '../../../actions/members/join-links.ts'
import { created, noContent, ok } from '../../../http/answers.ts'
import type { PeopleApi } from '../../../http/people-api.ts'
import type { Parley } from '../../../parley.ts'
import { presentJoinLink } from '../../../presenters/join-links.ts'
import { type JoinLinkRow, listJoinLinks } from '../../../queries/members/join-links.ts'

export function joinLinkRoutes(people: PeopleApi): void {
  people.reads(contract.listJoinLinks, async ({ caller, db, parley }) => {
    const rows = await listJoinLinks(caller, db, parley.clock())
    return ok({ joinLinks: rows.map((row) => shown(parley, row)) })
  })

  people.writes(contract.createJoinLink, async ({ caller, tx, body, parley }) => {
    const id = await createJoinLink(tx, parley, caller, body)
    const row = (await listJoinLinks(caller, tx, tx.now())).find((link) => link.id === id)
    if (!row) throw new Error(`join link ${id} does not exist`)
    return created(shown(parley, row))
  })

  people.writes(contract.revokeJoinLink, async ({ caller, tx, params }) => {
    await revokeJoinLink(tx, caller, params.joinLinkId)
    return noContent()
  })
}

const shown = ({ secrets, config }: Pick<Parley, 'secrets' | 'config'>, row: JoinLinkRow) =>
  presentJoinLink(row, {
    baseUrl: config.baseUrl,
    token: secrets.decrypt(row.token, joinLinkContext(row.id)).toString(),
  })
