import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { postTo } from './support/incoming.ts'
import { SAMPLES } from './support/incoming-samples.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

let server: TestParley
let ada: TestPerson
let bot: StaticTestBot
let topicId: string

beforeAll(async () => {
  server = await startTestParley({ incomingRateLimitPerMinute: 0 })
  const orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  bot = await staticBot(server, orgId, 'Herald')
  topicId = Object((await bot.post('/v2/topics', { name: 'News', members: [ada.profileId] })).body).id
})
afterAll(() => server.close())

async function newAddress(settings: Record<string, unknown> = {}): Promise<string> {
  const path = `/people/organizations/${bot.orgId}/bots/${bot.id}/incoming-webhooks`
  const made = await ada.post(path, { topicId, name: 'Anything', ...settings })
  expect(made.status, made.text).toBe(201)
  return Object(made.body).url
}

type Message = { id: string; text: string; senderId: string; mentions: string[] }
async function newest(): Promise<Message | undefined> {
  const { messages }: { messages: Message[] } = Object(
    (await bot.get(`/v2/topics/${topicId}/messages?limit=1`)).body,
  )
  return messages[0]
}

describe('what others send', () => {
  let url: string
  beforeAll(async () => {
    url = await newAddress()
  })

  it.each(SAMPLES)('$source: $what', async ({ headers, body, text }) => {
    const before = await newest()
    const answer = await postTo(url, body, { headers: headers ?? {} })
    expect(answer.status, answer.text).toBe(200)
    expect(answer.text).toBe(text === undefined ? 'ignored' : 'ok')
    const after = await newest()
    if (text === undefined) expect(after?.id).toBe(before?.id)
    else expect(after?.text).toBe(text)
    if (text !== undefined) expect(after).toMatchObject({ senderId: bot.id, mentions: [] })
  })

  it('is a form as well as JSON', async () => {
    const payload = new URLSearchParams({ payload: JSON.stringify({ text: 'From a *form*' }) })
    const form = { contentType: 'application/x-www-form-urlencoded' }
    expect((await postTo(url, payload.toString(), form)).text).toBe('ok')
    expect((await newest())?.text).toBe('From a **form**')
    // The form that `curl -d` sends.
    expect((await postTo(url, '{"text":"From curl"}', form)).text).toBe('ok')
    expect((await newest())?.text).toBe('From curl')
  })

  it('mentions members of the topic, and no one else', async () => {
    const stranger = '11111111-2222-4333-8444-555555555555'
    const text = `<@${ada.profileId}> and <@${stranger}>`
    expect((await postTo(url, { text })).text).toBe('ok')
    expect(await newest()).toMatchObject({
      text: `<@${ada.profileId}> and <\\@${stranger}>`,
      mentions: [ada.profileId],
    })
  })

  it('is cut where it is longer than a message', async () => {
    expect((await postTo(url, { text: '🚀'.repeat(12_000) })).text).toBe('ok')
    expect(Array.from((await newest())?.text ?? '')).toHaveLength(10_000)
    const strangers = Array.from({ length: 260 }, () => `<@${crypto.randomUUID()}>`).join('')
    expect((await postTo(url, { text: strangers })).text).toBe('ok')
    const { text = '', mentions } = (await newest()) ?? {}
    expect(text.startsWith('<\\@')).toBe(true)
    expect([Array.from(text).length, mentions]).toEqual([10_000, []])
    expect((await postTo(url, '{"text":"half \\ud800 and \\u0000 nothing"}')).text).toBe('ok')
    expect((await newest())?.text).toBe('half \ufffd and  nothing')
  })
})

