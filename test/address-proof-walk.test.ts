import { afterAll, beforeAll, expect, it } from 'vitest'
import { Random } from '../fuzz/random.ts'
import { addPerson } from '../server/actions/members/members.ts'
import { sql } from '../server/db/sql.ts'
import {
  accept,
  handLink,
  invite,
  listed,
  mailedToken,
  opens,
  setStatus,
  signInWith,
  signOn,
  startWithProvider,
} from './support/claims.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import type { IdentityProvider } from './support/identity-provider.ts'
import { mailsTo } from './support/mails.ts'
import type { TestParley } from './support/parley.ts'
import { type Visitor, visitor } from './support/people.ts'
import { countOf } from './support/thorough.ts'

/*
 * A stranger and the reader of an address, who never share a browser, do what each can do in any order. The stranger sees links that
 * organizations pass on by hand, never a mail, and has no account at the provider.
 */

const SEED = Number(process.env.WALK_SEED ?? 1)
const WALKS = Number(process.env.WALK_RUNS ?? countOf(5, 20))
const STEPS = 14
/** Longer than any limit on attempts and mails. */
const PAUSE_MS = 21 * 60_000
/** The address is proven for good by what its reader does: often enough to be seen, and late enough to be preceded by other steps. */
const READER_CHANCE = 0.15

let server: TestParley
let provider: IdentityProvider
let home: TestOrganization
/** An organization that passes its links on to the stranger, who may own it. */
let theirs: TestOrganization
let ours: TestOrganization

beforeAll(async () => {
  ;({ server, provider } = await startWithProvider())
  home = await newOrganization(server, 'Home')
  theirs = await newOrganization(server, 'Theirs')
  ours = await newOrganization(server, 'Ours')
})
afterAll(async () => {
  await server.close()
  await provider.close()
})

type Walk = {
  random: Random
  email: string
  /** Whether the stranger has followed a link of their own organization, without a proof of the address since. */
  isGiven: boolean
  strangers: Visitor[]
  passwords: string[]
  trace: string[]
}
type Profile = { id: string; status: string }
/** Returns false if there was nothing to do. */
type Step = (walk: Walk) => Promise<boolean>

const READER = 'a sentence of the reader'
const profileIn = async ({ email }: Walk, { orgId }: TestOrganization): Promise<Profile | undefined> => {
  const [row] = await server.parley.db.query<Profile>(
    sql`select id, status from profiles where org_id = ${orgId} and email_key = ${email}`,
  )
  return row
}

const inviting =
  (org: () => TestOrganization): Step =>
  async (walk) => {
    const { status } = (await profileIn(walk, org())) ?? {}
    if (status !== undefined && status !== 'Deleted') return false
    await invite(org(), walk.email, walk.random.pick(['member', 'admin']))
    return true
  }

const moving =
  (org: () => TestOrganization, from: string[], to: string): Step =>
  async (walk) => {
    const profile = await profileIn(walk, org())
    if (!profile || !from.includes(profile.status)) return false
    return (await setStatus(org(), profile.id, to)).status === 200
  }

/** Steps of the organizations and the stranger. */
const STEPS_OF: Record<string, Step> = {
  'theirs invites': inviting(() => theirs),
  'ours invites': inviting(() => ours),
  'ours archives': moving(() => ours, ['Active', 'Pending'], 'Archived'),
  'theirs archives': moving(() => theirs, ['Active', 'Pending'], 'Archived'),
  'ours brings back': moving(() => ours, ['Archived'], 'Active'),
  'theirs brings back': moving(() => theirs, ['Archived'], 'Active'),
  'ours deletes': moving(() => ours, ['Active', 'Pending', 'Archived'], 'Deleted'),
  'an operator adds to ours as active': async (walk) => {
    const { status } = (await profileIn(walk, ours)) ?? {}
    if (status !== undefined && status !== 'Deleted') return false
    await server.parley.db.write(ours.orgId, (tx) =>
      addPerson(tx, { email: walk.email, role: 'owner', status: 'Active' }),
    )
    return true
  },
  'the stranger follows a link of theirs': async (walk) => {
    const profile = await profileIn(walk, theirs)
    if (profile?.status !== 'Pending') return false
    const password = `a sentence of a stranger ${walk.passwords.length}`
    const by = walk.random.pick([visitor(server.url), ...walk.strangers])
    const { status } = await accept(by, await handLink(theirs, profile), password)
    walk.isGiven ||= status === 200
    walk.strangers.push(by)
    walk.passwords.push(password)
    return true
  },
  'the stranger signs in': async (walk) => {
    const password = walk.random.maybePick(walk.passwords)
    if (password !== undefined) walk.strangers.push(await signInWith(server, walk.email, password))
    return password !== undefined
  },
  'the stranger changes the password': async (walk) => {
    const [by, current] = [walk.random.maybePick(walk.strangers), walk.passwords.at(-1)]
    if (!by || current === undefined) return false
    const password = `changed words ${walk.passwords.length}`
    await by.post('/people/password', { currentPassword: current, password })
    walk.passwords.push(password)
    return true
  },
  'the stranger asks for a new password': async (walk) =>
    (await visitor(server.url).post('/people/password-reset', { email: walk.email })).status === 204,
}

