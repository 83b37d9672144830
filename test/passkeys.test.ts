import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setMemberStatus } from '../server/actions/members/members.ts'
import { endSessions } from '../server/auth/sessions.ts'
import { sql } from '../server/db/sql.ts'
import { lockAccount } from '../server/queries/accounts/accounts.ts'
import { Authenticator } from './support/authenticator.ts'
import { organization } from './support/cast.ts'
import { whileItWaits } from './support/locks.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import {
  givePassword,
  signInAs,
  signInToProfile,
  type TestPerson,
  type Visitor,
  visitor,
} from './support/people.ts'

const MINUTE = 60_000
const PASSWORD = 'a long and private sentence'
const NOT_ADDED = { status: 400, body: 'the passkey could not be verified' }
const NOT_SIGNED_IN = { status: 401, body: 'the passkey could not be verified' }

let server: TestParley
let orgId: string
/** Passkeys need a host name; an IP address has none. */
let origin: string
beforeAll(async () => {
  server = await startTestParley()
  origin = server.url.replace('127.0.0.1', 'localhost')
  server.parley.config.baseUrl = origin
  orgId = await organization(server)
})
afterAll(() => server.close())

/** Each from an address of its own minute: a mistake of one test is not another's attempt. */
const laterOn = () => {
  server.clock.ahead += 2 * MINUTE
}

async function challengeFor(at: Visitor, path: string): Promise<string> {
  const { status, body } = await at.post(path)
  expect(status).toBe(200)
  return Object(body).challenge
}
const creationChallenge = (at: Visitor) => challengeFor(at, '/people/passkeys/options')
const requestChallenge = (at: Visitor) => challengeFor(at, '/people/passkeys/sign-in/options')
const add = (at: Visitor, response: object, name = 'Laptop') =>
  at.post('/people/passkeys', { name, response })
const signIn = (at: Visitor, response: object) => at.post('/people/passkeys/sign-in', { response })

async function withPasskey(name: string): Promise<{ owner: TestPerson; key: Authenticator; id: string }> {
  laterOn()
  const owner = await signInAs(server, { orgId, name })
  const key = new Authenticator()
  const { status, body } = await add(owner, key.create({ origin, challenge: await creationChallenge(owner) }))
  expect(status).toBe(201)
  return { owner, key, id: Object(body).id }
}

