import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OPERATIONS } from '../contract/index.ts'
import { NAME_PATTERN } from '../contract/names.ts'
import type { Endpoint } from '../contract/operation.ts'
import { PEOPLE_OPERATIONS } from '../contract/people/index.ts'
import { sql } from '../server/db/sql.ts'
import { newUuid } from '../server/ids.ts'
import { mailWords } from '../server/mail/words.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { lastMail } from './support/mails.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

const SIGN_UP = '/v2/agentic/organization/create'

let server: TestParley
let orgId: string
let owner: TestPerson
let bot: StaticTestBot

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  owner = await signInAs(server, { orgId, role: 'owner' })
  bot = await staticBot(server, orgId)
})
afterAll(() => server.close())

const signUp = (fields: Record<string, unknown>): Promise<Answer> =>
  call(server.url, undefined, 'POST', SIGN_UP, {
    body: {
      companyName: 'Lighthouse Labs',
      humanEmail: `${newUuid()}@example.com`,
      companySize: 12,
      industry: 'Software',
      botName: 'Deploy bot',
      ...fields,
    },
  })

const HIDDEN = [
  ['a new line', 'Acme\nYour account is locked'],
  ['a carriage return', 'Acme\r'],
  ['a tab', 'Ac\tme'],
  ['an escape', '\u001b[31mAcme'],
  ['a delete', 'Acme\u007f'],
  ['a C1 control', 'Acme\u0085'],
  ['a line separator', 'Acme\u2028'],
  ['a paragraph separator', 'Acme\u2029'],
  ['an override of direction', 'Acme \u202efdp.exe'],
  ['an isolate', '\u2066Acme\u2069'],
  ['a space without width', 'Ac\u200bme'],
  ['a byte order mark', '\ufeffAcme'],
  ['a soft hyphen', 'Ac\u00adme'],
  ['text made of tags', 'Acme\u{e0048}\u{e0069}'],
  ['tags behind a flag that do not end', '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}'],
] as const

const WRITTEN = [
  ['accents', 'Café Größe'],
  ['Hebrew with a direction mark', 'שלום\u200f!'],
  ['Persian with a joiner', 'می\u200cخواهم'],
  ['Hindi', 'क्‍ष हिन्दी'],
  ['a Japanese name with a variant', '葛\u{e0100}城市'],
  ['a family', '👩‍👩‍👧 & Co'],
  ['a heart', '❤️'],
  ['a flag of tags', '🏴󠁧󠁢󠁥󠁮󠁧󠁿 Ltd.'],
  ['punctuation', '"\\ / <b>&amp;'],
] as const

type Naming = [what: string, field: string, send: (name: string) => Promise<Answer>]
const below = (path: string) => `/people/organizations/${orgId}/${path}`
/** Creates something to rename. */
const made = async (path: string, body: object) => Object((await owner.post(below(path), body)).body).id

const NAMINGS: readonly Naming[] = [
  ['a topic', 'name', (name) => bot.post('/v2/topics', { name, members: [] })],
  [
    'a renamed topic',
    'name',
    async (name) => {
      const { id } = Object((await bot.post('/v2/topics', { name: 'Notes', members: [] })).body)
      return bot.patch(`/v2/topics/${id}`, { name })
    },
  ],
  ['a label', 'name', (name) => bot.post('/v2/organization/labels', { name })],
  ['a company', 'companyName', (companyName) => signUp({ companyName })],
  ['an industry', 'industry', (industry) => signUp({ industry })],
  ['a bot of a company', 'botName', (botName) => signUp({ botName })],
  [
    'a label in the console',
    'name',
    (name) => owner.post(below('labels'), { name: `${name} ${newUuid()}`.slice(0, 64) }),
  ],
  [
    'a bot in the console',
    'name',
    (name) => owner.post(below('bots'), { name, credential: 'static', delivery: 'polling' }),
  ],
  ['a renamed bot', 'name', (name) => owner.patch(below(`bots/${encodeURIComponent(bot.id)}`), { name })],
  ['an org unit', 'name', (name) => owner.post(below('org-units'), { name, tag: newUuid(), type: 'Team' })],
  [
    'a renamed org unit',
    'name',
    async (name) => {
      const id = await made('org-units', { name: 'Berlin', tag: newUuid(), type: 'Location' })
      return owner.patch(below(`org-units/${id}`), { name })
    },
  ],
  [
    'an invited person',
    'name',
    (name) => owner.post(below('members'), { email: `${newUuid()}@example.com`, name }),
  ],
  ['an organization', 'name', (name) => owner.patch(`/people/organizations/${orgId}`, { name })],
  ['oneself', 'name', (name) => owner.patch(below('me'), { name })],
]

