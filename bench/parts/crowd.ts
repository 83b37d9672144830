import {
  addOrganization,
  type Backstage,
  type Bot,
  makeBots,
  makeTopics,
  type Sender,
  sendersOf,
} from './cast.ts'
import type { Server } from './server.ts'

export const TOPICS = 20
export const BOTS_EACH = 2
export const PEOPLE = 5

/** Bots of one or many organizations that send to these servers. */
export type Crowd = {
  servers: readonly Server[]
  ports: readonly number[]
  db: Backstage['db']
  orgIds: readonly string[]
  bots: readonly Bot[]
  senders: readonly Sender[]
}

/** Twenty topics in one organization, or as many in more, but one in each at least; two bots and five people in each. */
export async function makeCrowd(
  backstage: Backstage,
  servers: readonly Server[],
  organizations: number,
): Promise<Crowd> {
  const botsEach = Math.max(1, Math.round(TOPICS / organizations)) * BOTS_EACH
  const crowd = { orgIds: [] as string[], bots: [] as Bot[], senders: [] as Sender[] }
  for (let number = 0; number < organizations; number++) {
    const own = { ...backstage, orgId: await addOrganization(backstage.db) }
    const bots = await makeBots(own, botsEach)
    const topics = await makeTopics(own, bots, { botsEach: BOTS_EACH, people: PEOPLE })
    crowd.orgIds.push(own.orgId)
    crowd.bots.push(...bots)
    crowd.senders.push(...sendersOf(topics))
  }
  return { servers, ports: servers.map(({ port }) => port), db: backstage.db, ...crowd }
}
