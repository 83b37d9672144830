import { form } from '../test/support/forms.ts'
import type { Caller } from './callers.ts'
import type { Fuzzer } from './fuzzer.ts'
import {
  hostileCode,
  hostileCsv,
  hostileMarkdown,
  hostilePage,
  MENTIONED,
  MESSAGE_LENGTH,
} from './hostile-content.ts'
import { LoopWatch } from './loop.ts'
import { type OpenPage, openPage } from './page-tasks.ts'
import { Random } from './random.ts'
import type { FuzzedServer } from './server.ts'
import { ANYONE, idIn, type Stage } from './stage.ts'

/** Number of messages. An address takes 60 calls a minute. */
const MESSAGES = 60
const FILES = 20
const WEBHOOKS = 30
const PAGES = 8
/** Topics that a page opens, each with one hostile message; it opens the one with all other messages last. */
const TOPICS = 16
/** Tries, because a busy machine is slow at times; costly content is slow each time. */
const TRIES = 3

type Piece = { name: string; send(): Promise<unknown> }
type Parts = {
  fuzzer: Fuzzer
  server: FuzzedServer
  stage: Stage
  seed: number
  /** The longest time for `/health/live` to answer, and for a page to freeze. */
  limitMs: number
}

/**
 * Sends costly texts, files, payloads and pages, and measures the effect on others: how long the server takes to say
 * that it is alive, and how long a page that shows them freezes. Returns what took too long.
 */
export async function sendHostileContent(parts: Parts): Promise<string[]> {
  const { fuzzer, stage, seed, limitMs } = parts
  const person = stage.callers.find(({ audience, seesAll }) => audience === 'person' && seesAll)
  if (!person) throw new Error('the stage has an owner')
  const topics = await makeTopics(fuzzer, stage, person)
  const pieces = piecesFor(parts, person, topics, await memberIdOf(fuzzer, stage, person))
  const watch = new LoopWatch(fuzzer.url)
  const problems: string[] = []
  let longestMs = 0
  try {
    for (const { name, send } of pieces) {
      const tookMs = await fastest(limitMs, () => watch.during(send))
      longestMs = Math.max(longestMs, tookMs)
      if (tookMs > limitMs)
        problems.push(
          `${name} of seed ${seed} holds the server up: /health/live took ${tookMs.toFixed(0)} ms`,
        )
    }
  } finally {
    await watch.end()
  }
  console.log(
    `hostile content: ${pieces.length} pieces; /health/live took ${longestMs.toFixed(0)} ms at most`,
  )
  const cookie = person
    .headers({ method: 'GET', target: '/', body: undefined })
    .find(([name]) => name === 'Cookie')
  const page = await openPage(fuzzer.url, cookie?.[1] ?? '')
  if (!page) {
    console.log('hostile content: no browser, so no page was measured')
    return problems
  }
  return [...problems, ...(await openTopics(page, topics, parts).finally(() => page.close()))]
}

/** The quickest of up to three tries; stops at the first that is quick enough. */
async function fastest(limitMs: number, measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < TRIES && least > limitMs; attempt++)
    least = Math.min(least, await measure())
  return least
}

async function memberIdOf(fuzzer: Fuzzer, { organizationId }: Stage, person: Caller): Promise<string> {
  const { body } = await fuzzer.ask(person, 'readSession')
  const { memberships }: { memberships: { organizationId: string; profileId: string }[] } =
    Object(body).account
  const membership = memberships.find((one) => one.organizationId === organizationId)
  if (!membership) throw new Error('the owner is a member')
  return membership.profileId
}

async function makeTopics(fuzzer: Fuzzer, { organizationId }: Stage, person: Caller): Promise<string[]> {
  const ids: string[] = []
  for (let number = 0; number <= TOPICS + 2; number++) {
    const body = { name: `Hostile ${number}`, members: [] }
    const made = await fuzzer.ask(person, 'createChatTopic', { path: { organizationId }, body })
    ids.push(idIn(made.body))
  }
  return ids
}

/** The first topic stays empty, the second takes files and links, the third all messages for which no other topic is left. */
function piecesFor(
  { fuzzer, server, stage, seed }: Parts,
  person: Caller,
  topics: readonly string[],
  memberId: string,
): Piece[] {
  const path = { organizationId: stage.organizationId }
  const [, rest = '', crowded = '', ...single] = topics
  const say = (text: string, topicId = rest) => {
    const body = { topicId, text: text.replaceAll(MENTIONED, memberId) }
    return fuzzer.ask(person, 'chatSendMessage', { path, body })
  }
  const several = (
    count: number,
    name: string,
    make: (random: Random, number: number) => () => Promise<unknown>,
  ) =>
    Array.from({ length: count }, (_, number): Piece => {
      const random = new Random(seed, name.length, number)
      return { name: `${name} ${number}`, send: make(random, number) }
    })
  const attach = (name: string, text: string) => {
    const { body, contentType } = form({ topicId: rest }, [{ content: text, name }])
    return fuzzer.ask(person, 'chatSendMessage', { path, form: { content: body, contentType } })
  }
  return [
    ...several(MESSAGES, 'message', (random, number) => {
      const text = `x${hostileMarkdown(random, MESSAGE_LENGTH - 1)}`
      return () => say(text, single[number] ?? crowded)
    }),
    ...several(FILES, 'file', (random) => {
      const { name, text } = random.chance(0.5)
        ? hostileCode(random)
        : { name: 'x.csv', text: hostileCsv(random) }
      return () => attach(name, text)
    }),
    ...several(WEBHOOKS, 'incoming webhook', (random) => {
      const incomingToken = String(stage.hints.incomingToken?.(random))
      const text = hostileMarkdown(random)
      const body = random.pick([
        { text: `x${text}` },
        {
          blocks: [
            { type: 'section', text: { type: 'mrkdwn', text: `x${text.slice(0, 2900).toWellFormed()}` } },
          ],
        },
        { attachments: [{ title: text.slice(0, 100).toWellFormed(), text: `x${text}` }] },
      ])
      return () => fuzzer.ask(ANYONE, 'receiveWebhook', { path: { incomingToken }, body })
    }),
    ...several(PAGES, 'link preview', (random) => {
      const html = hostilePage(random)
      // Uses a new address each time, because a page is fetched once.
      return async () => {
        const { address, fetched } = server.servePage(html)
        await say(`See ${address}`)
        await fetched
      }
    }),
  ]
}

async function openTopics(
  page: OpenPage,
  [harmless = '', , crowded = '', ...single]: readonly string[],
  { seed, limitMs }: Parts,
): Promise<string[]> {
  const problems: string[] = []
  let longestMs = 0
  await page.visit(`/t/${harmless}`)
  const hostile = [
    ...single.map((topicId, number) => [`message ${number}`, topicId] as const),
    ['the crowded topic', crowded] as const,
  ]
  for (const [name, topicId] of hostile) {
    const tookMs = await fastest(limitMs, async () => {
      const taskMs = await page.longestTaskTo(topicId)
      await page.longestTaskTo(harmless)
      return taskMs
    })
    longestMs = Math.max(longestMs, tookMs)
    if (tookMs > limitMs)
      problems.push(`${name} of seed ${seed}: the page stood still for ${tookMs.toFixed(0)} ms`)
  }
  console.log(
    `hostile content: ${hostile.length} topics opened, one of them with ${MESSAGES - TOPICS} messages; the longest task of the page took ${longestMs.toFixed(0)} ms`,
  )
  return problems
}