describe('a name without hidden characters', () => {
  it.each(NAMINGS)('is asked of %s, as "%s"', async (_what, field, send) => {
    for (const [why, name] of HIDDEN) {
      const { status, body } = await send(name)
      expect([why, status, body]).toEqual([why, 400, `${field} may not contain control characters`])
    }
    expect((await send(`Acme ${newUuid()}`)).status).toBeLessThan(300)
  })

  it.each(WRITTEN)('may hold %s', async (_what, name) => {
    const { status, body } = await bot.post('/v2/topics', { name, members: [] })
    expect([status, Object(body).name]).toEqual([201, name])
  })

  it('is asked of the tag of an org unit too', async () => {
    const add = (tag: string) => owner.post(below('org-units'), { name: 'Berlin', tag, type: 'Team' })
    expect(await add('ber\u202elin')).toMatchObject({
      status: 400,
      body: 'tag may not contain control characters',
    })
    expect(await add('ber lin')).toMatchObject({ status: 400, body: 'tag must be one word without @' })
    expect((await add('berlin')).status).toBe(201)
  })

  it('is asked of every name in the contract', () => {
    const named = ([...OPERATIONS, ...PEOPLE_OPERATIONS] satisfies Endpoint[]).flatMap(({ id, body }) =>
      Object.entries<{ pattern?: string; type?: string }>(Object(Object(body).properties))
        .filter(([field]) => /^name$|Name$/.test(field))
        .map(([field, { pattern }]) => ({ field: `${id}.${field}`, isChecked: pattern === NAME_PATTERN })),
    )
    expect(named.length).toBeGreaterThan(15)
    // A task's `name` is another field for its title, which is a text.
    expect(named.filter(({ isChecked }) => !isChecked).map(({ field }) => field)).toEqual([
      'updateTask.name',
      'chatUpdateTask.name',
    ])
  })

  it('is not asked of texts', async () => {
    const { id } = Object((await bot.post('/v2/topics', { name: 'Texts', members: [] })).body)
    const text = 'two\nlines \u202e\u200b'
    const { status, body } = await bot.post('/v2/messages', { topicId: id, text })
    expect(status).toBe(201)
    expect((await bot.get(`/v2/messages/${Object(body).id}`)).body).toMatchObject({ text })
  })
})

describe('a mail to a stranger', () => {
  const inviteTo = async (companyName: string) => {
    const humanEmail = `${newUuid()}@example.com`
    expect((await signUp({ companyName, humanEmail })).status).toBe(201)
    return lastMail(server, humanEmail)
  }
  /** Texts that mail programs make links of: anything with a scheme, a domain, an address or a long number. */
  const CLICKABLE = /\w+:\/\/\S+|[\p{L}\d-]+[.．。｡][\p{L}\d]{2,}|\S@\S|\d[\d\s().-]{5,}\d/gu
  const linksIn = (text: string) => text.match(CLICKABLE) ?? []

  it.each([
    'Visit http://evil.example/login now',
    'evil.example',
    'www.evil.example',
    'evil．example and evil。example',
    'write to eve@evil.example',
    'HTTPS:\\\\evil.example',
    'call +1 (900) 555-1234 today',
  ])('has one link, our own, whatever the company is called: %s', async (companyName) => {
    const { subject, text } = await inviteTo(companyName)
    expect(linksIn(companyName).length).toBeGreaterThan(0)
    expect(linksIn(subject)).toEqual([])
    const [link = ''] = /http\S+\/join#\S+/.exec(text) ?? []
    expect(link.startsWith(`${server.url}/join#`)).toBe(true)
    expect(linksIn(text.replace(link, ''))).toEqual([])
  })

  it('names the company', async () => {
    for (const [called, shown] of [
      ['Quiet & Co', 'Quiet & Co'],
      ['Acme Inc. 🚀', 'Acme Inc. 🚀'],
      ['Booking.com', 'Booking. com'],
    ] as const) {
      const { subject, text } = await inviteTo(called)
      expect(subject).toBe(`You are invited to ${shown} on Parley`)
      expect(text).toContain(`join ${shown} on Parley.`)
    }
  })

  it('is one line where a name is, though it was stored before names were checked', async () => {
    const email = `${newUuid()}@example.com`
    await server.parley.db.query(
      sql`update organizations set name = ${'Acme\r\nBcc: eve@evil.example\n\nPay now'} where org_id = ${orgId}`,
    )
    expect((await owner.post(below('members'), { email })).status).toBe(201)
    const { subject, text } = await lastMail(server, email)
    expect(subject).toBe('You are invited to Acme Bcc: eve @ evil. example Pay now on Parley')
    expect(text.split('\n')[0]).toMatch(
      / has invited you to join Acme Bcc: eve @ evil\. example Pay now on Parley\.$/,
    )
  })

  it('breaks up any text, unless it is set not to', () => {
    expect(mailWords`A ${'b.c'} and ${7}`).toBe('A b. c and 7')
  })
})
