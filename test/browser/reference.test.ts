import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER, openStage, type Stage } from '../support/browser.ts'
import { PATIENCE_MS } from '../support/patience.ts'

describe.skipIf(BROWSER === undefined)('the API reference', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage?.close())

  test('is drawn, opens an operation by a click and by its address, under a strict policy', async () => {
    const visitor = await stage.visitor()
    const page = await visitor.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const complaints: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    page.on('pageerror', (error) => complaints.push(String(error)))
    const answer = await page.goto('/docs')
    expect(answer?.headers()['content-security-policy']).not.toContain('unsafe')

    await page.getByRole('heading', { name: /Parley API/ }).waitFor()
    const operation = page.locator('#operations-Messages-sendMessage')
    await operation.getByRole('button').first().click()
    await operation.getByText('Send a message', { exact: false }).first().waitFor()
    await operation.getByText('topicId', { exact: false }).first().waitFor()
    // Drawn with the style sheet, not as bare text.
    const color =
      "getComputedStyle(document.querySelector('#operations-Messages-sendMessage')).backgroundColor"
    expect(await page.evaluate(color)).not.toBe('rgba(0, 0, 0, 0)')
    await page.goto('about:blank')
    await page.goto('/docs#/Messages/sendMessage')
    await page.locator('#operations-Messages-sendMessage .opblock-body').waitFor()
    expect(complaints).toEqual([])
    await visitor.close()
  })
})
