import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { audit as auditTexts } from '../../web/src/texts/audit.ts'
import { auditDelivery } from '../../web/src/texts/audit-delivery.ts'
import { common as commonTexts } from '../../web/src/texts/common.ts'
import { ask, BROWSER, faultsInEveryLook, openStage, type Stage } from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const [t, common] = [auditDelivery.en, commonTexts.en]

/** An admin sends the audit log to other systems; each test goes on where the one before ended. */
describe.skipIf(BROWSER === undefined)('the audit log outside', () => {
  let stage: Stage
  let page: Page
  let base: string

  beforeAll(async () => {
    stage = await openStage()
    const context = await stage.visitor()
    const { organizationId } = await ask(context, stage.server.url, 'POST', '/people/setup', {
      token: stage.setupLink.split('#')[1],
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: 'four plain words here',
      botName: 'Hello bot',
    })
    base = `/console/${organizationId}`
    page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(() => stage?.close())

  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const inDialog = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })
  const isForEverybody = async (name: string) => expect(await faultsInEveryLook(page, name)).toEqual([])

  test('gives a program a token that reads it', async () => {
    await page.goto(`${base}/audit`)
    await page.getByRole('link', { name: auditTexts.en.delivery, exact: true }).click()
    await page.getByText(t.token.none).waitFor()
    await page.getByText(t.destinations.none).waitFor()
    await button(t.token.make).click()
    const token = await page.getByRole('dialog').locator('code').innerText()
    await inDialog(common.done).click()
    const read = await fetch(`${stage.server.url}/audit/v1/events`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(read.status).toBe(200)
  })

  test('adds a webhook, whose secret is shown once', async () => {
    const { adding, made } = t.destinations
    await button(t.destinations.add).click()
    await inDialog(adding.action).click()
    await page.getByText(adding.missing).waitFor()
    await page.getByLabel(adding.url).fill('https://hooks.invalid/parley')
    await inDialog(adding.action).click()
    await page.getByRole('dialog', { name: made.title }).waitFor()
    expect(await page.getByRole('dialog').locator('code').innerText()).toMatch(/^\w{20,}$/)
    await inDialog(common.done).click()
    await page.getByText('https://hooks.invalid/parley').waitFor()
  })

  test('adds a syslog receiver, and is told what is wrong with it', async () => {
    const { adding, faults } = t.destinations
    await button(t.destinations.add).click()
    await page.getByLabel(adding.kind).selectOption('syslog')
    await page.getByLabel(adding.host).fill('siem.invalid')
    await page.getByLabel(adding.ca).fill('none')
    await inDialog(adding.action).click()
    await page.getByText('Paste certificates in PEM.').waitFor()
    await isForEverybody('audit-destination-new')
    await page.getByLabel(adding.ca).fill('')
    await inDialog(adding.action).click()
    await button(t.destinations.testOne('siem.invalid:6514')).click()
    await page.getByRole('alert').getByText(faults.dns).waitFor()
    await isForEverybody('audit-delivery')
  })

  test('removes it', async () => {
    const { removeOne, remove, removing } = t.destinations
    await button(removeOne('siem.invalid:6514')).click()
    await inDialog(remove).click()
    await page.getByText(removing.done).waitFor()
    await page.getByText('siem.invalid:6514').waitFor({ state: 'detached' })
  })
})
