import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renewSetupToken } from '../server/actions/installation.ts'
import { inviteMember } from '../server/actions/invitations.ts'
import { sql } from '../server/db/sql.ts'
import { organization, person } from './support/cast.ts'
import { type Answer, call } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

const run = promisify(execFile)
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const FORM = {
  organizationName: 'Lighthouse Labs',
  adminName: 'Ada Okafor',
  adminEmail: 'ada@example.com',
  botName: 'Assistant',
}

let server: TestParley

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  call(server.url, undefined, 'POST', path, { body, headers })
const renew = async () => (await server.parley.db.writeOutside(renewSetupToken)) ?? ''
const errorOf = ({ body }: Answer): string => Object(body).error

describe('the set-up link', () => {
  beforeAll(async () => {
    server = await startTestParley()
  })
  afterAll(() => server.close())

  it('is behind a page that says so, under a strict policy', async () => {
    const home = await call(server.url, undefined, 'GET', '/')
    expect(home.text).toContain('There is no organization yet')
    expect(home.text).toContain('href="/docs"')
    expect(home.text).toContain('href="/openapi.json"')
    for (const path of ['/', '/setup', '/join']) {
      const page = await call(server.url, undefined, 'GET', path)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
      )
      expect(page.headers.get('referrer-policy')).toBe('no-referrer')
      expect(page.text).not.toMatch(/<script>|<style|\s(style|on\w+)=/)
      for (const [, asset] of page.text.matchAll(/(?:src|href)="(\/pages\/[^"]+)"/g)) {
        expect((await call(server.url, undefined, 'GET', asset ?? '')).status).toBe(200)
      }
    }
  })

  it('is kept as a hash only', async () => {
    const token = await renew()
    expect(token).toMatch(/^[A-Za-z0-9]{33}$/)
    const rows = await server.parley.db.query<{ value: string }>(sql`select value from settings`)
    expect(JSON.stringify(rows)).not.toContain(token)
  })

  it.each([
    ['organizationName', '', 'Please give the name of the organization.'],
    [
      'organizationName',
      'x'.repeat(101),
      'That is too long: the name of the organization has at most 100 characters.',
    ],
    ['adminName', '  ', 'Please give your name.'],
    ['adminEmail', 'ada', 'Please give an e-mail address, such as ada@example.com.'],
    [
      'adminEmail',
      'ada@example.com\r\nBcc: eve@example.com',
      'Please give an e-mail address, such as ada@example.com.',
    ],
    ['botName', undefined, 'Please give a name for the bot.'],
    ['botName', 'a\0b', 'text must not contain NUL or lone surrogates'],
  ])('refuses %s %j', async (field, value, error) => {
    const answer = await post('/setup', { token: await renew(), ...FORM, [field]: value })
    expect(answer).toMatchObject({ status: 400, body: { error } })
  })

  it('refuses what does not come from its own page', async () => {
    const body = { token: 'guess', ...FORM }
    const foreign = await post('/setup', body, { origin: 'https://attacker.example' })
    expect(foreign).toMatchObject({
      status: 403,
      body: { error: 'This must be sent from a page of this server.' },
    })
    expect((await post('/setup', body, { origin: 'null' })).status).toBe(403)
    expect(errorOf(await post('/setup', body, { origin: server.url }))).toContain('restart')
    const form = await post('/setup', 'token=guess', { 'content-type': 'application/x-www-form-urlencoded' })
    expect(form).toMatchObject({ status: 400, body: { error: 'content type must be application/json' } })
  })

  it('works once, for one of many at once, and not for an older one', async () => {
    const older = await renew()
    const token = await renew()
    const before = await post('/setup', { token: older, ...FORM })
    expect(before.status).toBe(403)
    expect(errorOf(before)).toContain('restart it: it prints a new link')

    const answers = await Promise.all(Array.from({ length: 5 }, () => post('/setup', { token, ...FORM })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 403, 403, 403, 403])
    const made = Object(answers.find(({ status }) => status === 201)?.body)

    const key = { apiKey: made.apiKey, apiSecret: made.apiSecret }
    const admin = await call(server.url, key, 'GET', `/v2/members/${made.adminProfileId}`)
    expect(admin.body).toMatchObject({
      name: 'Ada Okafor',
      email: 'ada@example.com',
      status: 'Active',
      type: 'user',
    })
    const topic = await call(server.url, key, 'GET', `/v2/topics/${made.topicId}`)
    expect(topic.body).toMatchObject({
      name: 'General',
      memberIds: expect.arrayContaining([made.adminProfileId, made.botId]),
    })
    const sent = await call(server.url, key, 'POST', '/v2/messages', {
      body: { topicId: made.topicId, text: 'Hello' },
    })
    expect(sent.status).toBe(201)

    const { stdout } = await run('bash', ['-c', made.firstCall])
    expect(JSON.parse(stdout)).toMatchObject({ id: made.botId, name: 'Assistant', type: 'bot' })
  })

  it('is gone once there is an organization', async () => {
    expect(await renew()).toBe('')
    expect((await call(server.url, undefined, 'GET', '/')).text).not.toContain('no organization')
  })
})

