/** A bot that writes later than this after an event does not answer it. */
export const ANSWERS_WITHIN_MS = 60_000
/** A bot that got its own event and writes within this time may be answering itself. */
const ECHOES_WITHIN_MS = 2000
/** Factor of writes for a bot that got its own event: it may only be reporting what happens elsewhere. */
const ECHO_FACTOR = 5
/** The pause of a slowed bot doubles with so many further answers, up to this. It ends before an answer is none any more. */
const PAUSE_DOUBLES_AFTER = 10
const MAX_PAUSE_MS = 30_000

export type LoopLimits = {
  /** Answers of bots to bots after which they are slowed, and after which they are stopped; 0: never. */
  slowAfter: number
  stopAfter: number
  /** The first pause of a slowed bot. */
  pauseMs: number
}

/** Bots and topics of writes that followed from each other. */
export type Chain = {
  botIds: Set<string>
  topicIds: Set<string>
  /** Resolves when bots are stopped in the newest topic of a chain that is too long. */
  stopping?: Promise<void>
}

/** A bot's event, or an assistant's, as part of a chain. */
export type Link = {
  seq: number
  at: number
  botId: string
  /** Bots in a row that answered another bot, up to this event. */
  answers: number
  /** Times in a row that the bot wrote right after its own event. */
  echoes: number
  chain: Chain
}

/** The events that a bot has heard since a person's: of others the one furthest in a chain, of itself the newest. */
export type Heard = { other?: Link | undefined; own?: Link | undefined }

/** The chain that a bot would continue by writing, and until when it must wait before it does. */
type Next = { answers: number; echoes: number; chain: Chain | undefined; waitUntil: number }

const isFresh = ({ at }: Link, now: number): boolean => now - at <= ANSWERS_WITHIN_MS

/** Remembers that a bot got an event. The longest chain counts: reports of other bots in between do not hide it. */
export function hearLink(heard: Heard, botId: string, link: Link, now: number): void {
  if (link.botId === botId) heard.own = link
  else if (!heard.other || !isFresh(heard.other, now) || link.answers >= heard.other.answers)
    heard.other = link
}

export function nextOf({ other, own }: Heard, limits: LoopLimits, now: number): Next {
  const next: Next = { answers: 0, echoes: 0, chain: undefined, waitUntil: 0 }
  if (other && isFresh(other, now)) {
    next.answers = other.answers + 1
    next.chain = other.chain
    next.waitUntil = endOf(other, pauseOf(next.answers, limits))
  }
  if (!own || !isFresh(own, now)) return next
  if (own.answers >= next.answers) {
    next.answers = own.answers
    next.chain = own.chain
  }
  const pause = pauseOf((own.echoes + 1) / ECHO_FACTOR, limits)
  if (now - own.at > ECHOES_WITHIN_MS + pause) return next
  next.echoes = own.echoes + 1
  next.waitUntil = Math.max(next.waitUntil, endOf(own, pause))
  return next
}

/** The end of a pause after an event; 0 without a pause, since the event may be ahead of this node's clock by a moment. */
const endOf = ({ at }: Link, pause: number): number => (pause === 0 ? 0 : at + pause)

/** The pause before a bot's write would be this many answers. */
function pauseOf(answers: number, { slowAfter, pauseMs }: LoopLimits): number {
  if (slowAfter === 0 || answers <= slowAfter) return 0
  const doublings = Math.max(0, (answers - slowAfter - 1) / PAUSE_DOUBLES_AFTER)
  return Math.max(pauseMs, Math.min(MAX_PAUSE_MS, pauseMs * 2 ** doublings))
}
