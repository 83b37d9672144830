import { type Client, type MessageStream, type Operations, openStream, ParleyError } from '../sdk/index.ts'
import { countCodePoints, cut, firstCodePoints, mentionFilter } from './text.ts'

/** Code points of one message; 10,000 are allowed, and a closing sentence needs room. */
const MAX_MESSAGE = 9500
/** Messages that one answer can have. */
const MAX_MESSAGES = 5
/** Tries to end an answer while the server is away; the requests of each go on for half a minute. */
const LATE_TRIES = 20
/** Interval of progress, at least. */
const PROGRESS_MS = 300

export type Place = { topicId: string; parentId?: string }
export type Progress = Omit<NonNullable<Operations['setProgress']['input']['body']>, 'sources'>

/** An answer that grows, in one message or in several. */
export type Answer = {
  /** Ids of its messages. */
  readonly messages: readonly string[]
  readonly isEmpty: boolean
  /** Adds text. What is too much is counted and left out. */
  append(text: string): void
  /** Shows steps and the present activity, in place of those before. `read` is called when they are sent. */
  show(read: () => Progress): void
  /** Ends the answer, with a closing sentence where it is given. `failed` shows that it ends too early. */
  end(closing?: string, isFailed?: boolean): Promise<void>
  /** Leaves an answer without a text as it is: the next one with the same key goes on with it. */
  leave(): Promise<void>
}

export type AnswerOptions = {
  parley: Client
  place: Place
  /** Names the messages: an answer that is begun again with it goes on in the same ones. */
  key: string
  onStop: () => void
  onMessage: (id: string) => Promise<void>
  log: (line: string) => void
}