describe('invitations', () => {
  let orgId: string
  beforeAll(async () => {
    server = await startTestParley()
    orgId = await organization(server, 'Mill & Sons')
  })
  afterAll(() => server.close())

  async function invite(name: string): Promise<{ token: string; id: string }> {
    const id = await person(server, orgId, name, { status: 'Pending' })
    const url = await server.parley.db.write(orgId, (tx) => inviteMember(tx, server.parley, id))
    return { token: url.split('#')[1] ?? '', id }
  }
  const stateOf = async (id: string) =>
    (
      await server.parley.db.query(
        sql`select name, status from profiles where org_id = ${orgId} and id = ${id}`,
      )
    )[0]

  it('are shown, then accepted once, under the name the person chooses', async () => {
    const { token, id } = await invite('Bo')
    expect(await post('/join/look', { token })).toMatchObject({
      status: 200,
      body: { organization: 'Mill & Sons', name: 'Bo' },
    })
    expect(await stateOf(id)).toEqual({ name: 'Bo', status: 'Pending' })
    expect(await post('/join', { token, name: ' ' })).toMatchObject({
      status: 400,
      body: { error: 'Please give your name.' },
    })
    const answers = await Promise.all([1, 2, 3].map(() => post('/join', { token, name: 'Bo Derrick' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403, 403])
    expect(await stateOf(id)).toEqual({ name: 'Bo Derrick', status: 'Active' })
  })

  it('are refused in the same words when used, expired or unknown', async () => {
    const used = await invite('Cy')
    await post('/join', { token: used.token, name: 'Cy' })
    const expired = await invite('Dee')
    server.clock.ahead = 7 * DAY + 1
    const texts = new Set<string>()
    for (const token of [used.token, expired.token, 'unknown']) {
      for (const path of ['/join/look', '/join']) {
        const answer = await post(path, { token, name: 'X' })
        expect(answer.status).toBe(403)
        texts.add(errorOf(answer))
      }
    }
    expect([...texts]).toEqual([expect.stringContaining('Ask the person who invited you')])
    expect(await stateOf(expired.id)).toEqual({ name: 'Dee', status: 'Pending' })
  })

  it('cannot be guessed for long', async () => {
    server.clock.ahead += 2 * MINUTE
    const { token } = await invite('Eve')
    for (let guess = 0; guess < 20; guess++) {
      expect((await post('/join/look', { token: `guess${guess}` })).status).toBe(403)
    }
    const late = await post('/join/look', { token })
    expect(late).toMatchObject({ status: 429, body: { error: 'Too many attempts. Please wait a minute.' } })
    expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
    server.clock.ahead += MINUTE + 1
    expect((await post('/join/look', { token })).status).toBe(200)
  })
})
