import { navigate } from 'wouter/use-browser-location'
import type { EphemeralEventData } from '../../../../contract/people/stream.ts'
import { showToast } from '../../kit/toast.tsx'
import { errorSentence } from '../../texts/errors.ts'
import { pageLanguage } from '../../texts/language.ts'
import { laterTexts } from '../../texts/later.ts'
import { nameOf } from '../store/selectors.ts'
import type { ChatStore } from '../store/store.ts'
import { scheduledPath } from '../views/addresses.ts'

type Failure = NonNullable<EphemeralEventData['later']['failure']>

type Held = NonNullable<EphemeralEventData['later']['held']>

/** Says at once that a scheduled message was not sent, and leads to it; a mark beside the list stays. */
export function tellFailure(store: ChatStore, { topicId, reason, reasonCode }: Failure): void {
  const why = errorSentence({ code: reasonCode, text: reason }, pageLanguage())
  const t = laterTexts[pageLanguage()].scheduled
  tell(store, t.failedTo(nameIn(store, topicId), why), 'bad')
}

/** Says that a message waits for a review, and where its sender finds it. */
export function tellHeld(store: ChatStore, { topicId, reason }: Held): void {
  tell(store, laterTexts[pageLanguage()].scheduled.heldTo(nameIn(store, topicId), reason))
}

function nameIn(store: ChatStore, topicId: string): string {
  const state = store.getSnapshot()
  const topic = state.topics.get(topicId)
  return topic ? nameOf(state, topic) : laterTexts[pageLanguage()].scheduled.unknownTopic
}

function tell(store: ChatStore, text: string, tone?: 'bad'): void {
  const { organizationId } = store.getSnapshot()
  const onAct = () => navigate(scheduledPath(organizationId))
  showToast({ text, ...(tone && { tone }), action: { label: laterTexts[pageLanguage()].show, onAct } })
}
