import { OctagonPause } from 'lucide-react'
import { useState } from 'react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import { Banner } from '../../../kit/banner.tsx'
import { Button } from '../../../kit/button.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topicDetails } from '../../../texts/topic-details.ts'
import { useChatActions } from '../../store/context.tsx'
import { useAttempt } from './attempt.ts'

/** Says that bots only answered each other here, and lets them go on. */
export default function BotsStopped({ topic }: { topic: ChatTopic }) {
  const t = useTexts(topicDetails).botsStopped
  const actions = useChatActions()
  const attempt = useAttempt()
  const [busy, setBusy] = useState(false)
  const release = async () => {
    setBusy(true)
    await attempt(() => actions.releaseBots(topic.id))
    setBusy(false)
  }
  return (
    <Banner
      icon={OctagonPause}
      action={
        topic.isMember && (
          <Button look="link" size="small" busy={busy} onClick={() => void release()}>
            {t.release}
          </Button>
        )
      }
    >
      <strong>{t.lead}</strong> {t.text}
    </Banner>
  )
}
