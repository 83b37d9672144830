import type { listLabels } from '../../../../contract/labels.ts'
import type { listChatTopics, START_LISTS } from '../../../../contract/people/chat.ts'
import type { listCustomEmoji } from '../../../../contract/people/emoji.ts'
import type { listMyTasks } from '../../../../contract/people/tasks.ts'
import type { ChatApi } from '../../api/chat.ts'
import { ChatError } from '../model.ts'
import { draftKey, type StartAnswer, type StartRest, type TopicPage } from '../store/start.ts'
import { waitBefore } from './pacing.ts'
import type { ToTab } from './protocol.ts'

const PAGE = 100

export type StartListsOptions = {
  api: ChatApi
  isOver(): boolean
  readStreaming(): Promise<void>
  /** Tells all tabs, after the events that came before. */
  tell(message: Extract<ToTab, { type: 'topics' | 'topicsEnd' | 'rest' }>): void
}

/** Reads the lists of a start that were too long for it, once the first messages are on the screen. */
export class StartLists {
  #options: StartListsOptions
  /** Grows with each start: what was being read for an older one ends. */
  #current = 0
  #isPainted = false
  #waiting: (() => void)[] = []

  constructor(options: StartListsOptions) {
    this.#options = options
  }

  /** A tab shows its first messages. */
  painted(): void {
    this.#isPainted = true
    for (const go of this.#waiting.splice(0)) go()
  }

  async read({ topics, drafts, more = [] }: StartAnswer): Promise<void> {
    this.#current += 1
    const own = this.#current
    const isCurrent = () => own === this.#current && !this.#options.isOver()
    if (more.length === 0) return
    if (!this.#isPainted) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    for (let failures = 0; isCurrent(); ) {
      try {
        if (more.includes('topics') || more.includes('drafts'))
          await this.#listTopics(
            topics.map(({ id }) => id),
            drafts.map(draftKey),
            isCurrent,
          )
        const rest = await readRest(this.#options.api, more)
        if (isCurrent()) this.#options.tell({ type: 'rest', rest })
        if (more.includes('streaming') && isCurrent()) await this.#options.readStreaming()
        return
      } catch (error) {
        if (!(error instanceof ChatError)) throw error
        const { failure, retryAfterMs } = error
        if (failure.status >= 400 && failure.status < 500 && retryAfterMs === undefined) return
        failures += 1
        await new Promise((resolve) => setTimeout(resolve, retryAfterMs ?? waitBefore(failures)))
      }
    }
  }

  async #listTopics(topicIds: string[], draftKeys: string[], isCurrent: () => boolean): Promise<void> {
    const { api, tell } = this.#options
    let cursor: string | undefined
    do {
      const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) }
      const page: TopicPage & { nextCursor?: string } = await api<typeof listChatTopics>('GET', '/topics', {
        query,
      })
      if (!isCurrent()) return
      tell({ type: 'topics', page })
      topicIds.push(...page.topics.map(({ id }) => id))
      draftKeys.push(...page.drafts.map(draftKey))
      cursor = page.nextCursor
    } while (cursor !== undefined)
    tell({ type: 'topicsEnd', topicIds, draftKeys })
  }
}

async function readRest(api: ChatApi, more: readonly (typeof START_LISTS)[number][]): Promise<StartRest> {
  const query = { status: 'Open', role: 'assigned', limit: PAGE } as const
  return {
    ...(more.includes('labels') && { labels: await readLabels(api) }),
    ...(more.includes('emoji') && { emoji: (await api<typeof listCustomEmoji>('GET', '/emoji', {})).emoji }),
    ...(more.includes('tasks') && {
      tasks: (await api<typeof listMyTasks>('GET', '/my-tasks', { query })).tasks,
    }),
  }
}

async function readLabels(api: ChatApi): Promise<{ id: string; name: string }[]> {
  return (await api<typeof listLabels>('GET', '/organization/labels', {})).labels
}
