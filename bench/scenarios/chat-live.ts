import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { openBrowser, traceTasks, until, visitorOf, WATCH_PAGE } from '../parts/browser.ts'
import { openBackstage } from '../parts/cast.ts'
import { type ChatTopic, makeChat } from '../parts/chat.ts'
import type { Child } from '../parts/child.ts'
import { latencyOf } from '../parts/histogram.ts'
import type { Load } from '../processes/load.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'

const MESSAGES = 40
const MESSAGES_QUICK = 10
const PAUSE_MS = 100
const EVENTS_PER_SECOND = 1000
const FLOOD_SECONDS = 10
const CONNECTIONS = 16
/** Tasks longer than this freeze the page noticeably. */
const FROZEN_MS = 100

export const chatLive: Scenario = {
  name: 'chat-live',
  title:
    'A message sent in one browser and painted in another; 1,000 events a second for 10 s in an open topic',
  target: {
    painted: { valueUnder: 100 },
    'longest task': { valueUnder: FROZEN_MS },
    'its work': { valueUnder: FROZEN_MS },
  },
  async run(context) {
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const load = context.startProcess<Load>('load')
    const { people, topics } = await makeChat(backstage, { people: 2, topics: 20, messagesEach: 100 })
    const [topic] = topics
    if (!topic) throw new Error('there is a topic')
    const url = `http://127.0.0.1:${server.port}`
    const browser = await openBrowser(context)
    const pages: Page[] = []
    for (const person of people) {
      const visitor = await visitorOf(browser, url, person)
      await visitor.addInitScript(WATCH_PAGE)
      const page = await visitor.newPage()
      await page.goto(`${url}/t/${topic.id}`)
      await page.getByRole('textbox').waitFor()
      pages.push(page)
    }
    const [writer, reader] = pages
    if (!writer || !reader) throw new Error('there are two people')
    return context.repeat(async () => {
      await writer.goto(`${url}/t/${topic.id}`)
      await writer.getByRole('textbox').waitFor()
      const painted = await measurePainted(context, writer, reader)
      // One browser alone is measured: another one that draws the same would take CPU time from it.
      await writer.goto('about:blank')
      return [painted, ...(await measureFlood(context, load, server.port, topic, reader))]
    })
  },
}

/** Time from the key press in one browser until the other one has painted the message. */
async function measurePainted(context: Context, writer: Page, reader: Page): Promise<Figure> {
  const times: number[] = []
  const own: number[] = []
  for (const page of [writer, reader]) await page.evaluate('bench.isWatching = true')
  for (let number = 0; number < (context.quick ? MESSAGES_QUICK : MESSAGES); number++) {
    const text = `Painted ${number} ${Math.random()}`
    await writer.getByRole('textbox').fill(text)
    await writer.keyboard.press('Enter')
    const sentAt = await writer.evaluate<number>('bench.enterAt')
    times.push((await paintedAt(reader, text)) - sentAt)
    own.push((await paintedAt(writer, text)) - sentAt)
    await sleep(PAUSE_MS)
  }
  for (const page of [writer, reader]) await page.evaluate('bench.isWatching = false; bench.painted = []')
  const latency = latencyOf(times)
  return {
    name: 'painted',
    unit: 'ms',
    better: 'less',
    value: latency.p50,
    latency,
    details: { own: latencyOf(own).p50, messages: times.length },
  }
}

async function paintedAt(page: Page, text: string): Promise<number> {
  const found = `bench.painted.find((row) => row.text.includes(${JSON.stringify(text)}))?.at`
  await until(page, found)
  return page.evaluate<number>(found)
}

/**
 * Bots say so much in the topic that is open and followed; the browser reports tasks over 50 ms. Server, database and load want
 * the same processor, so a task also waits for its turn: its work is the processor time that it had.
 */
async function measureFlood(
  context: Context,
  load: Child<Load>,
  port: number,
  topic: ChatTopic,
  reader: Page,
): Promise<Figure[]> {
  const seconds = context.quick ? context.seconds : FLOOD_SECONDS
  await reader.evaluate('bench.longTasks = []; bench.floodFrom = performance.now()')
  const tasksOf = await traceTasks(reader)
  const sent = await load.ask('run', {
    ports: [port],
    connections: CONNECTIONS,
    seconds,
    warmUpSeconds: 0,
    plan: {
      kind: 'send',
      senders: topic.bots.map((credentials) => ({ topicId: topic.id, credentials })),
      most: EVENTS_PER_SECOND * seconds,
    },
    expect: 201,
    rate: EVENTS_PER_SECOND,
  })
  const last = `document.querySelector('[data-row="${sent.ids.at(-1)}"]') !== null`
  // A frame with more messages than fit the screen stops the list before the unseen ones.
  await reader.getByRole('log').press('End')
  await until(reader, last)
  const { lastedMs, tasks } = await reader.evaluate<{ lastedMs: number; tasks: number[] }>(
    '({ lastedMs: performance.now() - bench.floodFrom, tasks: bench.longTasks.map(({ duration }) => duration) })',
  )
  const worked = await tasksOf()
  const longest: Figure = {
    name: 'longest task',
    unit: 'ms',
    better: 'less',
    value: Math.max(0, ...tasks),
    details: {
      events: sent.ids.length,
      eventsPerSecond: (sent.ids.length / lastedMs) * 1000,
      over50: tasks.length,
      over100: tasks.filter((ms) => ms > FROZEN_MS).length,
    },
  }
  return [longest, { name: 'its work', unit: 'ms', better: 'less', value: Math.max(0, ...worked) }]
}
