import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PeopleOperation } from '../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { sql } from '../server/db/sql.ts'
import type { Answer } from './support/client.ts'
import {
  type Ids,
  newOrganization,
  newThings,
  ORGANIZATION_OPERATIONS,
  perform,
  reusedThings,
  type TestOrganization,
  thingsIn,
} from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, signInToProfile, type TestPerson, visitor } from './support/people.ts'
import { watchPool } from './support/pool-rules.ts'
import { allowReading, askForReadings } from './support/readings.ts'
import { IS_THOROUGH } from './support/thorough.ts'

watchPool()

let server: TestParley
let here: TestOrganization
let there: TestOrganization
let ours: Ids
let theirs: Ids
/** A member who is archived here and active elsewhere, and one who is active nowhere. */
let archived: TestPerson
let nowhere: TestPerson
/** Active here, with a session that an admin ended here alone, as they are active elsewhere too. */
let ended: TestPerson
/** An organization in which everybody needs a second factor: its owner with a password alone, and with a code. */
let strict: TestOrganization
let strictThings: Ids
let strong: TestPerson

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Here')
  ;[there, strict] = await Promise.all([newOrganization(server, 'There'), newOrganization(server, 'Strict')])
  ;[ours, theirs, strictThings] = await Promise.all([
    newThings(server, here.orgId),
    newThings(server, there.orgId),
    newThings(server, strict.orgId),
  ])
  const admin = (email: string) => signInAs(server, { orgId: here.orgId, role: 'admin', name: 'Arno', email })
  const archive = async (email: string) => {
    const who = await admin(email)
    await here.owner.patch(`/people/organizations/${here.orgId}/members/${who.profileId}`, {
      status: 'Archived',
    })
    return who
  }
  for (const email of ['arno@example.com', 'enno@example.com'])
    await signInAs(server, { orgId: there.orgId, name: 'Arno', email })
  archived = await archive('arno@example.com')
  ended = await admin('enno@example.com')
  await here.owner.delete(`/people/organizations/${here.orgId}/members/${ended.profileId}/sessions`)
  strong = await signInToProfile(server, strict.owner, 'code')
  await strong.patch(`/people/organizations/${strict.orgId}`, { requireSecondFactor: true })
  await allowReading(server, here.admin)
  await askForReadings(here.owner, ours)
  nowhere = await archive('nora@example.com')
  // The first upload makes the row that counts what an organization has stored; a refused one leaves it as it is.
  const upload = ORGANIZATION_OPERATIONS.find(({ form }) => form)
  if (upload) await perform(here.owner, upload, ours)
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const NO_ORGANIZATION = { status: 404, body: 'Organization not found' }

/**
 * All stored data: each table's number of rows, and the sum of their hashes. Left out are sessions, which only hold the
 * last visit, and the profiles' column for it, which a bot's call writes a moment after its answer.
 */
async function everything(): Promise<Record<string, string>> {
  const { db } = server.parley
  const tables = await db.query<{ name: string }>(sql`
    select relname as name from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and relname not in ('sessions', 'budgets') order by 1`)
  const contents = tables.map(({ name }) => {
    const row = name === 'profiles' ? `(to_jsonb(t) - 'last_seen_at')` : 't'
    return `select '${name}' as name, count(*) || ' ' || coalesce(sum(hashtextextended(${row}::text, 0)), 0) as content from ${name} t`
  })
  const { rows } = await db.pool.query(contents.join(' union all '))
  return Object.fromEntries(rows.map(({ name, content }) => [name, content]))
}

/** Things of each person, which that person's operations use in turn. */
const thingsOf = new Map<TestPerson, ReturnType<typeof reusedThings>>()

async function newThingsOf(who: TestPerson): Promise<Ids> {
  const things = await newThings(server, here.orgId, who)
  if (who !== here.member) await askForReadings(who, things)
  return things
}

