import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../contract/people/members.ts'
import { sql } from '../server/db/sql.ts'
import type { Answer } from './support/client.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { startIdentityProvider } from './support/identity-provider.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { type TestPerson, visitor } from './support/people.ts'

const DAY = 86_400_000
const PASSWORD = 'a long and private sentence'
const OVER = { status: 403, body: 'this link does not work any more' }

let server: TestParley
let here: TestOrganization

beforeAll(async () => {
  server = await startTestParley()
  here = await newOrganization(server, 'Lighthouse Labs')
})
afterAll(() => server.close())

const refusal = ({ status, body }: Answer) => ({ status, body })
const at = (path: string) => `/people/organizations/${here.orgId}/members${path}`
const invite = async (who: TestPerson, email: string, role = 'member'): Promise<Person> =>
  Object((await who.post(at(''), { email, role })).body)
const linkFor = (who: TestPerson, { id }: Pick<Person, 'id'>) => who.post(at(`/${id}/invitation-link`))
const tokenIn = (url: string) => new URL(url).hash.slice(1)
const look = (token: string) => visitor(server.url).post('/people/invitations/look', { token })
const accept = (token: string, by = visitor(server.url)) =>
  by.post('/people/invitations/accept', { token, name: 'Ben Ito', password: PASSWORD })

describe('an invitation link, where no mail goes out', () => {
  it('is given to an admin, replaces the one before, and makes a person a member', async () => {
    const ben = await invite(here.admin, 'ben@example.com')
    const mailed = /#(\S+)/.exec((await lastMail(server, ben.email)).text)?.[1] ?? ''
    expect((await look(mailed)).status).toBe(200)

    const { status, body } = await linkFor(here.admin, ben)
    expect(status).toBe(200)
    const { url, expiresAt } = Object(body)
    expect(url).toMatch(new RegExp(`^${server.url}/join#[A-Za-z0-9]{33}$`))
    expect(expiresAt).toBeGreaterThan(server.parley.clock() + 6.9 * DAY)
    expect(refusal(await look(mailed))).toEqual(OVER)

    const again = Object((await linkFor(here.admin, ben)).body)
    expect(refusal(await look(tokenIn(url)))).toEqual(OVER)
    expect((await accept(tokenIn(again.url))).status).toBe(200)
    expect(refusal(await accept(tokenIn(again.url)))).toEqual(OVER)
    expect(refusal(await linkFor(here.admin, ben))).toEqual({ status: 400, body: 'member is not pending' })
  })

  it('is recorded in the audit log, without the link, and in no log line', async () => {
    const person = await invite(here.admin, 'told@example.com')
    const { url } = Object((await linkFor(here.admin, person)).body)
    const { entries } = Object(
      (await here.admin.get(`/people/organizations/${here.orgId}/audit?targetId=${person.id}&limit=1`)).body,
    )
    expect(entries).toMatchObject([
      {
        action: 'member.invitation_link_made',
        actor: { id: here.admin.profileId },
        changes: [{ field: 'email', to: 'told@example.com' }],
      },
    ])
    expect(JSON.stringify(entries)).not.toContain(tokenIn(url))
    expect(server.logLines.join()).not.toContain(tokenIn(url))
  })

  it('of an owner is for owners', async () => {
    const person = await invite(here.owner, 'owner-to-be@example.com', 'owner')
    const mailed = /#(\S+)/.exec((await lastMail(server, person.email)).text)?.[1] ?? ''
    expect(refusal(await linkFor(here.admin, person))).toEqual({
      status: 403,
      body: 'only owners decide on owners',
    })
    expect((await look(mailed)).status, 'the link that was there still works').toBe(200)
    expect((await linkFor(here.owner, person)).status).toBe(200)
  })

  it('is given where mail goes out, too, and ends the one that was mailed', async () => {
    const node = await server.secondNode({ smtpUrl: 'smtp://127.0.0.1:9' })
    const person = await invite(here.admin, 'mailed@example.com')
    const admin = visitor(node.url, here.admin.cookies)
    const mailed = /#(\S+)/.exec((await lastMail(server, person.email)).text)?.[1] ?? ''
    expect((await look(mailed)).status).toBe(200)
    const made = await admin.post(at(`/${person.id}/invitation-link`))
    expect(made.status).toBe(200)
    expect((await look(mailed)).status).toBe(403)
    expect((await look(tokenIn(String(Object(made.body).url)))).status).toBe(200)
    const mail = async (url: string) => Object((await visitor(url).get('/people/session')).body).mail
    expect([await mail(server.url), await mail(node.url)]).toEqual(['outbox', 'smtp'])
  })
})

