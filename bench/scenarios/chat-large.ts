import type { Page } from 'playwright-core'
import { openBrowser, until, visitorOf, WATCH_PAGE } from '../parts/browser.ts'
import { openBackstage } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import { makeLargeOrganization } from '../parts/large.ts'
import { SESSION_COOKIE } from '../parts/requests.ts'
import type { Figure, Scenario } from '../scenario.ts'

const MEMBERS = 10_000
const TOPICS = 2000
const MESSAGES_EACH = 20
const VISITS = 5
const TEXT = 'The quick brown fox jumps over the lazy dog, and nobody minds. '
/** The page writes its state, and lists all topics, after the first messages are there. */
const SETTLE_MS = 4000
const WINDOW_MS = 1000

export const chatLarge: Scenario = {
  name: 'chat-large',
  title: `The chat of an organization with ${MEMBERS} members and ${TOPICS} topics, of which everybody is in one and the person in all`,
  target: {
    start: { valueUnder: 100 },
    'cold start': { valueUnder: 1500 },
    'warm start': { valueUnder: 600 },
    nodes: { valueUnder: 3000 },
    'member list': { valueUnder: 200 },
    'nodes with members': { valueUnder: 3000 },
    'key to frame': { p99Under: 50 },
    'own message': { p99Under: 100 },
  },
  async run(context) {
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const size = { members: MEMBERS, topics: TOPICS, messagesEach: MESSAGES_EACH }
    const { person, everybodys } = await makeLargeOrganization(backstage, size)
    const url = `http://127.0.0.1:${server.port}`
    const address = `${url}/t/${everybodys}`
    const browser = await openBrowser(context)
    return context.repeat(async () => {
      const answer = await fetch(`${url}/people/organizations/${backstage.orgId}/chat/start`, {
        headers: { Cookie: `${SESSION_COOKIE}=${person.token}` },
      })
      const kilobytes = (await answer.arrayBuffer()).byteLength / 1000
      const [cold, warm]: [number[], number[]] = [[], []]
      for (let number = 0; number < VISITS; number++) {
        const visitor = await visitorOf(browser, url, person)
        await visitor.addInitScript(WATCH_PAGE)
        for (const times of [cold, warm]) {
          const page = await visitor.newPage()
          await page.waitForTimeout(WINDOW_MS)
          times.push(await open(page, address))
          await page.waitForTimeout(SETTLE_MS)
          await page.close()
        }
        await visitor.close()
      }
      const visitor = await visitorOf(browser, url, person)
      await visitor.addInitScript(WATCH_PAGE)
      const page = await visitor.newPage()
      await open(page, address)
      await page.waitForTimeout(SETTLE_MS)
      const nodes = await countNodes(page)
      const keys = await typeText(page)
      const own = await sendOwn(page)
      const list = await openMembers(page)
      await visitor.close()
      return [
        { name: 'start', unit: 'KB', better: 'less', value: kilobytes },
        ...[times('cold start', cold), times('warm start', warm)],
        { name: 'nodes', unit: 'nodes', better: 'less', value: nodes },
        times('key to frame', keys),
        times('own message', own),
        { name: 'member list', unit: 'ms', better: 'less', value: list.ms },
        { name: 'nodes with members', unit: 'nodes', better: 'less', value: list.nodes },
      ]
    })
  },
}

function times(name: string, all: readonly number[]): Figure {
  const latency = latencyOf(all)
  return { name, unit: 'ms', better: 'less', value: latency.p50, latency }
}

const countNodes = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length')

async function open(page: Page, address: string): Promise<number> {
  await page.goto(address)
  await until(page, 'bench.firstMessageAt > 0')
  return page.evaluate<number>('bench.firstMessageAt')
}

/** Types a text. Returns the time from each key until the frame that shows it was drawn. */
async function typeText(page: Page): Promise<number[]> {
  await page.getByRole('textbox').last().click()
  await page.evaluate(`
    bench.keys = []
    addEventListener('keydown', () => {
      const at = performance.now()
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => bench.keys.push(performance.now() - at)
        port2.postMessage(undefined)
      })
    }, true)`)
  await page.keyboard.type(TEXT + TEXT, { delay: 40 })
  await until(page, `bench.keys.length >= ${2 * TEXT.length}`)
  return page.evaluate<number[]>('bench.keys')
}

const OWN_MESSAGES = 10

/** Sends messages. Returns the time from Enter until each stands in the conversation. */
async function sendOwn(page: Page): Promise<number[]> {
  const all: number[] = []
  await page.evaluate('bench.isWatching = true')
  for (let number = 0; number < OWN_MESSAGES; number++) {
    await page.evaluate('bench.painted = []')
    await page.keyboard.type(`Own message ${number}`)
    await page.keyboard.press('Enter')
    await until(page, `bench.painted.some(({ text }) => text.includes('Own message ${number}'))`)
    all.push(
      await page.evaluate<number>(
        `bench.painted.find(({ text }) => text.includes('Own message ${number}')).at - bench.enterAt`,
      ),
    )
  }
  return all
}

/** Opens the list of members. Returns the time from the press of the button until the first were painted. */
async function openMembers(page: Page): Promise<{ ms: number; nodes: number }> {
  await page.evaluate(`
    addEventListener('pointerdown', () => { bench.pressedAt = performance.now() }, true)
    new MutationObserver(() => {
      if (bench.membersAt !== undefined || !document.querySelector('aside [role=tabpanel] li')) return
      bench.membersAt = 0
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel()
        port1.onmessage = () => { bench.membersAt = performance.now() }
        port2.postMessage(undefined)
      })
    }).observe(document, { childList: true, subtree: true })`)
  await page
    .locator('main header')
    .getByRole('button', { name: /member/i })
    .first()
    .click()
  await until(page, 'bench.membersAt > 0')
  return {
    ms: await page.evaluate<number>('bench.membersAt - bench.pressedAt'),
    nodes: await countNodes(page),
  }
}