/** Calls an operation that this person may call. */
async function performAllowed(who: TestPerson, operation: PeopleOperation): Promise<Answer> {
  // People cannot report their own messages.
  if (operation.id === 'reportMessage') return perform(who, operation, ours)
  const withThings = thingsOf.get(who) ?? reusedThings(() => newThingsOf(who))
  thingsOf.set(who, withThings)
  return withThings(
    async (things) => {
      await prepare(who, operation, things)
      return perform(who, operation, things)
    },
    ({ status }) => status < 300,
  )
}

async function prepare(who: TestPerson, { id }: PeopleOperation, things: Ids): Promise<void> {
  // The person who asked for a reading ends it, and another one decides on it.
  if (id === 'endReading')
    await server.parley.db.query(
      sql`update content_readings set asked_by = ${who.profileId} where id = ${things.readingId}`,
    )
  // Members invite guests where the organization lets them.
  if (id === 'inviteGuest')
    await server.parley.db.query(
      sql`update organizations set members_invite_guests = true where org_id = ${here.orgId}`,
    )
  // A topic's creator and admins alone choose what bots get of it.
  if (id === 'setBotReach')
    await server.parley.db.query(
      sql`update topics set created_by = ${who.profileId} where id = ${things.topicId}`,
    )
}

/** Operations that the gate also asks in further ways of one refusal: one of each method and access. */
const ASKED_FURTHER = new Map(
  ORGANIZATION_OPERATIONS.map((operation) => [
    IS_THOROUGH ? operation.id : `${operation.method} ${operation.access}`,
    operation,
  ]),
)
const isAskedFurther = (operation: PeopleOperation) => [...ASKED_FURTHER.values()].includes(operation)

/** A label that a topic does not have is taken off it without a word, whosever it is. */
const namesToMiss = (operation: PeopleOperation) =>
  thingsIn(operation).filter((name) => !(operation.id === 'chatRemoveTopicLabel' && name === 'labelId'))

/** Asks all operations at once, which share what they find: refusals change nothing. Failures name their operation. */
async function eachOperation(
  check: (operation: PeopleOperation) => Promise<void>,
  operations: readonly PeopleOperation[] = ORGANIZATION_OPERATIONS,
): Promise<void> {
  const failures: string[] = []
  await Promise.all(
    operations.map((operation) =>
      check(operation).catch((error: unknown) => failures.push(`${operation.id}: ${error}`)),
    ),
  )
  expect(failures).toEqual([])
}

