import { Suspense } from 'react'
import { lazyView } from '../../../api/connection.ts'
import { useHandover } from './bot-handover.ts'

const BotKey = lazyView(() => import('./bot-key.tsx'))

/** Above the composer of the topic into which a new bot was put: its key, and how it says hello. */
export function BotKeyCard({ topicId }: { topicId: string }) {
  const handover = useHandover()
  if (handover?.topicId !== topicId) return null
  return (
    <Suspense>
      <BotKey handover={handover} />
    </Suspense>
  )
}