export async function openAnswer({
  parley,
  place,
  key,
  onStop,
  onMessage,
  log,
}: AnswerOptions): Promise<Answer> {
  const messages: string[] = []
  const filter = mentionFilter()
  let left = MAX_MESSAGE * MAX_MESSAGES
  let isCut = false
  let stream = await openNext()
  let room = MAX_MESSAGE
  /** The text of the newest message. */
  let written = ''
  let pending = ''
  let isEmpty = true
  let pumping: Promise<void> | undefined
  let failure: unknown

  let wanted: (() => Progress) | undefined
  let latest: (() => Progress) | undefined
  let showing: Promise<void> | undefined
  let isEnding = false
  /** Set while the next message takes the place of a full one: progress waits. */
  let isTurning = false

  async function openNext(): Promise<MessageStream> {
    const opened = await openStream(parley, place, `${key}:${messages.length + 1}`)
    opened.signal.addEventListener('abort', onStop, { once: true })
    messages.push(opened.id)
    await onMessage(opened.id)
    return opened
  }

  /** Hands pending text to the message; where it is full, another one is begun. */
  async function pump(): Promise<void> {
    try {
      while (pending !== '') {
        if (room === 0 && messages.length === MAX_MESSAGES) {
          isCut = true
          takeNoMore()
          break
        }
        if (room === 0) await turnOver()
        const piece = pieceOf(pending, room)
        pending = pending.slice(piece.length)
        write(piece)
        room = pending === '' ? room - countCodePoints(piece) : 0
        await null // who appends in the same moment is served together
      }
    } catch (error) {
      failure ??= error
      takeNoMore()
    } finally {
      pumping = undefined
    }
  }

  async function turnOver(): Promise<void> {
    const full = stream
    const next = await openNext()
    isTurning = true
    await showing
    if (latest) await setProgress({}) // steps stand with the newest message
    isTurning = false
    stream = next
    room = MAX_MESSAGE
    written = ''
    if (!(await full.finish())) takeNoMore()
    if (latest) show(latest)
  }

  function write(text: string): void {
    written += text
    stream.append(text)
  }

  function takeNoMore(): void {
    pending = ''
    left = 0
  }

  function append(text: string): void {
    const safe = filter.take(text)
    const taken = firstCodePoints(safe, left)
    isCut ||= taken !== safe
    add(taken)
  }

  function add(text: string): void {
    if (text === '') return
    left -= countCodePoints(text)
    pending += text
    isEmpty &&= text.trim() === ''
    pumping ??= pump()
  }

  async function setProgress(progress: Progress): Promise<void> {
    try {
      await parley.setProgress({ params: { messageId: stream.id }, body: progress })
    } catch (error) {
      const isOver = error instanceof ParleyError && error.status === 409
      if (!isOver) log(`steps are not shown: ${Object(error).message}`)
    }
  }

  function show(read: () => Progress): void {
    latest = read
    wanted = read
    if (!isTurning) showing ??= showAll()
  }

  async function showAll(): Promise<void> {
    while (wanted && !isTurning) {
      const next = wanted
      wanted = undefined
      await setProgress(next())
      if (!isEnding) await new Promise((resolve) => setTimeout(resolve, PROGRESS_MS))
    }
    showing = undefined
  }

  /** Ends the newest message. */
  async function close(isFailed: boolean): Promise<void> {
    try {
      if (isFailed) await stream.fail()
      else await stream.finish()
    } catch (error) {
      log(`an answer could not be sent: ${Object(error).message}`)
      if (error instanceof ParleyError) await closeRefused(error)
      else await closeLate(isFailed)
    }
  }

  /** Ends a message whose text was refused: with what was taken, or else with the reason. */
  async function closeRefused(error: ParleyError): Promise<void> {
    const body = { text: `_The answer could not be sent: ${reasonOf(error)}._`, status: 'failed' as const }
    await stream
      .fail()
      .catch(() => parley.finishMessage({ params: { messageId: stream.id }, body }))
      .catch((refusal: unknown) => log(`an answer could not be ended: ${Object(refusal).message}`))
  }

  /** Says the whole message once the server is there again, which may have ended it by then. */
  async function closeLate(isFailed: boolean): Promise<void> {
    const params = { messageId: stream.id }
    for (let tries = 0; tries < LATE_TRIES; tries += 1) {
      try {
        await parley
          .finishMessage({ params, body: { text: written, status: isFailed ? 'failed' : 'finished' } })
          .catch(async (error: unknown) => {
            if (!(error instanceof ParleyError && error.status === 409)) throw error
            const { stream: ended } = await parley.readMessage({ params })
            if (ended?.status === 'interrupted') await parley.editMessage({ params, body: { text: written } })
          })
        return
      } catch (error) {
        log(`an answer could not be ended: ${Object(error).message}`)
        if (error instanceof ParleyError) return
      }
    }
  }

  return {
    messages,
    get isEmpty() {
      return isEmpty
    },
    append,
    show,
    leave: () => stream.fail().catch(() => {}), // refused, since a message without a text cannot end
    async end(closing, isFailed = false) {
      isEnding = true
      add(firstCodePoints(filter.end(), left))
      await pumping
      await showing
      const notes = [
        ...(isCut ? ['The answer was longer; the rest is not shown.'] : []),
        ...(failure ? [`The rest could not be sent: ${reasonOf(failure)}.`] : []),
        ...(closing === undefined ? [] : [closing]),
      ]
      for (const [index, note] of notes.entries()) write(`${isEmpty && index === 0 ? '' : '\n\n'}_${note}_`)
      await close(isFailed || failure !== undefined)
    },
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof ParleyError ? cut(error.refusal, 200) : 'the server did not take it'

/** Text for the room that is left: all of it, or whole lines or words where it does not fit. */
function pieceOf(text: string, room: number): string {
  const fitting = firstCodePoints(text, room)
  if (fitting === text) return text
  const breaks = [fitting.lastIndexOf('\n'), fitting.lastIndexOf(' ')]
  const at = breaks.find((place) => place > fitting.length * 0.7)
  return at === undefined ? fitting : fitting.slice(0, at + 1)
}