describe('every operation of an organization', () => {
  let before: Record<string, string>
  beforeAll(async () => {
    before = await everything()
  })

  it('does not exist for admins of another organization', () =>
    eachOperation(async (operation) => {
      expect(refusal(await perform(there.owner, operation, ours))).toEqual(NO_ORGANIZATION)
      if (!isAskedFurther(operation)) return
      const nonsense = { ...ours, organizationId: 'nonsense' }
      expect(refusal(await perform(here.owner, operation, nonsense))).toEqual(NO_ORGANIZATION)
    }))

  it('finds nothing of another organization', () =>
    eachOperation(async (operation) => {
      for (const name of namesToMiss(operation)) {
        const foreign = { ...ours, [name]: theirs[name] ?? '' }
        const { status, body } = await perform(here.owner, operation, foreign)
        expect([name, status]).toEqual([name, 404])
        expect(body).toMatch(
          /^(Assistant|Address|Held message|Audit (?:token|destination)|Bot|Delivery|Emoji|Group|Hold|Incoming webhook|Join link|Member|Reading|Label|Org unit|SCIM token|Topic|Message|Scheduled message|Section|Rehearsal|Report|Reaction|Task|poll|vote) not found$/,
        )
      }
    }))

  it('is refused without signing in', () =>
    eachOperation(async (operation) => {
      const nobody = { status: 401, body: 'sign in first' }
      expect(refusal(await perform(visitor(server.url), operation, ours))).toEqual(nobody)
      if (!isAskedFurther(operation)) return
      expect(refusal(await perform(nowhere, operation, ours))).toEqual(nobody)
    }))

  it('does not exist for archived people', () =>
    eachOperation(async (operation) => {
      expect(refusal(await perform(archived, operation, ours))).toEqual(NO_ORGANIZATION)
    }))

  it('is refused to a session that was ended here, until they sign in again', () =>
    eachOperation(async (operation) => {
      const again = { status: 403, body: 'sign in again first' }
      expect(refusal(await perform(ended, operation, ours))).toEqual(again)
    }))

  it('is refused to a password alone where everybody needs a second factor', () =>
    eachOperation(async (operation) => {
      const first = { status: 403, body: 'set up a second factor first' }
      expect(refusal(await perform(strict.owner, operation, strictThings))).toEqual(first)
    }))

  it('is refused to pages of others', () =>
    eachOperation(async (operation) => {
      const foreign = { status: 403, body: 'this must be sent from a page of this server' }
      const from = (headers: Record<string, string | undefined>) =>
        perform(here.owner, operation, ours, { headers }).then(refusal)
      expect(await from({ origin: 'https://elsewhere.example' })).toEqual(foreign)
      if (!isAskedFurther(operation)) return
      expect(await from({ origin: 'null' })).toEqual(foreign)
      expect(await from({ 'sec-fetch-site': 'cross-site' })).toEqual(foreign)
      expect(await from({ 'sec-fetch-site': 'same-site' })).toEqual(foreign)
      if (operation.method !== 'GET') expect(await from({ origin: undefined })).toEqual(foreign)
    }))

  it('is refused to members without the role', () =>
    eachOperation(
      async (operation) => {
        const forbidden = { status: 403, body: 'forbidden' }
        expect(refusal(await perform(here.member, operation, ours))).toEqual(forbidden)
      },
      ORGANIZATION_OPERATIONS.filter(({ access }) => access === 'admin' || access === 'owner'),
    ))

  it('changed nothing when it was refused', async () => {
    expect(await everything()).toEqual(before)
  })
})

// Shows that all of the above was refused for its own reason.
it.each(ORGANIZATION_OPERATIONS)('$id is there for who may', async (operation) => {
  const who = here[operation.access === 'owner' ? 'owner' : operation.access === 'admin' ? 'admin' : 'member']
  const { status, text } = await performAllowed(who, operation)
  expect(status, text).toBeLessThan(300)
})

describe('members of another organization', () => {
  const members = () => `/people/organizations/${here.orgId}/org-units/${ours.orgUnitId}/members`

  it('cannot be put into an org unit, nor taken out of it', async () => {
    const before = await everything()
    const body = { memberIds: [there.member.profileId] }
    expect(refusal(await here.owner.post(members(), body))).toEqual({ status: 400, body: 'Invalid member' })
    expect((await here.owner.delete(members(), body)).body).toMatchObject({ memberIds: [] })
    expect(await everything()).toEqual(before)
  })

  it('and their things are in no list', async () => {
    for (const operation of ORGANIZATION_OPERATIONS.filter(({ method }) => method === 'GET')) {
      const { text } = await performAllowed(here.owner, operation)
      const ids = [there.orgId, there.owner.profileId, ...Object.values(theirs)]
      expect(ids.filter((id) => text.includes(id))).toEqual([])
    }
    const audit = `/people/organizations/${here.orgId}/audit`
    for (const query of [`?actorId=${there.owner.profileId}`, `?targetId=${theirs.botId}`]) {
      expect((await here.owner.get(`${audit}${query}`)).body).toEqual({ entries: [], hasMore: false })
    }
  })
})

it('who signs in again, or with a second factor, is let in', async () => {
  const again = await signInToProfile(server, ended)
  expect((await again.get(`/people/organizations/${here.orgId}/audit`)).status).toBe(200)
  expect((await strong.get(`/people/organizations/${strict.orgId}/audit`)).status).toBe(200)
})

it('every operation says who may call it, and only those of an organization ask for a role', () => {
  for (const { id, path, access } of PEOPLE_OPERATIONS) {
    const isOfOrganization = path.startsWith('/people/organizations/{organizationId}')
    expect([id, ['guest', 'member', 'admin', 'owner'].includes(access)]).toEqual([id, isOfOrganization])
  }
})
