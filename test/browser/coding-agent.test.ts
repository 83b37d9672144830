import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runAgent } from '../../agent/run.ts'
import { ask, BROWSER, openStage, openTeam, type Stage, type Team, takePicture } from '../support/browser.ts'
import { ROOT } from '../support/pages.ts'
import { PATIENCE_MS } from '../support/patience.ts'

describe.skipIf(BROWSER === undefined)('a coding agent in a topic', () => {
  let stage: Stage
  let team: Team
  let page: Page
  let folder: string
  let botId: string
  let topicId: string
  let running: Promise<void>
  const stopping = new AbortController()

  beforeAll(async () => {
    stage = await openStage()
    team = await openTeam(stage, { viewport: { width: 1280, height: 900 } })
    folder = await mkdtemp(join(tmpdir(), 'parley-agent-'))
    const bot = { name: 'Coder', credential: 'static', permission: 'write', delivery: 'polling' }
    const made = await ask(team.ada, stage.server.url, 'POST', `${team.at}/bots`, bot)
    botId = String(Object(made.bot).id)
    topicId = String(
      (await team.chat(team.ada, 'POST', 'topics', { name: 'Release 1.4', members: [botId] })).id,
    )
    await new Promise<void>((resolve, reject) => {
      running = runAgent({
        command: [process.execPath, join(ROOT, 'test', 'support', 'scripted-agent.mjs')],
        folder,
        isShared: false,
        approvers: 'asker',
        askers: undefined,
        passed: [],
        environment: { PATH: process.env.PATH },
        credentials: {
          url: stage.server.url,
          apiKey: String(made.apiKey),
          apiSecret: String(made.apiSecret),
        },
        onReady: () => resolve(),
        log: () => {},
        signal: stopping.signal,
      })
      running.catch(reject)
    })
    page = await team.ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
  })
  afterAll(async () => {
    stopping.abort()
    await running
    await stage?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const row = (text: string): Locator => page.getByRole('article').filter({ hasText: text }).last()
  /** Gives the agent work, and opens the thread that it answers in. */
  async function tell(text: string): Promise<void> {
    const { id } = await team.chat(team.ada, 'POST', 'messages', { topicId, text: `<@${botId}> ${text}` })
    await page.goto(`/t/${topicId}/thread/${id}`)
  }

  test('shows its plan as steps, and asks before it acts', async () => {
    await tell('plan')
    await row('And changed it.').waitFor()
    await row('And changed it.').locator('summary').first().click()
    await row('And changed it.').getByText('Open notes.md').waitFor()
    await takePicture(page, 'coding-agent-steps')
    await tell('permit Run the tests')
    await row('The agent wants to do this').waitFor()
    await takePicture(page, 'coding-agent-approval')
    await row('The agent wants to do this').getByRole('button', { name: 'Allow', exact: true }).click()
    await row('The outcome is yes.').waitFor()
    await takePicture(page, 'coding-agent')
  })

  test('has its commands in the composer', async () => {
    await page.goto(`/t/${topicId}`)
    await page.getByRole('textbox', { name: /Release 1\.4/ }).pressSequentially('/dep')
    await page.getByRole('option').filter({ hasText: '/deploy [input]' }).waitFor()
    await takePicture(page, 'coding-agent-commands')
    expect(await page.getByRole('option').filter({ hasText: 'Deploy a version' }).count()).toBe(1)
  })
})
