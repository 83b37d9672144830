import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../fuzz/random.ts'
import { type Answer, call } from '../client.ts'
import type { Nodes } from '../nodes.ts'
import { visitor } from '../people.ts'
import { type Company, topicOf } from './cast.ts'
import type { Fact } from './model.ts'
import { plainMessage, type StagedTopic } from './stage.ts'
import { type Book, isPassing, reasonOf, send } from './writers.ts'

/**
 * Longer than any fault keeps a node silent: a change that was given up and made after all, later than the next one, would turn that
 * one back.
 */
const REQUEST_LIMIT_MS = 30_000
const RETRY_MS = 30
const CHANGE_EVERY_MS = 300
const NEW_TOPIC_EVERY_MS = 700
/** Longer than a change takes to apply everywhere, so that messages are refused for certain. */
const STOPPED_MS = 3000
/** Answers after which bots are stopped. */
export const LOOP_SETTINGS = { BOT_LOOP_STOP_AFTER: '6' }
/** Turns of two bots of which the server may miss a few, since others write in between. */
const MAX_TURNS = 60

/** One request to a node. */
type Ask = (url: string, options: { signal: AbortSignal }) => Promise<Answer>
export type Administration = { book: Book; nodes: Nodes; company: Company }

/** Changes one thing after the other: guests of topics, archived topics, paused bots, names and blocked words. */
export async function administer(administration: Administration, random: Random): Promise<void> {
  const { book, nodes, company } = administration
  const { stage, administrator, orgId, keyedWriter } = company
  const change = (method: 'post' | 'patch' | 'delete', path: string, body: object) =>
    insist(administration, random.integer(0, nodes.count - 1), (url, options) => {
      const console = visitor(url, administrator.cookies)
      return console[method](`/people/organizations/${orgId}${path}`, body, options)
    })
  const changes = [
    () => {
      const topic = random.pick(stage.oldTopics)
      const [botId, isMember] = random.pick([...topic.guests])
      return toggle(isMember, (value) =>
        change(value ? 'post' : 'delete', `/topics/${topic.id}/members`, { memberIds: [botId] }),
      )
    },
    () => {
      const { id, isArchived } = random.maybePick(stage.newTopics) ?? {}
      return isArchived && toggle(isArchived, (archived) => change('patch', `/topics/${id}`, { archived }))
    },
    () => {
      const { bot, isPaused } = random.pick(stage.guests)
      return toggle(isPaused, (paused) => change('patch', `/bots/${bot.id}`, { paused }))
    },
    () => {
      const { id } = random.pick([keyedWriter, ...stage.guests.map(({ bot }) => bot)])
      return change('patch', `/bots/${id}`, { name: `Bot ${random.next()}` })
    },
    () => {
      return toggle(random.pick([...stage.words.values()]), () => {
        const blockedWords = [...stage.words].flatMap(([word, { last }]) => (last ? [word] : []))
        return change('patch', '', { blockedWords })
      })
    },
  ]
  while (book.isWriting) {
    await unlessDisturbed(async () => random.pick(changes)())
    await sleep(CHANGE_EVERY_MS)
  }
}

/** Creates one topic after the other, and writes into each at the same moment as into the older ones. */
export async function openTopics(administration: Administration, random: Random): Promise<void> {
  const { book, nodes, company } = administration
  const { stage, keyedWriter, number } = company
  for (let topicNumber = 0; book.isWriting; topicNumber++) {
    const home = random.integer(0, nodes.count - 1)
    await unlessDisturbed(async () => {
      const topic = await createTopic(administration, home, `New topic ${topicNumber}`)
      stage.open(topic)
      const text = `first message ${topicNumber} of company ${number}`
      await Promise.all(
        [topic, ...stage.oldTopics].map((each, place) =>
          send(
            book,
            { name: `opener ${place} of company ${number}`, company, nodes, home, keyed: true },
            plainMessage(each, keyedWriter, text),
          ),
        ),
      )
    })
    await sleep(NEW_TOPIC_EVERY_MS)
  }
}

