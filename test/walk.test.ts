import { afterEach, describe, expect, it } from 'vitest'
import { Random } from '../fuzz/random.ts'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { oauthBot, organization, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { watchPool } from './support/pool-rules.ts'
import { countOf } from './support/thorough.ts'
import { Lane, type WalkOrganization } from './support/walk/lane.ts'
import { walk } from './support/walk/walk.ts'

/** Another seed draws other steps; a longer walk finds more: `WALK_SEED=7 WALK_REQUESTS=50000 npx vitest run test/walk.test.ts`. */
const SEED = Number(process.env.WALK_SEED ?? 1)
const REQUESTS = Number(process.env.WALK_REQUESTS ?? countOf(720, 1500))
const ORGANIZATIONS = countOf(3, 8)
const LANES = 3
/** Mistakes that are shown with the steps before them. */
const SHOWN = 3
/** The walk decides what is sent, so limits are off. */
const SETTINGS = {
  orgUnitChangesPerMinute: 0,
  botLoops: { slowAfter: 0, stopAfter: 0, pauseMs: 1000 },
}
const LIMIT_MS = 240_000 + REQUESTS * 100

watchPool()

let server: TestParley
afterEach(() => server.close())

describe.each([1, 3])('a random walk over the API of bots, with %i node(s)', (count) => {
  it('is answered at each step as the model says', { timeout: LIMIT_MS }, async () => {
    server = await startTestParley(SETTINGS)
    const nodes = [server]
    while (nodes.length < count) nodes.push(await server.secondNode())
    const lanes = await makeLanes()
    const { requests, answers, mistakes } = await walk(
      lanes,
      nodes.map(({ url }) => url),
      REQUESTS,
    )
    const shown = mistakes.slice(0, SHOWN).join('\n')
    expect(mistakes.length, `seed ${SEED}: ${mistakes.length} of ${requests} answers\n${shown}`).toBe(0)
    // The walk reached every kind of answer: a refusal that never comes is not tested.
    expect(Object.keys(answers).sort()).toEqual(expect.arrayContaining(REACHED))
  })
})

const REACHED = [
  '200',
  '201',
  '204',
  '400 "Idempotency-Key was already used with another request"',
  '400 "Invalid assignee"',
  '400 "Invalid mention"',
  '400 "Invalid parentId"',
  '400 "member is already in the topic"',
  '403 "forbidden"',
  '404 "Message not found"',
  '404 "Topic not found"',
]

async function newOrganization(_: unknown, number: number): Promise<Omit<WalkOrganization, 'foreigner'>> {
  const orgId = await organization(server, `Organization ${number}`)
  const [reader, ...writers] = await Promise.all([
    staticBot(server, orgId, 'Reader', { permission: 'read' }),
    staticBot(server, orgId, 'Writer'),
    oauthBot(server, orgId, 'Token writer'),
    staticBot(server, orgId, 'Other writer'),
  ])
  return { orgId, writers, reader }
}

async function makeLanes(): Promise<Lane[]> {
  const organizations = await Promise.all(Array.from({ length: ORGANIZATIONS }, newOrganization))
  const lanes: Lane[] = []
  for (const [number, own] of organizations.entries()) {
    const foreigner = organizations[(number + 1) % ORGANIZATIONS]?.writers[0]
    if (!foreigner) throw new Error('each organization has a writer')
    for (let lane = 0; lane < LANES; lane++) {
      const name = `${number}.${lane}`
      const unit = { name, tag: `unit-${lane}`, type: 'Team' as const }
      const { id } = await server.parley.db.write(own.orgId, (tx) => createOrgUnit(tx, unit, OPERATOR))
      const random = new Random(SEED, number, lane)
      lanes.push(new Lane(name, random, { ...own, foreigner }, { id, memberIds: new Set() }))
    }
  }
  return lanes
}
