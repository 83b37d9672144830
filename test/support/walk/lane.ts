import type { Random } from '../../../fuzz/random.ts'
import type { TestBot } from '../cast.ts'

export type WalkMessage = {
  id: string
  senderId: string
  text: string
  parentId: string | undefined
  isEdited: boolean
  /** Current reactions, by their id. */
  reactions: Map<string, { botId: string; emoji: string }>
}
export type WalkTask = { id: string; title: string; status: 'Open' | 'Done' }
export type WalkPoll = {
  id: string
  optionIds: string[]
  /** The vote of each bot: its id and its option. */
  votes: Map<string, { id: string; optionId: string }>
}
export type WalkTopic = {
  id: string
  name: string
  memberIds: Set<string>
  labelId: string | undefined
  /** Current texts, the oldest first. */
  messages: WalkMessage[]
  deletedIds: string[]
  tasks: WalkTask[]
  polls: WalkPoll[]
}

/** A keyed request, and its first answer, which repeats return. */
export type KeptRequest = {
  bot: TestBot
  key: string
  body: object
  answer: { status: number; body: unknown }
}

export type WalkOrganization = {
  orgId: string
  /** Bots that may write wherever they are members. */
  writers: readonly TestBot[]
  /** A member with the permission to read alone. */
  reader: TestBot
  /** A bot of another organization. */
  foreigner: TestBot
}

/** Topics in use at a time. */
const MAX_TOPICS = 5
/** The size of one page: further messages go to other topics. */
export const MAX_MESSAGES = 100
const CHANCES = { reader: 0.06, foreigner: 0.03 }

/**
 * A part of an organization that no other lane changes: its own topics, labels and org unit. Steps of a lane follow
 * each other, and their answers do not depend on other lanes.
 */
export class Lane {
  readonly name: string
  readonly random: Random
  readonly organization: WalkOrganization
  topics: WalkTopic[] = []
  labels: { id: string; name: string }[] = []
  kept: KeptRequest[] = []
  readonly unit: { id: string; memberIds: Set<string> }
  #texts = 0

  constructor(
    name: string,
    random: Random,
    organization: WalkOrganization,
    unit: { id: string; memberIds: Set<string> },
  ) {
    this.name = name
    this.random = random
    this.organization = organization
    this.unit = unit
  }

  /** A text that no other message of the walk has. */
  newText(): string {
    this.#texts += 1
    return `${this.name}, text ${this.#texts}`
  }

  addTopic(topic: WalkTopic): void {
    this.topics = [...this.topics, topic].slice(-MAX_TOPICS)
  }

  /** A writer, now and then the reader or the foreigner. */
  anyBot(): TestBot {
    const { writers, reader, foreigner } = this.organization
    if (this.random.chance(CHANCES.reader)) return reader
    if (this.random.chance(CHANCES.foreigner)) return foreigner
    return this.random.pick(writers)
  }

  /** Bots that can be members. */
  get bots(): TestBot[] {
    return [...this.organization.writers, this.organization.reader]
  }

  /** A topic, and one of its messages if it has any. */
  anyMessage(): { topic: WalkTopic; message: WalkMessage } | undefined {
    const topic = this.random.maybePick(this.topics.filter(({ messages }) => messages.length > 0))
    return topic && { topic, message: this.random.pick(topic.messages) }
  }
}

/** A request, and its only right answer. */
export type Step = {
  bot: TestBot
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  path: string
  body?: object | undefined
  key?: string | undefined
  expected: { status: number; body?: unknown }
  /** The part of an answer's body that is known beforehand, to be compared with `expected.body`; the whole of it unless given. */
  seen?: (body: unknown) => unknown
  /** Changes the model after the right answer. */
  apply?: (body: unknown) => void
}

/** A step without its bot and place. */
export type PlannedStep = Omit<Step, 'bot' | 'method' | 'path'> & {
  /** Whether the request is refused for its form, before a server looks at topics. */
  isMalformed?: boolean
}

export const refused = (status: number, text: string): Pick<Step, 'expected'> => ({
  expected: { status, body: text },
})

/** The refusal of a bot without the right, or outside of the topic; undefined: it may. */
export function refusalOf(
  lane: Lane,
  bot: TestBot,
  method: Step['method'],
  topic: WalkTopic | undefined,
  missing: string,
): Pick<Step, 'expected'> | undefined {
  if (bot === lane.organization.reader && method !== 'GET') return refused(403, 'forbidden')
  if (topic && !topic.memberIds.has(bot.id)) return refused(404, missing)
  return undefined
}

export const malformed = (text: string): Pick<PlannedStep, 'expected' | 'isMalformed'> => ({
  ...refused(400, text),
  isMalformed: true,
})

/** The planned step, or the same request with an earlier refusal. */
export function guarded(
  lane: Lane,
  request: Pick<Step, 'bot' | 'method' | 'path'>,
  { isMalformed = false, ...planned }: PlannedStep,
  topic: WalkTopic,
  missing: string,
): Step {
  const { bot, method } = request
  const refusal = refusalOf(lane, bot, method, isMalformed ? undefined : topic, missing)
  return refusal ? { ...request, body: planned.body, ...refusal } : { ...request, ...planned }
}
