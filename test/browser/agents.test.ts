import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { textOf } from '../../contract/refusals/index.ts'
import { buildLibrary } from '../../sdk/build.mjs'
import { connect, createBot, ParleyError } from '../../sdk/index.ts'
import { composerTexts } from '../../web/src/texts/chat-composer.ts'
import { conversationTexts } from '../../web/src/texts/chat-conversation.ts'
import { messageTexts } from '../../web/src/texts/chat-message.ts'
import { topicDetails } from '../../web/src/texts/topic-details.ts'
import {
  ask,
  BROWSER,
  faults,
  openStage,
  openTeam,
  type Stage,
  type Team,
  takePicture,
} from '../support/browser.ts'
import { eventually } from '../support/eventually.ts'
import { ROOT, readPage } from '../support/pages.ts'
import { PATIENCE_MS } from '../support/patience.ts'
import { isInstalled } from '../support/programs.ts'
import { PYTHON_ENVIRONMENT } from '../support/python.ts'
import { kill } from '../support/server-process.ts'
import { itAtNight } from '../support/thorough.ts'

/** The programs of the page, each under its heading. */
const AGENTS = {
  Writer: { heading: 'Answer while you think', program: process.execPath, file: 'writer.mjs' },
  Deployer: { heading: 'Ask before you act', program: 'python3', file: 'deployer.py' },
  Planner: { heading: 'Only an MCP client', program: process.execPath, file: 'planner.mjs' },
} as const
type Agent = keyof typeof AGENTS

const CAN_RUN = BROWSER !== undefined && isInstalled('python3')