describe('a format that was chosen', () => {
  it('takes Markdown as it is', async () => {
    const url = await newAddress({ format: 'text' })
    await postTo(url, { text: '*one* **two** <https://example.com|x>' })
    expect((await newest())?.text).toBe('*one* **two** <https://example.com|x>')
  })

  it('fills a template', async () => {
    const template =
      '**{{ build.name }}** ({{build.tags}}): {{missing}}{{build.steps.1.name}} {{constructor.name}}'
    const url = await newAddress({ format: 'generic', template })
    const build = {
      name: 'a*b <@11111111-2222-4333-8444-555555555555>',
      tags: ['x', 2, {}],
      steps: [{}, { name: 'test' }],
    }
    expect((await postTo(url, { build })).text).toBe('ok')
    expect((await newest())?.text).toBe('**a\\*b <\\@11111111-2222-4333-8444-555555555555>** (x, 2): test')
  })

  it('does not take others', async () => {
    const url = await newAddress({ format: 'github' })
    expect(await postTo(url, { text: 'Hello' })).toMatchObject({
      status: 400,
      body: 'X-GitHub-Event is missing',
    })
    const alerts = await newAddress({ format: 'alertmanager' })
    expect(await postTo(alerts, { text: 'Hello' })).toMatchObject({
      status: 400,
      body: 'alerts must be a list',
    })
  })
})

describe('what means harm', () => {
  const deep = `${'{"text":'.repeat(50_000)}1${'}'.repeat(50_000)}`
  const HEADERS = [
    {},
    { 'X-GitHub-Event': 'push' },
    { 'X-GitHub-Event': 'pull_request' },
    { 'X-GitHub-Event': '__proto__' },
    { 'X-GitHub-Event': 'constructor' },
    { 'X-Gitlab-Event': 'Push Hook' },
    { 'X-Gitlab-Event': 'Note Hook' },
    { 'Sentry-Hook-Resource': 'issue' },
    { 'Sentry-Hook-Resource': 'toString' },
  ]
  const wrong = [1, 'text', null, [], {}, [[]], { a: [] }, true]
  const BODIES: [what: string, body: string][] = [
    ['nothing', ''],
    ['no JSON', '{'],
    ['a list', '[]'],
    ['a number', '1'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['what is deep', deep],
    ['a deep list', `{"text":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
    ['many blocks', JSON.stringify({ blocks: Array(20_000).fill({ type: 'section', text: { text: '*' } }) })],
    ['many alerts', JSON.stringify({ groupKey: '', alerts: Array(50_000).fill({}) })],
    ['many commits', JSON.stringify({ ref: 'refs/heads/x', commits: Array(50_000).fill({}) })],
    ['marks without end', JSON.stringify({ text: '*a _b ~c `d <e |'.repeat(20_000) })],
    ['spaces without end', JSON.stringify({ text: `*${' '.repeat(400_000)}*` })],
    [
      'many names',
      JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`n${i}`, i]))),
    ],
    ...wrong.map((value): [string, string] => [
      `wrong types: ${JSON.stringify(value)}`,
      JSON.stringify({
        ...Object.fromEntries(
          [
            'text',
            'blocks',
            'attachments',
            'ref',
            'commits',
            'action',
            'sender',
            'repository',
            'pull_request',
            'data',
          ].map((name) => [name, value]),
        ),
        object_kind: 'note',
        object_attributes: value,
        alerts: [value],
        groupKey: value,
      }),
    ]),
  ]

  it.each(BODIES)('is answered with 200 or 400: %s', async (_what, body) => {
    const url = await newAddress({ name: 'Hostile' }).catch(() => '')
    for (const headers of HEADERS) {
      const answer = await postTo(url, body, { headers })
      expect([200, 400], `${JSON.stringify(headers)} ${answer.text}`).toContain(answer.status)
      if (answer.status === 400) expect(answer.body).toEqual(expect.any(String))
    }
    expect(server.logLines.filter((text) => /"level":50/.test(text))).toEqual([])
    const { incomingWebhooks } = Object(
      (await ada.get(`/people/organizations/${bot.orgId}/bots/${bot.id}/incoming-webhooks`)).body,
    )
    const id = incomingWebhooks.find(({ name }: { name: string }) => name === 'Hostile').id
    await ada.delete(`/people/organizations/${bot.orgId}/bots/${bot.id}/incoming-webhooks/${id}`)
  })

  it('is refused where it is too large, or of another kind', async () => {
    const url = await newAddress()
    expect(await postTo(url, { text: 'x'.repeat(1_100_000) })).toMatchObject({
      status: 400,
      body: 'body too large',
    })
    const xml = await postTo(url, '<xml/>', { contentType: 'application/xml' })
    expect(xml.body).toBe('content type must be application/json or application/x-www-form-urlencoded')
    expect(await postTo(url, Buffer.from([0xff, 0xfe]))).toMatchObject({ status: 400 })
  })
})
