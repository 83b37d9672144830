import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { account as accountTexts } from '../../web/src/texts/account.ts'
import { secondFactor as secondFactorTexts } from '../../web/src/texts/second-factor.ts'
import { ask, BROWSER, faultsInEveryLook, openStage, PASSWORD, type Stage } from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const proof = secondFactorTexts.en.needs.address_proof

describe.skipIf(BROWSER === undefined)('an organization that waits for a proof of the address', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  test('says so in place of its console and in the account, and a button asks for the link', async () => {
    const visitor = await stage.visitor()
    const [, token] = stage.setupLink.split('#')
    const made = await ask(visitor, stage.server.url, 'POST', '/people/setup', {
      token,
      organizationName: 'Lighthouse Labs',
      adminName: 'Ada Okafor',
      adminEmail: 'ada@example.com',
      password: PASSWORD,
      botName: 'Hello bot',
    })
    await stage.query('update profiles set needs_proof = true')
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`/console/${made.organizationId}`)
    await page.getByRole('heading', { name: /Confirm your address to open/ }).waitFor()
    expect(await faultsInEveryLook(page, 'address-proof')).toEqual([])
    await page.goto(`/o/${made.organizationId}`)
    await page.waitForURL('**/account')
    await page.getByText(proof.text).waitFor()
    expect(await faultsInEveryLook(page, 'account-address-proof')).toEqual([])
    await page.getByRole('button', { name: proof.action, exact: true }).click()
    await page.getByText(accountTexts.en.reset.noMail.sent.text('ada@example.com')).waitFor()
  })
})
