import sharp from 'sharp'
import type { PeopleOperation } from '../../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../../contract/people/index.ts'
import { OPERATOR } from '../../server/actions/audit.ts'
import { setBot } from '../../server/actions/bots.ts'
import { createLabel } from '../../server/actions/labels.ts'
import { createOrgUnit } from '../../server/actions/org-units.ts'
import { sql } from '../../server/db/sql.ts'
import { organization, person, staticBot } from './cast.ts'
import type { Answer } from './client.ts'
import { form } from './forms.ts'
import type { TestParley } from './parley.ts'
import { signInAs, type TestPerson, type VisitOptions, type Visitor } from './people.ts'

/** Every operation of an organization. */
export const ORGANIZATION_OPERATIONS = PEOPLE_OPERATIONS.filter(({ path }) =>
  path.includes('{organizationId}'),
)

export type Ids = Record<string, string>

/** One thing of each kind that the path of an operation can name, new and unlike those before. */
export async function newThings(server: TestParley, orgId: string): Promise<Ids> {
  const unique = `${orgId}-${++things}`
  const bot = await staticBot(server, orgId, `Bot ${unique}`)
  const webhookUrl = 'https://example.com/hook'
  await server.parley.db.write(orgId, (tx) => setBot(tx, bot.id, { delivery: 'webhook', webhookUrl }))
  const topicId = Object((await bot.post('/v2/topics', { name: 'Topic', members: [] })).body).id
  await bot.post('/v2/messages', { topicId, text: 'Hello' })
  const [delivery] = await server.parley.db.query<{ id: string }>(
    sql`select id from deliveries where org_id = ${orgId} and bot_id = ${bot.id}`,
  )
  const unit = { name: 'Unit', tag: `tag-${unique}`, type: 'Team' as const }
  const memberId = await person(server, orgId, 'Pia', { status: 'Pending', email: `${unique}@things.test` })
  await server.parley.db.query(sql`
    insert into second_factors (account_id, secret, started_at, enabled_at)
    select account_id, '', 0, 0 from profiles where org_id = ${orgId} and id = ${memberId}`)
  return server.parley.db.write(orgId, async (tx) => ({
    organizationId: orgId,
    memberId,
    botId: bot.id,
    deliveryId: delivery?.id ?? '',
    labelId: (await createLabel(tx, unique.slice(-60), OPERATOR)).id,
    orgUnitId: (await createOrgUnit(tx, unit, OPERATOR)).id,
  }))
}
let things = 0

export const pathOf = ({ path }: PeopleOperation, ids: Ids): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? `unknown-${name}`)

/** The names in an operation's path besides the organization. */
export const thingsIn = ({ path }: PeopleOperation): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']) => (name === 'organizationId' ? [] : [name]))

/** Calls an operation as its example shows it, with members that exist. */
export async function perform(
  who: Visitor,
  operation: PeopleOperation,
  ids: Ids,
  options: VisitOptions = {},
): Promise<Answer> {
  const path = pathOf(operation, ids)
  const example = Object(operation.bodyExample)
  const body = 'memberIds' in example ? { ...example, memberIds: [ids.memberId] } : operation.bodyExample
  if (operation.method === 'GET') return who.get(path, options)
  if (operation.method === 'PATCH') return who.patch(path, body, options)
  if (operation.method === 'DELETE') return who.delete(path, body, options)
  if (!operation.form) return who.post(path, body, options)
  const content = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123456' } })
    .png()
    .toBuffer()
  const logo = form({}, [{ content, name: 'logo.png' }], { metaPart: operation.form.metaParts[0] })
  const headers = { ...options.headers, 'content-type': logo.contentType }
  return who.post(path, logo.body, { ...options, headers })
}

/** An organization with somebody of each role. */
export async function newOrganization(server: TestParley, name: string) {
  const orgId = await organization(server, name)
  const member = (role: TestRole) =>
    signInAs(server, { orgId, role, name: `The ${role}`, email: `${role}@${orgId}.test` })
  return { orgId, owner: await member('owner'), admin: await member('admin'), member: await member('member') }
}
type TestRole = 'owner' | 'admin' | 'member'
export type TestOrganization = { orgId: string } & Record<TestRole, TestPerson>