describe('an account that began with such a link', () => {
  it('belongs to the person who proves the address later', async () => {
    const provider = await startIdentityProvider()
    provider.claims = { sub: 'vera-1', email: 'vera@example.com', email_verified: true, name: 'Vera' }
    const node = await server.secondNode({
      signOn: {
        issuer: new URL(provider.url),
        clientId: provider.clientId,
        clientSecret: provider.clientSecret,
        name: 'Login',
        organizationId: here.orgId,
        domains: [],
      },
    })
    const vera = await invite(here.admin, 'vera@example.com')
    const { url } = Object((await linkFor(here.admin, vera)).body)
    const stranger = visitor(node.url)
    expect((await accept(tokenIn(url), stranger)).status).toBe(200)
    const session = async (by: typeof stranger) => Object((await by.get('/people/session')).body).account
    expect(await session(stranger)).toMatchObject({ email: 'vera@example.com' })

    const herself = visitor(node.url)
    const from = {
      headers: { origin: undefined, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
    }
    const begun = await herself.get('/people/sso', from)
    const back = await provider.visit(begun.headers.get('location') ?? '')
    await herself.get(back.pathname + back.search, from)
    expect(await session(herself)).toMatchObject({ email: 'vera@example.com' })

    expect(await session(stranger), 'signed out').toBeNull()
    const signIn = await visitor(node.url).post('/people/sign-in', {
      email: 'vera@example.com',
      password: PASSWORD,
    })
    expect(signIn.status).toBe(401)
    await provider.close()
  })

  it('keeps its ways to sign in where it began with a mail', async () => {
    const person = await invite(here.admin, 'mia@example.com')
    const mailed = /#(\S+)/.exec((await lastMail(server, person.email)).text)?.[1] ?? ''
    expect((await accept(mailed)).status).toBe(200)
    const rows = await server.parley.db.query(sql`
      select email_proven as proven from accounts where email_key in ('mia@example.com', 'ben@example.com') order by email`)
    expect(rows).toEqual([{ proven: false }, { proven: true }])
  })
})

describe('a link for a domain', () => {
  const links = () => `/people/organizations/${here.orgId}/join-links`
  const make = async (body: Record<string, unknown>) => {
    const { status, body: link, text } = await here.admin.post(links(), { domains: ['acme.test'], ...body })
    expect(status, text).toBe(201)
    return Object(link)
  }
  const ask = (url: string, email: string, by = visitor(server.url)) =>
    by.post('/people/join-links/ask', { token: tokenIn(url), email })
  const mailedTo = async (email: string) =>
    /confirm#(\S+)/.exec((await lastMail(server, email)).text)?.[1] ?? ''
  const confirm = (token: string) => visitor(server.url).post('/people/join-links/confirm', { token })
  const statusOf = async (email: string) => {
    const found = await here.admin.get(at(`?search=${email}`))
    return Object(found.body).members.map(({ status, role }: Person) => `${status} ${role}`)
  }
  const mailsTo = async (email: string) => {
    const [row] = await server.parley.db.query<{ count: number }>(
      sql`select count(*) from join_requests where email = ${email}`,
    )
    return row?.count
  }

  it('lets in who proves an address of the domain, as a member, in General as everybody', async () => {
    const general = await here.owner.post(`/people/organizations/${here.orgId}/chat/topics`, {
      name: 'General',
      open: true,
    })
    const topicId = Object(general.body).id
    await server.parley.db.query(sql`
      update topics set joined_by_default = true where org_id = ${here.orgId} and id = ${topicId}`)
    const link = await make({ domains: ['ACME.test', '@acme.test', 'münchen.example'], days: 3, maxUses: 5 })
    expect(link).toMatchObject({
      domains: ['acme.test', 'xn--mnchen-3ya.example'],
      uses: 0,
      isOpen: true,
      maxUses: 5,
    })
    expect(link.expiresAt).toBeGreaterThan(server.parley.clock() + 2.9 * DAY)
    const found = await visitor(server.url).post('/people/join-links/look', { token: tokenIn(link.url) })
    expect(found.body).toEqual({ organizationName: 'Lighthouse Labs', domains: link.domains })

    expect((await ask(link.url, 'kim@acme.test')).status).toBe(204)
    expect(await statusOf('kim@acme.test'), 'nobody sees them before').toEqual([])
    const confirmed = await confirm(await mailedTo('kim@acme.test'))
    expect(await statusOf('kim@acme.test')).toEqual(['Pending member'])
    const kim = visitor(server.url)
    expect((await accept(tokenIn(Object(confirmed.body).url), kim)).status).toBe(200)
    expect(await statusOf('kim@acme.test')).toEqual(['Active member'])
    const start = await kim.get(`/people/organizations/${here.orgId}/chat/start`)
    expect(Object(start.body).topics.map(({ id }: { id: string }) => id)).toContain(topicId)
    const { joinLinks } = Object((await here.admin.get(links())).body)
    expect(joinLinks.find(({ id }: { id: string }) => id === link.id)).toMatchObject({
      uses: 1,
      url: link.url,
    })
    const [proven] = await server.parley.db.query(sql`
      select email_proven as proven from accounts where email_key = 'kim@acme.test'`)
    expect(proven).toEqual({ proven: true })
  })

  it('refuses other domains, and says of no address what it is here', async () => {
    const link = await make({})
    for (const email of ['kim@mail.acme.test', 'kim@example.com', 'kim@acme.test.example.com'])
      expect(refusal(await ask(link.url, email)), email).toEqual({
        status: 400,
        body: 'this link is for addresses of other domains',
      })
    const gone = await invite(here.admin, 'gone@acme.test')
    await here.admin.patch(at(`/${gone.id}`), { status: 'Deleted' })
    expect((await ask(link.url, 'gone@acme.test')).status).toBe(204)
    expect((await ask(link.url, 'kim@acme.test')).status, 'a member already').toBe(204)
    expect((await lastMail(server, 'kim@acme.test')).text).toContain('You are already a member')
    await expect(lastMail(server, 'gone@acme.test')).resolves.not.toMatchObject({
      text: expect.stringContaining('/invite/confirm'),
    })
    expect(await statusOf('gone@acme.test')).toEqual([])
    for (const domains of [['acme'], ['a b.test'], ['kim@acme.test'], ['acme.test/x'], ['']])
      expect(refusal(await here.admin.post(links(), { domains })), String(domains)).toEqual({
        status: 400,
        body: 'invalid domain',
      })
    expect((await here.admin.post(links(), { domains: ['acme.test'], days: 0 })).status).toBe(400)
    expect((await here.admin.post(links(), { domains: [] })).status).toBe(400)
    expect((await here.member.post(links(), { domains: ['acme.test'] })).status).toBe(403)
  })

  it('ends with its time, its uses, and when it is revoked, also for who has asked before', async () => {
    const once = await make({ maxUses: 1 })
    await ask(once.url, 'first@acme.test')
    await ask(once.url, 'second@acme.test')
    const [first, second] = [await mailedTo('first@acme.test'), await mailedTo('second@acme.test')]
    const tries = await Promise.all([confirm(first), confirm(second)])
    expect(tries.map(({ status }) => status).toSorted(), 'one of two at once').toEqual([200, 403])
    const winner = tries[0]?.status === 200 ? first : second
    expect((await confirm(winner)).status, 'who was counted can ask again').toBe(200)
    expect(refusal(await ask(once.url, 'third@acme.test'))).toEqual(OVER)
    expect(await mailsTo('third@acme.test')).toBe(0)

    const revoked = await make({})
    await ask(revoked.url, 'late@acme.test')
    const late = await mailedTo('late@acme.test')
    expect((await here.admin.delete(`${links()}/${revoked.id}`)).status).toBe(204)
    expect(refusal(await confirm(late))).toEqual(OVER)
    expect(refusal(await here.admin.delete(`${links()}/${revoked.id}`))).toEqual({
      status: 404,
      body: 'Join link not found',
    })

    const ended = await make({ days: 1 })
    await ask(ended.url, 'slow@acme.test')
    const slow = await mailedTo('slow@acme.test')
    await server.parley.db.query(sql`update join_links set expires_at = 1 where id = ${ended.id}`)
    expect(refusal(await confirm(slow))).toEqual(OVER)
    expect(refusal(await ask(ended.url, 'slow@acme.test'))).toEqual(OVER)
    const { joinLinks } = Object((await here.admin.get(links())).body)
    const states = new Map(joinLinks.map((one: { id: string; isOpen: boolean }) => [one.id, one.isOpen]))
    expect([once, revoked, ended].map(({ id }) => states.get(id))).toEqual([false, undefined, false])
  })

  it('sends an address one mail a minute, and few in an hour', async () => {
    const link = await make({})
    for (const _ of [1, 2]) expect((await ask(link.url, 'often@acme.test')).status).toBe(204)
    expect(await mailsTo('often@acme.test')).toBe(1)
    await server.parley.db.query(sql`
      insert into join_requests (token_hash, org_id, link_id, email, email_key, expires_at, created_at)
      select sha256(n::text::bytea), ${here.orgId}, ${link.id}, 'a@acme.test', 'a@acme.test', ${server.parley.clock() + DAY},
        ${server.parley.clock()} from generate_series(1, 99) n`)
    const full = await ask(link.url, 'many@acme.test')
    expect(refusal(full)).toEqual({ status: 429, body: 'too many invitations, please wait' })
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(3000)
    expect(await mailsTo('many@acme.test')).toBe(0)
  })

  it('is recorded in the audit log, and its token appears nowhere else', async () => {
    const link = await make({})
    const { entries } = Object(
      (await here.admin.get(`/people/organizations/${here.orgId}/audit?targetType=organization&limit=1`))
        .body,
    )
    expect(entries).toMatchObject([
      { action: 'organization.join_link_made', actor: { id: here.admin.profileId } },
    ])
    expect(JSON.stringify(entries)).not.toContain(tokenIn(link.url))
    expect(server.logLines.join()).not.toContain(tokenIn(link.url))
    const { rows } = await server.parley.db.pool.query('select t::text as row from join_links t')
    expect(JSON.stringify(rows)).not.toContain(tokenIn(link.url))
  })
})
