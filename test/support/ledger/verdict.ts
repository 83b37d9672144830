import { isDeepStrictEqual } from 'node:util'
import { call } from '../client.ts'
import type { Company } from './cast.ts'
import type { Heard, Listener } from './listeners.ts'
import type { Acknowledged, Book } from './writers.ts'

/** Failures that a request may get during a fault. */
const EXPECTED_FAILURES = ['cut', '429', '500', '503']

export type Listed = Heard & { text: string; createdAt: number }

/** All counts but those in `amounts` must be zero. */
export type Verdict = {
  amounts: {
    acknowledged: number
    /** Refusals that were the only right answer, by their text. */
    rightlyRefused: Record<string, number>
    /** Answers to messages that could be answered in one way only, and to those that were sent while something changed. */
    certain: number
    uncertain: number
    /** How far a `createdAt` lay outside of the time between sending and acknowledgement, by the clock of the writers. */
    clockOffMs: number
  }
  /** Refusals of messages that were allowed, or that had to be refused otherwise, by what was answered instead of what. */
  wronglyRefused: Record<string, number>
  /** Messages that were accepted and had to be refused. */
  wronglyLetThrough: Record<string, number>
  /** Failed requests that a fault does not explain. */
  unexpected: string[]
  /** Acknowledged messages that are in no list. */
  missingInLists: number
  /** Listed messages that a listener never got, by its name. */
  missingAtListeners: Record<string, number>
  /** Messages that a listener got and no list has. */
  unknownToLists: number
  /** Texts that are in the lists more than once. */
  twiceInLists: number
  /** Messages that an ordered listener got more than once. */
  twiceAtListeners: number
  /** Neighbours that came in another order than in the list. */
  disorderedAtListeners: number
  /** Acknowledgements of one writer in another order than in the list. */
  disorderedWriters: number
  /** Neighbours in a list of which the second is older. */
  disorderedTimes: number
}

/** The required part of a ledger, besides its amounts and times. */
export const FLAWLESS = {
  verdict: {
    unexpected: [],
    wronglyRefused: {},
    wronglyLetThrough: {},
    missingInLists: 0,
    missingAtListeners: {},
    unknownToLists: 0,
    twiceInLists: 0,
    twiceAtListeners: 0,
    disorderedAtListeners: 0,
    disorderedWriters: 0,
    disorderedTimes: 0,
  },
  resets: 0,
  renamed: 0,
}

type Judged = { verdict: Verdict; resets: number; renamed: number }

/** The part of a report that must equal `FLAWLESS`. */
export function flawsOf({ verdict: { amounts: _, ...counts }, resets, renamed }: Judged) {
  return { verdict: counts, resets, renamed }
}

export const isFlawless = (report: Judged): boolean => isDeepStrictEqual(flawsOf(report), FLAWLESS)

/** A topic from its first message to its last, as a node that is well shows it. */
export async function readTopic(
  url: string,
  { pollers: [bot] }: Company,
  topicId: string,
): Promise<Listed[]> {
  const listed: Listed[] = []
  for (let query = 'order=asc&limit=100'; query !== ''; ) {
    const { status, text, body } = await call(
      url,
      bot?.credentials,
      'GET',
      `/v2/topics/${topicId}/messages?${query}`,
    )
    if (status !== 200) throw new Error(`a list was answered ${status}: ${text}`)
    const { messages, nextCursor } = Object(body)
    for (const { id, text, createdAt, isSystem } of messages) {
      if (!isSystem) listed.push({ id, topicId, text, createdAt })
    }
    query = nextCursor === undefined ? '' : `limit=100&cursor=${nextCursor}`
  }
  return listed
}

export function judge(
  { acknowledged, failures, judge: answers }: Book,
  /** Lists by topic. */
  lists: ReadonlyMap<string, readonly Listed[]>,
  listeners: readonly Listener[],
  topicsOf: (orgId: string) => readonly string[],
): Verdict {
  const all = [...lists.values()].flat()
  const positions = new Map(all.map(({ id }, position) => [id, position]))
  const ordered = listeners.filter(({ isOrdered }) => isOrdered)
  const ofOrganization = (orgId: string) => topicsOf(orgId).flatMap((topicId) => lists.get(topicId) ?? [])
  return {
    amounts: {
      acknowledged: acknowledged.length,
      rightlyRefused: Object.fromEntries(answers.rightlyRefused),
      certain: answers.certain,
      uncertain: answers.uncertain,
      clockOffMs: Math.max(
        0,
        ...acknowledged.flatMap(({ createdAt, sentAt, answeredAt }) => [
          sentAt - createdAt,
          createdAt - answeredAt,
        ]),
      ),
    },
    wronglyRefused: Object.fromEntries(answers.wronglyRefused),
    wronglyLetThrough: Object.fromEntries(answers.wronglyLetThrough),
    unexpected: [...failures]
      .filter(([reason]) => !EXPECTED_FAILURES.includes(reason))
      .map(([reason, count]) => `${count} × ${reason}`),
    missingInLists: acknowledged.filter(({ id }) => !positions.has(id)).length,
    missingAtListeners: Object.fromEntries(
      listeners.flatMap((listener) => {
        const heard = new Set(listener.heard().map(({ id }) => id))
        const missing = ofOrganization(listener.orgId).filter(({ id }) => !heard.has(id)).length
        return missing === 0 ? [] : [[listener.name, missing]]
      }),
    ),
    unknownToLists: sum(listeners, (one) => one.heard().filter(({ id }) => !positions.has(id)).length),
    twiceInLists: repeated(all.map(({ text, topicId }) => `${topicId} ${text}`)),
    twiceAtListeners: sum(ordered, (one) => repeated(one.heard().map(({ id }) => id))),
    disorderedAtListeners: sum(ordered, (one) =>
      sum(topicsOf(one.orgId), (topicId) =>
        descents(
          one
            .heard()
            .filter((heard) => heard.topicId === topicId)
            .map(({ id }) => positions.get(id) ?? 0),
        ),
      ),
    ),
    disorderedWriters: sum([...new Set(acknowledged.map(({ writer }) => writer))], (writer) =>
      sum([...lists.keys()], (topicId) =>
        descents(
          acknowledged
            .filter((one) => one.writer === writer && one.topicId === topicId)
            .map(({ id }) => positions.get(id) ?? 0),
        ),
      ),
    ),
    disorderedTimes: sum([...lists.values()], (list) => descents(list.map(({ createdAt }) => createdAt))),
  }
}

/** The longest time without any acknowledgement, at all nodes but `except`. */
export function longestGap(
  acknowledged: readonly Acknowledged[],
  { orgId, from, to, except }: { orgId: string; from: number; to: number; except?: number },
): number {
  const times = acknowledged
    .filter((one) => one.orgId === orgId && one.node !== except)
    .map(({ answeredAt }) => answeredAt)
    .filter((at) => at > from && at < to)
    .sort((one, other) => one - other)
  return Math.max(...[...times, to].map((at, index) => at - (times[index - 1] ?? from)))
}

const repeated = (values: readonly string[]): number => values.length - new Set(values).size

const descents = (values: readonly number[]): number =>
  values.filter((value, index) => index > 0 && value < (values[index - 1] ?? value)).length

const sum = <One>(all: readonly One[], count: (one: One) => number): number =>
  all.reduce((total, one) => total + count(one), 0)
