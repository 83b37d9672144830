import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { members } from '../../web/src/texts/members.ts'
import { ask, BROWSER, faultsInEveryLook, openStage, PASSWORD, type Stage } from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { type SmtpReceiver, startSmtpReceiver } from '../support/smtp.ts'

const t = members.en.missing
const PER_HOUR = LIMITS.askedInvitationsPerHour

describe.skipIf(BROWSER === undefined)('people who were imported', () => {
  let stage: Stage
  let mails: SmtpReceiver
  beforeAll(async () => {
    mails = await startSmtpReceiver()
    stage = await openStage({ SMTP_URL: mails.url, MAIL_FROM: 'Parley <parley@example.com>' })
  })
  afterAll(async () => {
    await stage?.close()
    await mails?.close()
  })

  test('are invited with two clicks, as many as go out in an hour, until an admin stops it', async () => {
    const visitor = await stage.visitor()
    const made = await ask(visitor, stage.server.url, 'POST', '/people/setup', {
      token: stage.setupLink.split('#')[1],
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Hello bot',
    })
    const api = `/people/organizations/${made.organizationId}`
    const count = PER_HOUR + 5
    await stage.query(`
      insert into profiles (org_id, id, kind, name, email, email_key, status, created_at, updated_at)
      select '${made.organizationId}', gen_random_uuid()::text, 'user', 'Person ' || lpad(n::text, 3, '0'),
        'p' || n || '@example.com', 'p' || n || '@example.com', 'Pending', n, n from generate_series(1, ${count}) n`)
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const isForEverybody = async (name: string) =>
      expect(await faultsInEveryLook(page, `invitations-${name}`)).toEqual([])
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.goto(`/console/${made.organizationId}/members`)
    await page.getByText(t.count(count)).waitFor()
    await page.getByRole('row').filter({ hasText: members.en.notInvited }).first().waitFor()
    await isForEverybody('missing')
    await button(t.action).click()
    await page.getByRole('dialog', { name: t.title(count) }).waitFor()
    await isForEverybody('asked')
    await button(t.send).click()
    await page.getByText(t.waiting(5)).waitFor()
    await page.getByText(t.next).waitFor()
    await isForEverybody('waiting')
    await eventually(async () => mails.received.length).toBe(PER_HOUR)
    const listed = await ask(visitor, stage.server.url, 'GET', `${api}/members?status=Pending&limit=100`)
    // Any five of them may wait, also those whom the first page of the list does not have.
    const people: { name: string; invitationDueAt?: number }[] = Object(listed).members
    const waiting = people.filter(({ invitationDueAt }) => invitationDueAt !== undefined)
    expect(waiting).toHaveLength(5)
    const name = String(waiting[0]?.name)
    await page.getByLabel(members.en.search).fill(name)
    await page
      .getByRole('row', { name: new RegExp(name) })
      .filter({ hasText: members.en.waits })
      .waitFor()
    await page.getByLabel(members.en.search).fill('')
    await page.getByText(t.waiting(5)).waitFor()
    await button(t.stop).click()
    await page.getByText(t.stopped).waitFor()
    await page.getByText(t.count(5)).waitFor()
    await eventually(() => page.getByText(t.waiting(5)).count()).toBe(0)
    expect(mails.received).toHaveLength(PER_HOUR)
    expect(new Set(mails.received.map(({ to }) => String(to))).size).toBe(PER_HOUR)
    expect(mails.received[0]?.data).toContain('Ada Okafor has invited you')
  })
})