describe('adding a passkey', () => {
  it('asks for one that can be found without a name, and lists it', async () => {
    laterOn()
    const ada = await signInAs(server, { orgId, name: 'Ada' })
    const options = (await ada.post('/people/passkeys/options')).body
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Parley' },
      user: { id: Buffer.from(ada.accountId).toString('base64url'), name: 'ada@example.com' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [],
    })
    const key = new Authenticator()
    const added = await add(ada, key.create({ origin, challenge: Object(options).challenge }), 'Phone')
    expect(added).toMatchObject({ status: 201, body: { name: 'Phone' } })
    const mail = await lastMail(server, ada.email)
    expect(mail).toMatchObject({ subject: 'A passkey was added to your account on Parley' })
    expect(mail.text).toContain('"Phone"')
    expect((await ada.get('/people/account')).body).toMatchObject({
      passkeys: [{ id: Object(added.body).id, name: 'Phone', createdAt: expect.any(Number) }],
    })
    expect((await ada.post('/people/passkeys/options')).body).toMatchObject({
      excludeCredentials: [{ id: key.id.toString('base64url'), transports: ['internal'] }],
    })
  })

  it('is refused when anything about it is wrong', async () => {
    laterOn()
    const bo = await signInAs(server, { orgId, name: 'Bo' })
    const eve = await signInAs(server, { orgId, name: 'Eve' })
    const key = new Authenticator()
    const wrong: [string, (challenge: string) => object][] = [
      ['another origin', (challenge) => key.create({ origin: 'https://attacker.example', challenge })],
      ['another port', (challenge) => key.create({ origin: 'http://localhost:1', challenge })],
      ['another host', (challenge) => key.create({ origin, rpId: 'attacker.example', challenge })],
      ['another challenge', () => key.create({ origin, challenge: 'AAAA' })],
      [
        'nobody checked who holds it',
        (challenge) => key.create({ origin, challenge, isUserVerified: false }),
      ],
      ['another ceremony', (challenge) => ({ ...key.create({ origin, challenge }), id: 'AAAA' })],
    ]
    for (const [what, response] of wrong) {
      const answer = await add(bo, response(await creationChallenge(bo)))
      expect([what, answer.status, answer.body]).toEqual([what, NOT_ADDED.status, NOT_ADDED.body])
    }
    const challenge = await creationChallenge(bo)
    const response = key.create({ origin, challenge })
    const cookies = new Map(bo.cookies)
    bo.cookies.delete('parley_passkey')
    expect(await add(bo, response), 'no cookie').toMatchObject(NOT_ADDED)
    const stolen = cookies.get('parley_passkey') ?? ''
    eve.cookies.set('parley_passkey', stolen)
    expect(await add(eve, response), 'the challenge of another account').toMatchObject(NOT_ADDED)
    bo.cookies.set('parley_passkey', stolen)
    expect(await add(bo, response), 'a challenge that was used').toMatchObject(NOT_ADDED)
    expect((await bo.get('/people/account')).body).toMatchObject({ passkeys: [] })
    expect((await eve.get('/people/account')).body).toMatchObject({ passkeys: [] })
  })

  it('takes one challenge once, for five minutes, and one passkey once', async () => {
    laterOn()
    const cy = await signInAs(server, { orgId, name: 'Cy' })
    const key = new Authenticator()
    const challenge = await creationChallenge(cy)
    const copy = visitor(server.url, new Map(cy.cookies))
    const [one, two] = await Promise.all([
      add(cy, key.create({ origin, challenge })),
      add(copy, new Authenticator().create({ origin, challenge })),
    ])
    expect([one.status, two.status].sort()).toEqual([201, 400])
    const late = await creationChallenge(cy)
    server.clock.ahead += 5 * MINUTE
    expect(await add(cy, new Authenticator().create({ origin, challenge: late }))).toMatchObject(NOT_ADDED)
    const { owner, key: known } = await withPasskey('Dee')
    const again = known.create({ origin, challenge: await creationChallenge(owner) })
    expect(await add(owner, again)).toMatchObject(NOT_ADDED)
  })

  it('takes a session that has just begun', async () => {
    laterOn()
    const ned = await signInAs(server, { orgId, name: 'Ned' })
    server.clock.ahead += 14 * MINUTE
    expect((await ned.post('/people/passkeys/options')).status).toBe(200)
    server.clock.ahead += MINUTE + 1000
    expect(await ned.post('/people/passkeys/options')).toMatchObject({
      status: 403,
      body: 'sign in again first',
    })
    const again = await signInToProfile(server, ned)
    expect((await again.post('/people/passkeys/options')).status).toBe(200)
  })

  it('is refused to a session that ends in between', async () => {
    laterOn()
    const oda = await signInAs(server, { orgId, name: 'Oda' })
    const response = new Authenticator().create({ origin, challenge: await creationChallenge(oda) })
    const added = await whileItWaits(
      server,
      (open) => lockAccount(open, oda.accountId),
      () => add(oda, response),
      (open) => endSessions(open, oda.accountId),
    )
    expect(added).toMatchObject({ status: 401, body: 'sign in first' })
    const again = await signInToProfile(server, oda)
    expect((await again.get('/people/account')).body).toMatchObject({ passkeys: [] })
  })

  it('takes fifty', async () => {
    const { owner } = await withPasskey('Pam')
    await server.parley.db.query(sql`
      insert into passkeys (credential_id, id, account_id, public_key, counter, transports, name, created_at)
      select 'pamkey' || n, gen_random_uuid(), ${owner.accountId}, '', 0, '{}', 'Key', 0
      from generate_series(12, 59) n`)
    const [challenge, cookies] = [await creationChallenge(owner), new Map(owner.cookies)]
    const last = new Authenticator().create({ origin, challenge: await creationChallenge(owner) })
    expect((await add(owner, last)).status).toBe(201)
    const TOO_MANY = { status: 400, body: 'too many passkeys' }
    expect(await owner.post('/people/passkeys/options')).toMatchObject(TOO_MANY)
    const late = new Authenticator().create({ origin, challenge })
    expect(await add(visitor(server.url, cookies), late), 'begun before').toMatchObject(TOO_MANY)
  })

  it('is for who has signed in', async () => {
    const nobody = visitor(server.url)
    expect(await nobody.post('/people/passkeys/options')).toMatchObject({
      status: 401,
      body: 'sign in first',
    })
    const response = new Authenticator().create({ origin, challenge: 'AAAA' })
    expect((await add(nobody, response)).status).toBe(401)
    const ida = await signInAs(server, { orgId, name: 'Ida' })
    expect(await add(ida, {})).toMatchObject({ status: 400, body: 'id is required' })
  })
})

