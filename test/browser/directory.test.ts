import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import '../../web/src/texts/account-errors.ts'
import { ask, BROWSER, faultsInEveryLook, openStage, PASSWORD, type Stage } from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { sentenceOf } from '../support/sentences.ts'
import { SLAPD, type Slapd, startSlapd } from '../support/slapd.ts'

const texts = accountTexts.en

describe.skipIf(BROWSER === undefined || SLAPD === undefined)('the page for a directory', () => {
  let slapd: Slapd
  let stage: Stage
  let page: Page

  beforeAll(async () => {
    slapd = await startSlapd(SLAPD ?? '')
    await slapd.addPerson({
      uid: 'lin',
      name: 'Lin Chen',
      mail: 'lin@example.com',
      password: 'of the company',
    })
    stage = await openStage(slapd.environment)
    const [, token] = stage.setupLink.split('#')
    await ask(await stage.visitor(), stage.server.url, 'POST', '/people/setup', {
      token,
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Hello bot',
    })
    page = await (await stage.visitor()).newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(async () => {
    await stage?.close()
    await slapd?.close()
  })

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()

  test('is reached from the sign-in page, and says what is wrong', async () => {
    await page.goto('/sign-in?to=/account')
    await page.getByRole('link', { name: texts.signIn.singleSignOn('Lighthouse directory') }).click()
    await page.getByLabel(texts.signIn.directory.login).waitFor()
    expect(await faultsInEveryLook(page, 'sign-in-directory')).toEqual([])
    await press(texts.signIn.action)
    await page.getByText(texts.signIn.directory.loginMissing).waitFor()
    await page.getByText(texts.passwordMissing).waitFor()
    await page.getByLabel(texts.signIn.directory.login).fill('lin')
    await page.getByLabel(texts.password, { exact: true }).fill('a wrong one')
    await press(texts.signIn.action)
    await page.getByText(sentenceOf('directory_sign_in_wrong', 'en')).waitFor()
    expect(await faultsInEveryLook(page, 'sign-in-directory-wrong')).toEqual([])
  })

  test('leads to where the person wanted to go', async () => {
    await page.getByLabel(texts.password, { exact: true }).fill('of the company')
    await press(texts.signIn.action)
    await page.waitForURL(({ pathname }) => pathname.endsWith('/settings/security'))
    await page.getByText('lin@example.com').first().waitFor()
  })
})
