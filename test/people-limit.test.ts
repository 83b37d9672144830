import { afterAll, beforeAll, expect, it } from 'vitest'
import { organization, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { form } from './support/forms.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'

const LIMIT = 20

let server: TestParley
let orgId: string

beforeAll(async () => {
  server = await startTestParley({ personRateLimitPerMinute: LIMIT })
  orgId = await organization(server)
})
afterAll(() => server.close())

const REFUSED = { status: 429, body: 'rate limit exceeded', code: 'rate_limited' }
const left = ({ headers }: { headers: Headers }) => Number(headers.get('ratelimit-remaining'))
const organizationOf = (who: TestPerson) => who.get(`/people/organizations/${who.orgId}/overview`)

it('counts the requests of a person by the minute, and tells how many are left', async () => {
  const ada = await signInAs(server, { orgId, name: 'Ada' })
  const first = await chatOf(ada).get('start')
  expect([first.headers.get('ratelimit-limit'), left(first)]).toEqual([String(LIMIT), LIMIT - 1])
  for (let asked = 1; asked < LIMIT; asked++)
    expect((await chatOf(ada).get('organization/labels')).status).not.toBe(429)
  const refused = await chatOf(ada).get('start')
  expect(refusal(refused)).toEqual(REFUSED)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50)
})

it('counts the chat and the console together, each person apart, and bots elsewhere', async () => {
  const [ben, cy] = [
    await signInAs(server, { orgId, name: 'Ben', role: 'admin' }),
    await signInAs(server, { orgId, name: 'Cy' }),
  ]
  const bot = await staticBot(server, orgId)
  await Promise.all(Array.from({ length: LIMIT }, () => organizationOf(ben)))
  expect(refusal(await chatOf(ben).get('start'))).toEqual(REFUSED)
  expect(refusal(await organizationOf(ben))).toEqual(REFUSED)
  expect(left(await chatOf(cy).get('start'))).toBe(LIMIT - 1)
  expect((await bot.get('/v2/members/me')).status).toBe(200)
  server.clock.ahead += 61_000
  expect((await chatOf(ben).get('start')).status).toBe(200)
})

it('counts a form once, before its files are taken', async () => {
  const dee = await signInAs(server, { orgId, name: 'Dee' })
  const topic = await chatOf(dee).post('topics', { name: 'Files' })
  const upload = () => {
    const { body, contentType } = form({ topicId: Object(topic.body).id }, [{ content: 'Notes' }])
    return chatOf(dee).post('messages', body, { headers: { 'content-type': contentType } })
  }
  const sent = await upload()
  expect([sent.status, left(sent)]).toEqual([200, LIMIT - 2])
  for (let asked = 2; asked < LIMIT; asked++) await chatOf(dee).get('start')
  expect(refusal(await upload())).toEqual(REFUSED)
})
