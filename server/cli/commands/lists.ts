import { MEMBER_STATUSES } from '../../../contract/members.ts'
import { type ListedBotRow, listBots } from '../../queries/bots/bots.ts'
import { listPeople, type PersonRow } from '../../queries/members/people.ts'
import { command, optional, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
import * as values from '../values.ts'

/** Rows of one statement: an organization of thousands is read in some of them, none of which takes long. */
const ROWS_AT_ONCE = 500

export const members = command(
  {
    org: required(values.organizationId, 'The organization'),
    status: optional(values.oneOf(...MEMBER_STATUSES), 'Only people in this state'),
  },
  ({ org, status }) =>
    withInstallation('member list', async ({ db }) => {
      await findOrganization(db, org)
      const filters = {
        statuses: status ? [status] : [...MEMBER_STATUSES],
        sort: 'name',
        order: 'asc',
      } as const
      const people = await allOf((start) => listPeople(db, { orgId: org }, filters, start, ROWS_AT_ONCE))
      return {
        json: { members: people.map(memberOf) },
        lines: people.map(
          (person) =>
            `${person.id}  ${person.name}  ${person.email}  ${person.role}, ${stateOf(person)}, ${seen(person.lastSeenAt)}`,
        ),
      }
    }),
)

export const bots = command({ org: required(values.organizationId, 'The organization') }, ({ org }) =>
  withInstallation('bot list', async ({ db }) => {
    await findOrganization(db, org)
    const filters = { sort: 'name', order: 'asc' } as const
    const rows = await allOf((start) => listBots(db, { orgId: org }, filters, start, ROWS_AT_ONCE))
    return {
      json: {
        bots: rows.map((bot) => {
          const { id: botId, name, delivery, topics, lastSeenAt } = bot
          return { botId, name, state: botState(bot), delivery, topics, lastSeenAt }
        }),
      },
      lines: rows.map((bot) => {
        const { id, name, delivery, topics, lastSeenAt } = bot
        return `${id}  ${name}  ${botState(bot)}, ${delivery}, ${topics} ${topics === 1 ? 'topic' : 'topics'}, ${seen(lastSeenAt)}`
      }),
    }
  }),
)

type Start = { at: [key: string | number, id: string]; isBackwards: boolean } | undefined

/** Reads all pages of a list. */
async function allOf<Row extends { sortKey: string | number; id: string }>(
  page: (start: Start) => Promise<Row[]>,
): Promise<Row[]> {
  const all: Row[] = []
  for (let start: Start; ; ) {
    const rows = await page(start)
    all.push(...rows)
    const last = rows.at(-1)
    if (!last || rows.length < ROWS_AT_ONCE) return all
    start = { at: [last.sortKey, last.id], isBackwards: false }
  }
}

const memberOf = (person: PersonRow) => {
  const { id: profileId, name, email, role, status, invitationExpiresAt, lastSeenAt } = person
  return { profileId, name, email, role, status, invitationExpiresAt, lastSeenAt }
}

const stateOf = ({ status, invitationDueAt, invitationExpiresAt }: PersonRow): string => {
  if (status !== 'Pending') return status.toLowerCase()
  if (invitationDueAt !== null) return 'invitation waits'
  if (invitationExpiresAt === null) return 'not invited yet'
  return invitationExpiresAt > Date.now() ? 'invited' : 'invitation has expired'
}

const botState = ({ active, pausedAt }: ListedBotRow): 'active' | 'paused' | 'off' =>
  !active ? 'off' : pausedAt === null ? 'active' : 'paused'

const seen = (at: number | null): string =>
  at === null ? 'never seen' : `last seen ${new Date(at).toISOString().slice(0, 10)}`
