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
  it('is given to an admin, takes the place of the one before, and makes somebody a member', async () => {
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

  it('is told of in the audit log, without the link, and in no log line', async () => {
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
  it('belongs to whoever proves the address later', async () => {
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