describe('signing in with a passkey', () => {
  it('takes nothing else, and counts', async () => {
    const { owner, key, id } = await withPasskey('Fay')
    const browser = visitor(server.url)
    const options = (await browser.post('/people/passkeys/sign-in/options')).body
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect(Object(options).allowCredentials ?? []).toEqual([])
    const proof = key.get({ origin, challenge: Object(options).challenge, userHandle: owner.accountId })
    expect(await signIn(browser, proof)).toMatchObject({
      status: 200,
      body: { account: { id: owner.accountId } },
    })
    expect((await browser.get('/people/account')).body).toMatchObject({
      passkeys: [{ id, lastUsedAt: expect.any(Number) }],
    })
    const [row] = await server.parley.db.query(sql`select counter from passkeys where id = ${id}`)
    expect(row).toEqual({ counter: 1 })
    const anew = visitor(server.url)
    expect((await signIn(anew, key.get({ origin, challenge: await requestChallenge(anew) }))).status).toBe(
      200,
    )
  })

  it('is refused when anything about it is wrong, and by a page that has no challenge', async () => {
    const { owner, key } = await withPasskey('Gus')
    const { owner: other, key: others } = await withPasskey('Hal')
    const userHandle = owner.accountId
    type Wrong = (challenge: string) => { response: Record<string, string>; id: string }
    const right: Wrong = (challenge) => key.get({ origin, challenge, userHandle })
    const wrong: [string, Wrong][] = [
      [
        'another origin',
        (challenge) => key.get({ origin: 'https://attacker.example', challenge, userHandle }),
      ],
      ['another host', (challenge) => key.get({ origin, rpId: 'attacker.example', challenge, userHandle })],
      ['another challenge', () => key.get({ origin, challenge: 'AAAA', userHandle })],
      [
        'nobody checked who holds it',
        (challenge) => key.get({ origin, challenge, userHandle, isUserVerified: false }),
      ],
      ["another's handle", (challenge) => key.get({ origin, challenge, userHandle: other.accountId })],
      ["another's key", (challenge) => ({ ...others.get({ origin, challenge }), id: right(challenge).id })],
      [
        "another's key and handle",
        (challenge) => {
          const { id } = right(challenge)
          return { ...others.get({ origin, challenge, userHandle }), id, rawId: id }
        },
      ],
      ['an unknown key', (challenge) => new Authenticator().get({ origin, challenge, userHandle })],
      [
        'a changed signature',
        (challenge) => {
          const proof = right(challenge)
          const signature = Buffer.from(proof.response.signature ?? '', 'base64url')
          signature[signature.length - 1] = (signature.at(-1) ?? 0) ^ 1
          return { ...proof, response: { ...proof.response, signature: signature.toString('base64url') } }
        },
      ],
      [
        'no signature',
        (challenge) => {
          const proof = right(challenge)
          return { ...proof, response: { ...proof.response, signature: '' } }
        },
      ],
    ]
    for (const [what, response] of wrong) {
      const browser = visitor(server.url)
      const answer = await signIn(browser, response(await requestChallenge(browser)))
      expect([what, answer.status, answer.body]).toEqual([what, NOT_SIGNED_IN.status, NOT_SIGNED_IN.body])
      expect([what, browser.cookies.size]).toEqual([what, 0])
    }
    const browser = visitor(server.url)
    const challenge = await requestChallenge(browser)
    expect(await signIn(visitor(server.url), right(challenge)), 'no cookie').toMatchObject(NOT_SIGNED_IN)
    const copy = visitor(server.url, new Map(browser.cookies))
    const proof = right(challenge)
    expect((await signIn(browser, proof)).status).toBe(200)
    expect(await signIn(copy, right(challenge)), 'a challenge that was used').toMatchObject(NOT_SIGNED_IN)
    const adding = await creationChallenge(owner)
    expect(await signIn(owner, right(adding)), 'a challenge for something else').toMatchObject(NOT_SIGNED_IN)
  })

  it('is refused to a copy, which counts from where it was made', async () => {
    const { key } = await withPasskey('Jo')
    const use = async () => {
      const browser = visitor(server.url)
      return signIn(browser, key.get({ origin, challenge: await requestChallenge(browser) }))
    }
    expect((await use()).status).toBe(200)
    expect((await use()).status).toBe(200)
    key.counter = 1
    expect(await use()).toMatchObject(NOT_SIGNED_IN)
    expect((await use()).status).toBe(200)
  })

  it('is for active members', async () => {
    const { owner, key } = await withPasskey('Kai')
    await server.parley.db.write(orgId, (tx) => setMemberStatus(tx, owner.profileId, 'Archived'))
    const browser = visitor(server.url)
    const proof = key.get({ origin, challenge: await requestChallenge(browser) })
    expect(await signIn(browser, proof)).toMatchObject(NOT_SIGNED_IN)
  })

  it('is limited for an address, as is asking for challenges', async () => {
    laterOn()
    const browser = visitor(server.url)
    const proof = new Authenticator().get({ origin, challenge: 'AAAA' })
    const answers = await Promise.all(Array.from({ length: 33 }, () => signIn(browser, proof)))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(3)
    const starts = await Promise.all(
      Array.from({ length: 62 }, () => browser.post('/people/passkeys/sign-in/options')),
    )
    expect(starts.filter(({ status }) => status === 429)).toHaveLength(2)
    const quin = await signInAs(server, { orgId, name: 'Quin' })
    expect((await quin.post('/people/passkeys/options')).status).toBe(429)
  })
})

describe('removing a passkey', () => {
  it('leaves the last one where there is no password', async () => {
    const { owner, id } = await withPasskey('Lea')
    const { owner: stranger } = await withPasskey('Max')
    const path = `/people/passkeys/${id}`
    expect(await stranger.delete(path)).toMatchObject({ status: 404, body: 'Passkey not found' })
    expect(await owner.delete(path)).toMatchObject({ status: 400, body: 'set a password first' })
    await givePassword(server, owner, PASSWORD)
    expect((await owner.delete(path)).status).toBe(204)
    const mail = await lastMail(server, owner.email)
    expect(mail).toMatchObject({ subject: 'A passkey was removed from your account on Parley' })
    expect(mail.text).toContain('"Laptop"')
    expect(await owner.delete(path)).toMatchObject({ status: 404, body: 'Passkey not found' })
  })
})
