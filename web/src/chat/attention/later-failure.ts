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

/** Says at once that a scheduled message was not sent, and leads to it; a mark beside the list stays. */
export function tellFailure(store: ChatStore, { topicId, reason, reasonCode }: Failure): void {
  const state = store.getSnapshot()
  const t = laterTexts[pageLanguage()]
  const topic = state.topics.get(topicId)
  const where = topic ? nameOf(state, topic) : t.scheduled.unknownTopic
  const why = errorSentence({ code: reasonCode, text: reason }, pageLanguage())
  const onAct = () => navigate(scheduledPath(state.organizationId))
  showToast({ text: t.scheduled.failedTo(where, why), tone: 'bad', action: { label: t.show, onAct } })
}
