import type { Random } from '../../../fuzz/random.ts'
import type { TestBot } from '../cast.ts'
import { type Circumstances, Fact } from './model.ts'

/** A topic, and its known state. */
export type StagedTopic = {
  id: string
  isArchived: Fact
  areBotsStopped: Fact
  /** Bots that come and go, by id; others are always members. */
  guests: ReadonlyMap<string, Fact>
  /** Messages that can be replied to. */
  messageIds: string[]
}

/** A bot that writes. */
export type StagedBot = { bot: TestBot; isPaused: Fact }

export type PlannedMessage = {
  topic: StagedTopic
  sender: StagedBot
  body: { topicId: string; text: string; parentId?: string }
  circumstances: Circumstances
}

/** New topics in use at a time, besides the first ones. */
const MAX_NEW_TOPICS = 4
const REMEMBERED_MESSAGES = 20
const CHANCES = { guest: 0.3, newTopic: 0.4, reply: 0.2, mention: 0.15, word: 0.15 }
const ALWAYS = new Fact(true)
const NEVER = new Fact(false)

/** The topics, bots and words of an organization while its administrator changes them. */
export class Stage {
  /** Topics whose members come and go. */
  readonly oldTopics: readonly StagedTopic[]
  /** Topics that are archived and restored; the oldest make room for new ones. */
  newTopics: StagedTopic[] = []
  /** Bots in it are stopped and released; not every organization has one. */
  loopTopic: StagedTopic | undefined
  /** Bots that are paused and resumed, added and removed. */
  readonly guests: readonly StagedBot[]
  /** Whether each is blocked. */
  readonly words: ReadonlyMap<string, Fact>

  constructor(topicIds: readonly string[], guests: readonly TestBot[], words: readonly string[]) {
    this.guests = guests.map((bot) => ({ bot, isPaused: new Fact(false) }))
    this.oldTopics = topicIds.map((id) => this.topic(id))
    this.words = new Map(words.map((word) => [word, new Fact(false)]))
  }

  /** A topic with all guests. */
  topic(id: string): StagedTopic {
    const guests = new Map(this.guests.map(({ bot }) => [bot.id, new Fact(true)]))
    return { id, isArchived: new Fact(false), areBotsStopped: new Fact(false), guests, messageIds: [] }
  }

  open(topic: StagedTopic): void {
    this.newTopics = [...this.newTopics, topic].slice(-MAX_NEW_TOPICS)
  }

  /** Draws a message of this bot, or of a guest. */
  draw(random: Random, resident: TestBot, text: string): PlannedMessage {
    const sender = random.chance(CHANCES.guest)
      ? random.pick(this.guests)
      : { bot: resident, isPaused: NEVER }
    const loops = this.loopTopic ? [this.loopTopic] : []
    const newTopic = random.chance(CHANCES.newTopic)
      ? random.maybePick([...this.newTopics, ...loops])
      : undefined
    const topic = newTopic ?? random.pick(this.oldTopics)
    const word = random.chance(CHANCES.word) ? random.pick([...this.words.keys()]) : undefined
    const mentioned = random.chance(CHANCES.mention) ? random.pick(this.guests).bot.id : undefined
    const parentId = random.chance(CHANCES.reply) ? random.maybePick(topic.messageIds) : undefined
    const parts = [text, word, mentioned && `<@${mentioned}>`].filter((part) => part !== undefined)
    return plan(topic, sender, { text: parts.join(' '), parentId, mentioned }, word && this.words.get(word))
  }
}

/** A message without anything that could be refused but by its sender and its topic. */
export const plainMessage = (topic: StagedTopic, bot: TestBot, text: string): PlannedMessage =>
  plan(topic, { bot, isPaused: NEVER }, { text })

function plan(
  topic: StagedTopic,
  sender: StagedBot,
  {
    text,
    parentId,
    mentioned,
  }: { text: string; parentId?: string | undefined; mentioned?: string | undefined },
  isBlocked?: Fact | '' | undefined,
): PlannedMessage {
  const membership = (botId: string) => topic.guests.get(botId) ?? ALWAYS
  return {
    topic,
    sender,
    body: { topicId: topic.id, text, ...(parentId !== undefined && { parentId }) },
    circumstances: {
      isPaused: sender.isPaused,
      isMember: membership(sender.bot.id),
      isArchived: topic.isArchived,
      areBotsStopped: topic.areBotsStopped,
      isBlocked: isBlocked || undefined,
      isMentionedMember: mentioned === undefined ? undefined : membership(mentioned),
    },
  }
}

/** Keeps the newest messages of a topic for replies. */
export function remember(topic: StagedTopic, messageId: string): void {
  topic.messageIds.push(messageId)
  if (topic.messageIds.length > REMEMBERED_MESSAGES) topic.messageIds.shift()
}