/** Steps of the reader of the address. */
const READER_STEPS: Record<string, Step> = {
  'the reader follows a mailed invitation': async (walk) => {
    const mails = (await mailsTo(server, walk.email)).filter(({ subject }) => subject.includes('invited'))
    const token = /#(\S+)/.exec(mails.at(-1)?.text ?? '')?.[1]
    if (token === undefined) return false
    const { status } = await accept(visitor(server.url), token, READER)
    if (status === 200) walk.isGiven = false
    return status === 200
  },
  'the reader follows a link of ours': async (walk) => {
    const profile = await profileIn(walk, ours)
    if (profile?.status !== 'Pending') return false
    await accept(visitor(server.url), await handLink(ours, profile), READER)
    return true
  },
  'the reader resets the password': async (walk) => {
    const by = visitor(server.url)
    const before = (await mailsTo(server, walk.email)).length
    await by.post('/people/password-reset', { email: walk.email })
    if ((await mailsTo(server, walk.email)).length === before) return false
    const token = await mailedToken(server, walk.email)
    const done = await by.post('/people/password-reset/finish', { token, password: READER })
    expect(done.status, walk.trace.join('\n')).toBe(200)
    return proven(walk, by)
  },
  'the reader signs on': async (walk) => {
    provider.claims = { sub: walk.email, email: walk.email, email_verified: true, name: 'Reader' }
    return proven(walk, await signOn(server, provider))
  },
}

/** A proof opens everything that the account is an active member of, and takes it from the stranger. */
async function proven(walk: Walk, by: Visitor): Promise<boolean> {
  const found = Object.values(await listed(by))
  if (found.length === 0) return false // archived where single sign-on would lead
  walk.isGiven = false
  expect(new Set(found), walk.trace.join('\n')).toEqual(new Set([undefined]))
  return true
}

/** Nothing that the stranger has kept opens an organization that did not give them a link. */
async function expectClosed(walk: Walk): Promise<void> {
  const closed = [ours, home, ...(walk.isGiven ? [] : [theirs])]
  const last = walk.passwords.slice(-2)
  const signedIn = await Promise.all(last.map((password) => signInWith(server, walk.email, password)))
  for (const by of [...walk.strangers.slice(-3), ...signedIn])
    for (const { orgId } of closed) expect(await opens(by, orgId), walk.trace.join('\n')).toBe(false)
}

it('who never read the mails of an address opens what its own links gave them, and nothing else', async () => {
  for (let number = 0; number < WALKS; number++) {
    const random = new Random(SEED, number)
    const walk: Walk = {
      random,
      email: `reader-${number}@example.com`,
      isGiven: false,
      strangers: [],
      passwords: [],
      trace: [`WALK_SEED=${SEED}, walk ${number}`],
    }
    for (let step = 0; step < STEPS; ) {
      const steps = random.chance(READER_CHANCE) ? READER_STEPS : STEPS_OF
      const name = random.pick(Object.keys(steps))
      walk.trace.push(name)
      if (!(await steps[name]?.(walk))) {
        walk.trace.pop()
        continue
      }
      step += 1
      server.clock.ahead += PAUSE_MS
      await expectClosed(walk)
    }
  }
}, 300_000)