describe.skipIf(!CAN_RUN)('three agents of the page in one topic', () => {
  let stage: Stage
  let team: Team
  let page: Page
  let folder: string
  let topicId: string
  const keys = new Map<Agent, Record<string, string>>()
  const running = new Map<Agent, ChildProcess>()

  beforeAll(async () => {
    const loops = { BOT_LOOP_SLOW_AFTER: '6', BOT_LOOP_STOP_AFTER: '10', BOT_LOOP_PAUSE_SECONDS: '1' }
    stage = await openStage(loops)
    team = await openTeam(stage, { viewport: { width: 1280, height: 900 } })
    folder = await mkdtemp(join(tmpdir(), 'parley-agents-'))
    await layOut()
    const members: string[] = []
    for (const name of ['Writer', 'Deployer', 'Planner'] as const) {
      const { id, apiKey, apiSecret } = await createBotNamed(name)
      members.push(id)
      keys.set(name, { PARLEY_API_KEY: apiKey, PARLEY_API_SECRET: apiSecret })
    }
    topicId = String((await team.chat(team.ada, 'POST', 'topics', { name: 'Release 1.4', members })).id)
    for (const name of keys.keys()) start(name)
    page = await team.ada.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`/t/${topicId}`)
  })
  afterAll(async () => {
    for (const agent of running.values()) await kill(agent)
    await stage?.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  async function createBotNamed(name: string): Promise<{ id: string; apiKey: string; apiSecret: string }> {
    const bot = { name, credential: 'static', permission: 'write', delivery: 'polling' }
    const made = await ask(team.ada, stage.server.url, 'POST', `${team.at}/bots`, bot)
    const { apiKey, apiSecret } = made
    return { id: String(Object(made.bot).id), apiKey: String(apiKey), apiSecret: String(apiSecret) }
  }

  /** A folder as the page wants it: the programs, the library beside them, and what `npm install` would have put there. */
  async function layOut(): Promise<void> {
    const { sections } = readPage('docs/agents.md')
    for (const { heading, file } of Object.values(AGENTS)) {
      const [program] = sections.find((section) => section.heading === heading)?.fences ?? []
      await writeFile(join(folder, file), program?.text ?? '')
    }
    await buildLibrary(join(folder, 'parley.mjs'))
    const installed = join(folder, 'node_modules')
    await mkdir(join(installed, '.bin'), { recursive: true })
    await writeFile(join(folder, 'package.json'), '{}')
    await symlink(join(ROOT, 'bin/parley.mjs'), join(installed, '.bin/parley'))
    await symlink(join(ROOT, 'node_modules/@modelcontextprotocol'), join(installed, '@modelcontextprotocol'))
  }

  function start(name: Agent): void {
    const { program, file } = AGENTS[name]
    const env = { ...PYTHON_ENVIRONMENT, PARLEY_URL: stage.server.url, ...keys.get(name) }
    running.set(name, spawn(program, [file], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'] }))
  }

  const rows = (): Locator => page.getByRole('main').getByRole('article')
  const row = (text: string): Locator => rows().filter({ hasText: text }).last()
  const replies = (): Locator =>
    page.getByRole('log', { name: conversationTexts.en.threadMessages }).getByRole('article')
  const reply = (text: string): Locator => replies().filter({ hasText: text }).last()
  const field = (name: string = composerTexts.en.message('Release 1.4')): Locator =>
    page.getByRole('textbox', { name, exact: true })
  const replyField = (): Locator => field(composerTexts.en.replyIn)
  const openThread = (question: string): Promise<void> =>
    row(question)
      .getByRole('button', { name: conversationTexts.en.replies(1) })
      .click()
  async function say(text: string): Promise<void> {
    await field().fill(text)
    await field().press('Enter')
    await row(text).waitFor()
  }
  /** Writes a mention as people do, by choosing a suggestion. */
  async function tell(name: Agent, text: string, into = field()): Promise<void> {
    await into.pressSequentially(`@${name}`)
    await page.getByRole('option', { name }).first().waitFor()
    await into.press('Enter')
    await into.pressSequentially(text)
    await into.press('Enter')
    await page.getByRole('article').filter({ hasText: text }).last().waitFor()
  }
  const textsOf = async (name: Agent): Promise<string[]> => {
    const { PARLEY_API_KEY: apiKey = '', PARLEY_API_SECRET: apiSecret = '' } = keys.get(name) ?? {}
    const agent = connect({ url: stage.server.url, apiKey, apiSecret })
    const { id: senderId } = await agent.readMe()
    const query = { senderId, order: 'asc' as const, limit: 100 }
    const { messages } = await agent.listMessages({ params: { topicId }, query })
    return messages.map(({ text = '' }) => text)
  }

  test('one answers in the thread of its question, bit by bit', async () => {
    await tell('Writer', 'what is new?')
    await openThread('what is new?')
    await reply('You asked').waitFor()
    await reply('You asked: what is new?').waitFor()
    await eventually(() => textsOf('Writer')).toEqual(['You asked: what is new?'])
    expect(await replies().filter({ hasText: 'You asked' }).count()).toBe(1)
    expect(await rows().filter({ hasText: 'You asked' }).count()).toBe(0)
  })

  test('one asks an admin before it acts, and the audit log knows who said yes', async () => {
    await field().pressSequentially('/dep')
    await page.getByRole('option').filter({ hasText: '/deploy [version]' }).waitFor()
    await field().press('Enter')
    await field().pressSequentially('1.4')
    await field().press('Enter')
    await openThread('/deploy 1.4')
    await reply('Deploy 1.4?').getByRole('button', { name: 'Deploy', exact: true }).click()
    await reply('Deployed, as Ada Okafor said.').waitFor()
    await eventually(async () => {
      const { entries } = await ask(team.ada, stage.server.url, 'GET', `${team.at}/audit?limit=20`)
      return JSON.stringify(entries)
    }).toContain('Deploy 1.4?')
  })

  test('one reads the topic by MCP and makes a task of what is there', async () => {
    await say('To do: Write the notes')
    await tell('Planner', 'please plan this.')
    const task = rows().filter({ hasText: 'Write the notes' }).filter({ hasText: 'Planner' })
    await task.waitFor()
    const { tasks } = await team.chat(team.ada, 'GET', `tasks?topicId=${topicId}`)
    expect(Object(tasks).map(({ title }: { title: string }) => title)).toEqual(['Write the notes'])
    await takePicture(page, 'agents')
    expect(await faults(page)).toEqual([])
  })

  test('one that is killed in the middle of an answer goes on with it, without a gap and without a repetition', async () => {
    await openThread('what is new?')
    await reply('what is new?').waitFor()
    await tell('Writer', 'first?', replyField())
    await reply('You asked').and(page.locator('[aria-busy=true]')).waitFor()
    const writer = running.get('Writer')
    if (writer) await kill(writer)
    await tell('Writer', 'second?', replyField())
    await tell('Writer', 'third?', replyField())
    start('Writer')
    const answers = ['what is new?', 'first?', 'second?', 'third?'].map(
      (question) => `You asked: ${question}`,
    )
    await eventually(() => textsOf('Writer')).toEqual(answers)
    await reply('You asked: third?').waitFor()
    await eventually(() =>
      page.getByRole('article').filter({ hasText: messageTexts.en.writing }).count(),
    ).toBe(0)
    expect(await textsOf('Writer')).toEqual(answers)
  })

  // The gate has the same with two bots that call the API themselves: `bots.test.ts`.
  itAtNight('two that greet each other are stopped, until a person lets them go on', async () => {
    const greeters = [await createBotNamed('Ping'), await createBotNamed('Pong')]
    const members = greeters.map(({ id }) => id)
    const greetings = String((await team.chat(team.ada, 'POST', 'topics', { name: 'Greetings', members })).id)
    const refusals: string[] = []
    const bots = greeters.map(({ apiKey, apiSecret }) => {
      const bot = createBot({
        url: stage.server.url,
        apiKey,
        apiSecret,
        onError: (error) => refusals.push(error instanceof ParleyError ? error.refusal : String(error)),
      })
      bot.on('message', async ({ message: { topicId }, parley }) => {
        if (topicId === greetings) await parley.sendMessage({ body: { topicId, text: 'Hello!' } })
      })
      return { bot, ended: bot.start() }
    })
    await page.goto(`/t/${greetings}`)
    await page.getByRole('textbox').first().fill('Good morning')
    await page.getByRole('textbox').first().press('Enter')
    const { lead, release } = topicDetails.en.botsStopped
    await page.getByText(lead).waitFor()
    await eventually(async () => refusals).toContain(textOf('bots_stopped'))
    await takePicture(page, 'agents-stopped')
    expect(await faults(page)).toEqual([])
    await page.getByRole('button', { name: release }).click()
    await page.getByText(lead).waitFor({ state: 'detached' })
    for (const { bot } of bots) bot.stop()
    await Promise.all(bots.map(({ ended }) => ended))
  })
})