/** Lets two bots answer each other until they are stopped, and then a person write. */
export async function loopAndRelease(administration: Administration, random: Random): Promise<void> {
  const { book, nodes, company } = administration
  const { stage, orgId, people } = company
  while (book.isWriting) {
    const home = random.integer(0, nodes.count - 1)
    const isDone = await unlessDisturbed(async () => {
      const topic = stage.loopTopic ?? (await createTopic(administration, home, 'Loop'))
      stage.loopTopic = topic
      await topic.areBotsStopped.change(true, () => loopUntilStopped(administration, home, topic))
      await sleep(STOPPED_MS)
      await topic.areBotsStopped.change(false, () =>
        insist(administration, home, (url, options) => {
          const body = { topicId: topic.id, text: `Released: ${randomUUID()}` }
          return visitor(url, people[0]?.cookies).post(
            `/people/organizations/${orgId}/chat/messages`,
            body,
            options,
          )
        }),
      )
    })
    // The node may count and stop the bots later: nothing is known of this topic any more.
    if (!isDone) stage.loopTopic = undefined
    await sleep(STOPPED_MS)
  }
}

/** The bots write through one node, because only the node that delivered an event to a bot recognizes its answer. */
async function loopUntilStopped(
  { nodes, company }: Administration,
  home: number,
  { id: topicId }: StagedTopic,
): Promise<void> {
  const url = nodes.url(home)
  for (let turn = 0; turn < MAX_TURNS; turn++) {
    const { credentials } = company.loopingBots[turn % 2 === 0 ? 0 : 1]
    const ask = async (method: string, path: string, body?: unknown) => {
      const signal = AbortSignal.timeout(REQUEST_LIMIT_MS)
      const answer = await call(url, credentials, method, path, { body, signal }).catch(() => undefined)
      if (!answer || isPassing(answer)) throw new Disturbed()
      return answer
    }
    await ask('GET', `/v2/topics/${topicId}/messages?limit=1`)
    const { status } = await ask('POST', '/v2/messages', { topicId, text: `Answer ${randomUUID()}` })
    if (status === 403) return
  }
  throw new Disturbed()
}

async function createTopic(administration: Administration, home: number, name: string): Promise<StagedTopic> {
  const { company } = administration
  const { credentials } = company.keyedWriter
  const headers = { 'idempotency-key': randomUUID() }
  const body = topicOf(company, name)
  const answer = await insist(administration, home, (url, options) =>
    call(url, credentials, 'POST', '/v2/topics', { body, headers, ...options }),
  )
  const { id } = Object(answer.body)
  company.topicIds.push(id)
  return company.stage.topic(id)
}

function toggle(fact: Fact, request: (value: boolean) => Promise<unknown>): Promise<void> {
  const value = !fact.last
  return fact.change(value, () => request(value))
}

/** Asks one node after the other until one does it: all that is asked here may be done twice. A refusal is a failure of its own. */
async function insist({ book, nodes }: Administration, home: number, ask: Ask): Promise<Answer> {
  for (let node = home; book.isWriting; node = (node + 1) % nodes.count) {
    const options = { signal: AbortSignal.timeout(REQUEST_LIMIT_MS) }
    const answer = await ask(nodes.url(node), options).catch(reasonOf)
    if (typeof answer !== 'string' && answer.status < 300) return answer
    if (typeof answer !== 'string' && !isPassing(answer)) {
      book.failed(`a change was answered ${answer.status} ${answer.text}`)
      break
    }
    book.failed(typeof answer === 'string' ? answer : String(answer.status))
    await sleep(RETRY_MS)
  }
  throw new Disturbed()
}

/** Something was not done, and may be done later: a fault came in between, it was refused, or the book is closed. */
class Disturbed extends Error {}

/** Tells whether it was done. */
async function unlessDisturbed(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    if (error instanceof Disturbed) return false
    throw error
  }
}
