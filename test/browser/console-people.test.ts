import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import '../../web/src/texts/account-errors.ts'
import '../../web/src/texts/console-errors.ts'
import { audit as auditTexts } from '../../web/src/texts/audit.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { consoleTopics } from '../../web/src/texts/console-topics.ts'
import { erasureTexts } from '../../web/src/texts/erasure.ts'
import { erasuresTexts } from '../../web/src/texts/erasures.ts'
import { identity } from '../../web/src/texts/identity.ts'
import { joinLinks as joinLinkTexts } from '../../web/src/texts/join-links.ts'
import { members as memberTexts } from '../../web/src/texts/members.ts'
import { readingTexts } from '../../web/src/texts/readings.ts'
import { recordsTexts } from '../../web/src/texts/records.ts'
import { settings as settingTexts } from '../../web/src/texts/settings.ts'
import { table as tableTexts } from '../../web/src/texts/table.ts'
import { topic as topicTexts } from '../../web/src/texts/topic.ts'
import { topicDetails } from '../../web/src/texts/topic-details.ts'
import {
  ask,
  BROWSER,
  chooseInRow,
  faultsInBothThemes,
  faultsInEveryLook,
  mayBeLeft,
  openStage,
  type Stage,
  takePicture,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { sentenceOf } from '../support/sentences.ts'

const [common, table, members, topics] = [commonTexts.en, tableTexts.en, memberTexts.en, consoleTopics.en]
const asking = readingTexts.de.ask
const PASSWORD = 'four plain words here'

/** An admin looks after many people and their topics; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('people and topics in the console', () => {
  let stage: Stage
  let context: BrowserContext
  let page: Page
  let organizationId: string
  let base: string
  let api: string

  beforeAll(async () => {
    stage = await openStage()
    context = await stage.visitor()
    const { url } = stage.server
    const made = await ask(context, url, 'POST', '/people/setup', {
      token: stage.setupLink.split('#')[1],
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Hello bot',
    })
    organizationId = String(made.organizationId)
    base = `/console/${organizationId}`
    api = `/people/organizations/${organizationId}`
    await stage.query(`
      insert into profiles (org_id, id, kind, name, email, email_key, status, created_at, updated_at)
      select '${organizationId}', gen_random_uuid()::text, 'user', 'Person ' || lpad(n::text, 3, '0'),
        'p' || n || '@example.com', 'p' || n || '@example.com', 'Active', n, n from generate_series(1, 120) n`)
    page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(() => stage?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  const query = () => new URL(page.url()).searchParams

  async function isForEverybody(name: string): Promise<void> {
    expect(await faultsInEveryLook(page, name)).toEqual([])
  }

  test('connects an identity provider, replaces its token, and revokes it', async () => {
    const t = identity.en.scim
    await page.goto(`${base}/identity`)
    await page.getByText(t.none).waitFor()
    await button(t.make).click()
    const shown = page.getByRole('dialog').locator('code')
    const first = await shown.innerText()
    await isForEverybody('identity-token')
    await inDialog(common.done).click()
    const asked = await fetch(`${stage.server.url}/scim/v2/Users?count=1`, {
      headers: { authorization: `Bearer ${first}` },
    })
    expect(await asked.json()).toMatchObject({ itemsPerPage: 1 })
    await button(t.replace).click()
    await isForEverybody('identity-replace')
    await inDialog(t.replacing.action).click()
    await expect.poll(() => shown.innerText()).not.toBe(first)
    await inDialog(common.done).click()
    await page.getByText(t.former, { exact: true }).waitFor()
    await isForEverybody('identity')
    await button(t.revokeOne(t.former)).click()
    await inDialog(t.revoke).click()
    await page.getByText(t.revoking.done).waitFor()
    await page.getByText(t.former, { exact: true }).waitFor({ state: 'detached' })
  })

  test('turns the pages of a long list, sorts and filters it, and finds it again by its address', async () => {
    await page.goto(`${base}/members`)
    await page.getByText(table.range(1, 50, 121), { exact: true }).waitFor()
    await isForEverybody('members-many')
    await button(table.next).click()
    await page.getByText(table.range(51, 100, 121), { exact: true }).waitFor()
    await page.reload()
    await page.getByText(table.range(51, 100, 121), { exact: true }).waitFor()
    await button(table.next).click()
    await page.getByText(table.range(101, 121, 121), { exact: true }).waitFor()
    expect(await button(table.next).isDisabled()).toBe(true)
    await button(table.previous).click()
    await page.getByText(table.range(51, 100, 121), { exact: true }).waitFor()
    await page.goBack()
    await page.getByText(table.range(101, 121, 121), { exact: true }).waitFor()

    await button(members.columns.lastSeen).click()
    await eventually(async () => query().get('sort')).toBe('lastSeen')
    await page.getByText(table.range(1, 50, 121), { exact: true }).waitFor()
    await page.locator('tbody tr').first().getByText('Ada Okafor').waitFor()
    await page.getByLabel(members.columns.role, { exact: true }).selectOption('owner')
    await page.getByText(table.range(1, 1, 1), { exact: true }).waitFor()
    await page.getByLabel(members.search).fill('nobody is called this')
    await button(table.noMatch.clear).click()
    await page.getByText(table.range(1, 50, 121), { exact: true }).waitFor()
    // A page position of another list leads to the first page.
    await page.goto(`${base}/members?at=nonsense`)
    await page.getByText(table.range(1, 50, 121), { exact: true }).waitFor()
    await eventually(async () => query().has('at')).toBe(false)
  })

  test('invites a list, and says of each line what became of it', async () => {
    await page.getByLabel(members.search).fill('ada') // a short list is looked at sooner
    await page.getByText(table.range(1, 1, 1), { exact: true }).waitFor()
    await button(members.many.open).click()
    await inDialog(members.many.action(0)).click()
    await page.getByText(members.many.missing).waitFor()
    await page
      .getByLabel(members.many.list)
      .fill(
        'name;address\nBen Ito;ben@example.com\nnot an address\n"Ode, Nia" <nia@example.com>\nada@example.com',
      )
    await isForEverybody('invite-many')
    await inDialog(members.many.action(4)).click()
    await page.getByRole('dialog', { name: members.many.report(2, 4) }).waitFor()
    const report = page.getByRole('dialog').getByRole('listitem')
    await report.filter({ hasText: 'ben@example.com' }).getByText(members.many.invited).waitFor()
    await report.filter({ hasText: 'not an address' }).getByText(sentenceOf('email_invalid', 'en')).waitFor()
    await report.filter({ hasText: 'ada@example.com' }).getByText(sentenceOf('email_known', 'en')).waitFor()
    await isForEverybody('invite-many-report')
    await inDialog(common.done).click()
    await mayBeLeft(page)
    await page.getByLabel(members.search).fill('')
    await page.getByLabel(members.status, { exact: true }).selectOption('Pending')
    await row('Ode, Nia').waitFor()
    await row('Ben Ito').waitFor()
  })

  test('makes a link for a domain, by which a person joins in German, and revokes it', async () => {
    const [t, de] = [joinLinkTexts.en, joinLinkTexts.de.join]
    await page.goto(`${base}/members`)
    await page.getByRole('link', { name: members.links }).click()
    await page.getByText(t.none.title).waitFor()
    await page.getByText(t.noMail).waitFor()
    await button(t.make).click()
    await inDialog(t.making.action).click()
    await page.getByText(t.making.domainsMissing).waitFor()
    await page.getByLabel(t.making.domains).fill('not a domain')
    await page.getByLabel(t.making.most).fill('some')
    await inDialog(t.making.action).click()
    await page.getByText(t.making.mostWrong).waitFor()
    await page.getByLabel(t.making.most).fill('1')
    await inDialog(t.making.action).click()
    await page.getByText(sentenceOf('domain_invalid', 'en')).waitFor()
    await page.getByLabel(t.making.domains).fill('a-team-with-quite-a-long-name.example, acme.example')
    await isForEverybody('join-link-make')
    await inDialog(t.making.action).click()
    const domains = 'a-team-with-quite-a-long-name.example, acme.example'
    await row(domains).getByText(t.uses(0, 1), { exact: true }).waitFor()
    await mayBeLeft(page)
    await isForEverybody('join-links')
    const { joinLinks } = await ask(context, stage.server.url, 'GET', `${api}/join-links`)
    const { url } = Object(joinLinks)[0]

    const visitor = await stage.visitor({ locale: 'de-DE' })
    const newcomer = await visitor.newPage()
    newcomer.setDefaultTimeout(PATIENCE_MS)
    await newcomer.goto(url)
    await newcomer.getByRole('heading', { level: 1, name: de.title('Lighthouse Labs') }).waitFor()
    expect(await faultsInBothThemes(newcomer, 'join-by-link')).toEqual([])
    await newcomer.getByLabel(de.email).fill('kim@elsewhere.example')
    await newcomer.getByRole('button', { name: de.action }).click()
    await newcomer.getByText(sentenceOf('email_domain_foreign', 'de')).waitFor()
    await newcomer.getByLabel(de.email).fill('kim@acme.example')
    await newcomer.getByRole('button', { name: de.action }).click()
    await newcomer.getByText(de.sent.noMail('kim@acme.example')).waitFor()
    expect(await faultsInBothThemes(newcomer, 'join-by-link-asked')).toEqual([])
    const mailed = async () =>
      /To kim@acme\.example.*?href="([^"]+\/invite\/confirm#[^"]+)"/s.exec(
        await (await visitor.request.get('/outbox')).text(),
      )?.[1]
    await eventually(mailed).toBeDefined()
    await newcomer.goto((await mailed()) ?? '')
    const joining = accountTexts.de
    await newcomer.getByLabel(joining.name, { exact: true }).fill('Kim Sander')
    await newcomer.getByLabel(joining.join.choosePassword).fill(PASSWORD)
    await newcomer.getByRole('button', { name: joining.join.action, exact: true }).click()
    await newcomer.getByRole('heading', { level: 1, name: 'General' }).waitFor()
    expect(newcomer.url()).not.toContain('#')
    await newcomer.goto(url) // used up
    await newcomer.getByRole('heading', { level: 1, name: de.refused.title }).waitFor()
    expect(await faultsInBothThemes(newcomer, 'join-by-link-refused')).toEqual([])

    await row(domains).getByText(t.states.usedUp).waitFor()
    await chooseInRow(page, domains, t.revoke.action)
    await isForEverybody('join-link-revoke')
    await inDialog(t.revoke.action).click()
    await page.getByText(t.none.title).waitFor()
    await visitor.close()
  })

  test('archives several at once, and names who was refused', async () => {
    await page.goto(`${base}/members?q=Person 00`)
    for (const name of ['Person 001', 'Person 002', 'Person 003'])
      await page.getByRole('checkbox', { name: table.select(name) }).click()
    await page.getByText(table.selected(3), { exact: true }).waitFor()
    await isForEverybody('members-selected')
    await button(members.bulk.archive.action).click()
    await page.getByRole('dialog', { name: members.bulk.archive.title(3) }).waitFor()
    // Another admin was quicker with one of them.
    const { members: found } = await ask(context, stage.server.url, 'GET', `${api}/members?search=Person 002`)
    await ask(context, stage.server.url, 'PATCH', `${api}/members/${Object(found)[0].id}`, {
      status: 'Deleted',
    })
    await inDialog(members.bulk.archive.action).click()
    await page.getByRole('dialog', { name: members.bulk.partly(2, 3) }).waitFor()
    await page.getByRole('dialog').getByText('Person 002').waitFor()
    await inDialog(common.done).click()
    await row('Person 001').getByText(common.statuses.Archived).waitFor()
    await row('Person 002').waitFor({ state: 'detached' })
    await chooseInRow(page, 'Person 001', members.restore.action)
    await row('Person 001').getByText(common.statuses.Active).waitFor()
  })

  test('looks after a topic: who is in it, who can find it, its end', async () => {
    await ask(context, stage.server.url, 'POST', `${api}/chat/topics`, { name: 'Harbour' })
    await page.goto(`${base}/topics`)
    await row('Harbour').getByText(topics.states.closed).waitFor()
    await isForEverybody('console-topics')
    await page.getByRole('link', { name: 'Harbour' }).click()
    await page.getByRole('heading', { level: 1, name: 'Harbour' }).waitFor()

    await button(topics.one.add).click()
    await inDialog(topics.one.adding.action).click()
    await page.getByRole('dialog').getByText(topics.one.adding.missing).waitFor()
    const field = page.getByRole('combobox', { name: topics.one.adding.label })
    await field.fill('p77@')
    await page.getByRole('option', { name: /Person 077/ }).click()
    await field.fill('hello')
    await page.getByRole('option', { name: /Hello bot/ }).click()
    await inDialog(topics.one.adding.action).click()
    await page.getByText(topics.one.adding.done(2)).waitFor()
    await row('Hello bot').waitFor()
    await isForEverybody('console-topic')

    await page.getByRole('checkbox', { name: table.select('Person 077') }).click()
    await button(topics.one.remove.action).click()
    await inDialog(topics.one.remove.action).click()
    await row('Person 077').waitFor({ state: 'detached' })

    await chooseInRow(page, 'Harbour', topics.open.action)
    await page.getByRole('dialog').getByText(topics.open.costs.past).waitFor()
    await isForEverybody('console-topic-open')
    await inDialog(topics.open.action).click()
    await page.getByText(new RegExp(`^${topics.states.open} ·`)).waitFor()
    const download = page.waitForEvent('download')
    await chooseInRow(page, 'Harbour', topics.export)
    expect((await download).suggestedFilename()).toMatch(/^topic-.*\.json$/)
    await chooseInRow(page, 'Harbour', topics.archive.action)
    await inDialog(topics.archive.action).click()
    await page.getByText(new RegExp(`^${topics.states.archived} ·`)).waitFor()
    expect(await button(topics.one.add).count()).toBe(0)
  })

  test('says how long messages are kept, and what that costs', async () => {
    const t = recordsTexts.en
    const { id } = await ask(context, stage.server.url, 'POST', `${api}/chat/topics`, { name: 'Quay' })
    await stage.query(`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select '${organizationId}', ('01800000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '${id}', created_by, 'text', 'old', 1, 1
      from topics, generate_series(1, 1204) n where id = '${id}'`)
    await page.goto(`${base}/records`)
    await page.getByRole('radio', { name: t.keep.days, exact: true }).check()
    await page.getByLabel(t.keep.label, { exact: true }).fill('0')
    await button(t.keep.save).click()
    await page.getByText(t.keep.invalid('36,500')).waitFor()
    await isForEverybody('records-keep')
    await page.getByLabel(t.keep.label, { exact: true }).fill('90')
    await button(t.keep.save).click()
    await page.getByRole('dialog').getByText('1,204 messages older than 90 days will be deleted.').waitFor()
    await isForEverybody('records-costs')
    const planned = async () =>
      Object((await ask(context, stage.server.url, 'GET', api)).keepMessagesNext).days
    expect(await planned()).toBe(undefined)
    await inDialog(common.cancel).click()

    await page.goto(`${base}/topics/${id}`)
    await chooseInRow(page, 'Quay', t.topic.action)
    await page.getByRole('radio', { name: t.keep.forEver, exact: true }).check()
    await isForEverybody('topic-keep')
    await inDialog(t.topic.button).click()
    await page.getByText(t.keep.forEverNow).waitFor()
    await page.goto(`${base}/records`)
    await page.getByRole('radio', { name: t.keep.days, exact: true }).check()
    await button(t.keep.save).click() // the topic says otherwise: it costs nothing
    await page.getByText(t.keep.planned).waitFor()
    expect(await planned()).toBe(90)
    await isForEverybody('records-planned')
    await button(t.keep.takeBack).click()
    await page.getByText(t.keep.takenBack).waitFor()
    expect(await planned()).toBe(undefined)
    await mayBeLeft(page)

    const pier = await ask(context, stage.server.url, 'POST', `${api}/chat/topics`, { name: 'Pier' })
    const ninety = { keepMessagesDays: 90 }
    await ask(context, stage.server.url, 'PATCH', `${api}/topics/${pier.id}`, ninety)
    await page.goto(`/t/${pier.id}?details=settings`)
    const kept = topicTexts.en.begins.kept(90)
    await page.getByRole('log').first().getByText(kept).waitFor()
    await page.getByRole('complementary').getByText(kept).waitFor()
    await isForEverybody('topic-kept')
  })

  test("exports a person's data, and deletes it after it was said what that costs, in German", async () => {
    const t = erasureTexts.de
    const german = await stage.visitor({ locale: 'de-DE' })
    await german.addCookies(await context.cookies())
    const english = page
    page = await german.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${base}/members?q=Person+119`)
    const choose = async (action: string) => {
      await page.getByRole('button', { name: tableTexts.de.actionsOf('Person 119'), exact: true }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose(t.export.action)
    await page.getByRole('dialog').getByText(asking.text).waitFor()
    await inDialog(asking.action).click()
    await page.getByRole('dialog').getByText(asking.noReason).waitFor()
    await page.getByRole('dialog').getByLabel(asking.reason, { exact: true }).fill('Sie hat danach gefragt')
    await isForEverybody('reading-ask')
    const [file] = await Promise.all([page.waitForEvent('download'), inDialog(asking.action).click()])
    const [first = ''] = (await readFile(await file.path(), 'utf8')).split('\n')
    expect(JSON.parse(first)).toMatchObject({ kind: 'members', record: { email: 'p119@example.com' } })
    await choose(t.erase.action)
    await page.getByRole('dialog').getByText(t.erase.costs.messages).waitFor()
    await isForEverybody('erase')
    await page.getByRole('checkbox', { name: t.erase.withMessages, exact: true }).click()
    await expect.poll(() => page.getByText(t.erase.costs.messages).count()).toBe(0)
    await inDialog(t.erase.action).click()
    await page.getByText(t.erase.done).waitFor()
    await page.goto(`${base}/members?status=Deleted`)
    await row(t.nameless).waitFor()
    expect(await page.getByText('Person 119').count()).toBe(0)
    await page.goto(`${base}/records`)
    await page.getByRole('region', { name: erasuresTexts.de.list }).getByText(t.nameless).waitFor()
    await isForEverybody('records-deleted')
    await german.close()
    page = english
  })

  test('sets a legal hold, exports what it keeps, and ends it, in German', async () => {
    const t = recordsTexts.de.holds
    const german = await stage.visitor({ locale: 'de-DE' })
    await german.addCookies(await context.cookies())
    const { id } = await ask(context, stage.server.url, 'POST', `${api}/chat/topics`, { name: 'Ankerplatz' })
    const english = page
    page = await german.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${base}/records`)
    await page.getByText(t.none.title).waitFor()
    await isForEverybody('records-german')
    await button(t.set).click()
    await page.getByRole('radio', { name: t.kinds.topic, exact: true }).check()
    await inDialog(t.set).click()
    await page.getByRole('dialog').getByText(t.missing).waitFor()
    await page.getByRole('combobox', { name: t.topicLabel }).fill('Anker')
    await page.getByRole('option', { name: /Ankerplatz/ }).click()
    await page.getByRole('dialog').getByLabel(t.reason, { exact: true }).fill('Akte 12/26')
    await isForEverybody('hold-set')
    await inDialog(t.set).click()
    await page.getByText(t.done).waitFor()
    await row('Ankerplatz').getByText('Akte 12/26').waitFor()
    const say = { topicId: id, text: 'Das erfährt niemand' }
    const said = await ask(context, stage.server.url, 'POST', `${api}/chat/messages`, say)
    await ask(context, stage.server.url, 'DELETE', `${api}/chat/messages/${said.id}`)
    const choose = async (action: string) => {
      await page.getByRole('button', { name: tableTexts.de.actionsOf('Ankerplatz'), exact: true }).click()
      await page.getByRole('menuitem', { name: action, exact: true }).click()
    }
    await choose(t.export)
    await page.getByRole('dialog').getByLabel(asking.reason, { exact: true }).fill('Akte 12/26')
    const [file] = await Promise.all([page.waitForEvent('download'), inDialog(asking.action).click()])
    const lines = (await readFile(await file.path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ id: said.id, state: 'deleted', text: 'Das erfährt niemand' }),
    )
    await choose(t.end.action)
    await page.getByRole('dialog').getByText(t.end.way).waitFor()
    await isForEverybody('hold-end')
    await inDialog(t.end.action).click()
    await page.getByText(t.none.title).waitFor()
    await german.close()
    page = english
  })

  test('says after how many days people sign in again', async () => {
    const { signIn } = settingTexts.en
    await page.goto(`${base}/settings`)
    await page.getByRole('radio', { name: signIn.own, exact: true }).check()
    await page.getByLabel(signIn.ownLabel, { exact: true }).fill('181')
    await button(signIn.save).click()
    await page.getByText(signIn.invalid(180)).waitFor()
    await page.getByLabel(signIn.ownLabel, { exact: true }).fill('7')
    await isForEverybody('sign-in-days')
    await button(signIn.save).click()
    await page.getByText(signIn.saved).waitFor()
    await page.reload()
    await eventually(() => page.getByLabel(signIn.ownLabel, { exact: true }).inputValue()).toBe('7')
    await page.getByRole('radio', { name: signIn.longest(180), exact: true }).check()
    await button(signIn.save).click()
    await page.getByText(signIn.saved).waitFor()
  })

  test('says for how long people edit their messages, and the chat offers it no longer', async () => {
    const { editTime } = settingTexts.en
    const { id: topicId } = await ask(context, stage.server.url, 'POST', `${api}/chat/topics`, {
      name: 'Log',
    })
    await ask(context, stage.server.url, 'POST', `${api}/chat/messages`, { topicId, text: 'Said once' })
    const menu = async () => {
      await page.goto(`/t/${topicId}`)
      const said = page.getByRole('article').filter({ hasText: 'Said once' })
      await said.hover()
      await said.getByRole('button', { name: messageTexts.en.more }).click()
      const item = (name: string) => page.getByRole('menuitem', { name })
      await item(messageTexts.en.forward).waitFor()
      return [await item(messageTexts.en.edit).count(), await item(messageTexts.en.remove).count()]
    }
    expect(await menu()).toEqual([1, 1])
    await page.goto(`${base}/settings`)
    await page.getByRole('radio', { name: editTime.some, exact: true }).check()
    await page.getByLabel(editTime.label, { exact: true }).fill('none')
    await button(editTime.save).click()
    await page.getByText(editTime.invalid(LIMITS.editMinutes)).waitFor()
    await page.getByLabel(editTime.label, { exact: true }).fill('15')
    await isForEverybody('edit-time')
    await page.getByRole('radio', { name: editTime.never, exact: true }).check()
    await button(editTime.save).click()
    await page.getByText(editTime.saved).waitFor()
    expect(await menu()).toEqual([0, 0])
    await ask(context, stage.server.url, 'PATCH', api, { editMinutes: null })
  })

  test('reads a topic with a reason, in German, after it was said what that means', async () => {
    const [de, settings] = [consoleTopics.de.content, readingTexts.de.fourEyes]
    const german = await stage.visitor({ locale: 'de-DE' })
    await german.addCookies(await context.cookies())
    const { id } = await ask(context, stage.server.url, 'POST', `${api}/chat/topics`, { name: 'Kielraum' })
    for (const text of ['Der Kiel hat einen Riss', 'שלום', 'x'.repeat(400)])
      await ask(context, stage.server.url, 'POST', `${api}/chat/messages`, { topicId: id, text })
    const english = page
    page = await german.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${base}/topics/${id}`)
    await page.getByRole('link', { name: de.open }).click()
    await page.getByText(de.warning).waitFor()
    await button(de.show).click()
    await page.getByRole('dialog').getByLabel(asking.reason, { exact: true }).fill('Akte 13/26')
    await inDialog(asking.action).click()
    await page.getByText('Der Kiel hat einen Riss').waitFor()
    await isForEverybody('topic-content')
    const [file] = await Promise.all([page.waitForEvent('download'), button(de.export).click()])
    const exported = JSON.parse(await readFile(await file.path(), 'utf8'))
    expect(exported.messages.map(({ text }: { text: string }) => text)).toContain('שלום')
    await page.goto(`${base}/audit`)
    const line = auditTexts.de.sentences['topic.content_read'].split('{what}')[0]?.replace('{who} ', '') ?? ''
    await eventually(() => page.getByText(line).count()).toBe(2)
    await page.goto(`${base}/readings`)
    await row('Kielraum').getByText('Akte 13/26').waitFor()
    await isForEverybody('readings')
    await page.getByRole('button', { name: tableTexts.de.actionsOf('Kielraum'), exact: true }).click()
    await page.getByRole('menuitem', { name: readingTexts.de.end, exact: true }).click()
    await page.getByText(readingTexts.de.ended).waitFor()

    // Four eyes need another owner.
    await page.goto(`${base}/settings`)
    await page.getByRole('switch', { name: settings.label }).click()
    await page.getByText(sentenceOf('four_eyes_owners_missing', 'de')).waitFor()
    await stage.query(`
      update profiles set role = 'owner' where org_id = '${organizationId}' and name = 'Person 001'`)
    await page.getByRole('switch', { name: settings.label }).click()
    await page.getByText(settings.turnedOn).waitFor()
    await page.getByRole('switch', { name: settings.label }).click()
    await button(settings.keep).waitFor()
    await isForEverybody('settings-german')
    await button(settings.keep).click()
    await page.getByText(settings.kept).waitFor()
    await page.goto(`${base}/topics/${id}/content`)
    await button(de.show).click()
    await page.getByRole('dialog').getByText(asking.fourEyes).waitFor()
    await page.getByRole('dialog').getByLabel(asking.reason, { exact: true }).fill('Akte 14/26')
    await inDialog(asking.action).click()
    await page.getByText(asking.waits).waitFor()
    expect(await page.getByText('Der Kiel hat einen Riss').count()).toBe(0)
    await page.goto(`${base}/readings?state=waiting`)
    await row('Kielraum').getByText(readingTexts.de.states.waiting).waitFor()
    await isForEverybody('readings-waiting')

    // Members see it in the list of a topic's members.
    await page.goto(`/t/${id}`)
    await page.getByRole('button', { name: topicTexts.de.details }).first().click()
    await page.getByText(topicDetails.de.membersAlone).waitFor()
    await takePicture(page, 'topic-details-german')
    await german.close()
    page = english
  })
})
