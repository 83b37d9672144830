import { expect, it } from 'vitest'
import type { Message } from '../../contract/message.ts'
import { requireSeen } from '../../server/actions/messages/button-presses.ts'
import { Refusal } from '../../server/errors.ts'
import { presentActions } from '../../server/presenters/questions.ts'
import type { StoredActions } from '../../server/queries/messages/messages.ts'
import { chatApi, type Fetch } from '../../web/src/api/chat.ts'
import { ChatError } from '../../web/src/chat/model.ts'
import { fromEvent } from '../../web/src/chat/store/content.ts'
import type { LogEvent } from '../../web/src/chat/store/events.ts'
import { ChatStore } from '../../web/src/chat/store/store.ts'
import { cardActionsOf } from '../../web/src/chat/sync/card-actions.ts'
import { historyOf } from '../../web/src/chat/sync/history.ts'
import { ADA, AT, idOf, message, ready, TOPIC, updated } from '../support/chat-events.ts'
import { atAnyTime, RacingNotifications, race, type Scheduler } from './support.ts'

const ID = idOf(1)
const ACTIONS: StoredActions = {
  ...{ id: idOf(2), elements: [{ id: 'yes', text: 'Deploy' }], who: 'anyone', use: 'each', approval: true },
  answers: [],
}

/** A bot that changes its question on the server, and the page of Ada, who answers what she sees. */
class World {
  #row = { text: 'Deploy 0?', is_edited: false, details: { actions: ACTIONS }, updatedAt: AT + 1 }
  #position = 10
  #version = 0
  /** Texts whose answer the server accepted. */
  readonly taken: string[] = []
  readonly #scheduler: Scheduler
  readonly #stream: RacingNotifications
  readonly #store: ChatStore
  readonly #press: ReturnType<typeof cardActionsOf>['press']

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler
    this.#stream = new RacingNotifications(scheduler)
    this.#store = new ChatStore(ready([this.#shown()]), (work) => {
      let isWanted = true
      void atAnyTime(scheduler, 'a frame is drawn', () => isWanted && work())
      return () => {
        isWanted = false
      }
    })
    const api = chatApi('o', this.#fetch)
    this.#press = cardActionsOf(this.#store, api, historyOf(this.#store, api)).press
  }

  /** The message on the screen. */
  get screen(): Message {
    const shown = this.#store.getSnapshot().messages.get(ID)
    if (!shown) throw new Error('the message is there')
    return shown
  }

  async edit(): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve(), 'the bot edits')
    if (this.#row.details.actions.answers.length > 0) return
    this.#version += 1
    const actions = { ...ACTIONS, id: idOf(100 + this.#version) }
    const text = `Deploy ${this.#version}?`
    this.#row = { text, is_edited: true, details: { actions }, updatedAt: AT + 1 + this.#version }
    this.#tell(updated(this.#next(), this.#shown()))
  }

  /** Answers `seen`; if that is refused, the page no longer shows it. */
  async press(seen: Message): Promise<void> {
    const before = this.taken.length
    try {
      await this.#press(seen, { elementId: 'yes' })
      expect(this.taken.slice(before), 'what was taken is what was seen').toContain(seen.text)
    } catch (error) {
      if (!(error instanceof ChatError)) throw error
      expect(error.failure.text).toBe('this changed while you were looking; read it again')
      expect(this.screen.text, 'the new text is on the screen').not.toBe(seen.text)
      expect(this.screen.actions?.id).not.toBe(seen.actions?.id)
    }
  }

  /** The final text is the answered one, if one was answered. */
  check(): void {
    for (const text of this.taken) expect(text).toBe(this.#row.text)
    expect(this.screen.text).toBe(this.#row.text)
    expect(this.screen.actions?.answers).toHaveLength(this.taken.length)
  }

  #shown() {
    const { text, is_edited, details, updatedAt } = this.#row
    const actions = presentActions(text, details.actions)
    return message(1, { text, isEdited: is_edited, updatedAt, actions })
  }

  #next(): number {
    this.#position += 1
    return this.#position
  }

  #tell(event: LogEvent): void {
    void this.#stream.send(event.type, () => this.#store.hear([event]))
  }

  /** Requests are carried out at one moment, one at a time, and answered at a later one. */
  readonly #fetch: Fetch = async (_url, init) => {
    await this.#scheduler.schedule(Promise.resolve(), `${init?.method} arrives`)
    const [status, body] = init?.method === 'POST' ? this.#answer(String(init.body)) : [200, this.#history()]
    await this.#scheduler.schedule(Promise.resolve(), `${init?.method} is answered`)
    return new Response(body, { status })
  }

  #history(): string {
    const messages = [fromEvent(this.#shown())]
    return JSON.stringify({ messages, hasBefore: false, hasAfter: false, polls: [], tasks: [], notes: [] })
  }

  #answer(press: string): [number, string] {
    try {
      const { actions } = requireSeen(this.#row, JSON.parse(press))
      this.taken.push(this.#row.text)
      const answer = { id: idOf(200 + this.taken.length), userId: ADA, elementId: 'yes', createdAt: AT }
      const answers = [...actions.answers, answer]
      this.#row = { ...this.#row, details: { actions: { ...actions, answers } } }
      const data = { topicId: TOPIC, messageId: ID, actionsId: actions.id, answer }
      this.#tell({ type: 'message.answered', position: this.#next(), data })
      return [201, JSON.stringify({ id: answer.id, createdAt: AT })]
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return [error.status, JSON.stringify(error.message)]
    }
  }
}

it('counts an answer for the text on the screen, or refuses it and shows the new one', async () => {
  await race(
    (scheduler) => {
      const world = new World(scheduler)
      const press = () => atAnyTime(scheduler, 'Ada presses', () => world.press(world.screen))
      // An open form stays as it is while its message changes.
      const fillIn = async () => {
        const opened = await atAnyTime(scheduler, 'Ada opens a form', () => world.screen)
        await atAnyTime(scheduler, 'Ada sends the form', () => world.press(opened))
      }
      return [world.edit(), press(), world.edit(), fillIn(), world.edit(), press(), () => world.check()]
    },
    { times: 0.5 },
  )
})
