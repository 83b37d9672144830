import { Bell } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { readNotificationSettings } from '../../../../../contract/people/notifications.ts'
import { Banner } from '../../../kit/banner.tsx'
import { Button } from '../../../kit/button.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { notifications } from '../../../texts/notifications.ts'
import { useTexts } from '../../../texts/texts.ts'
import { readBrowserState, switchOn } from '../../attention/browser.ts'
import { useAttempt } from './attempt.ts'
import { useChatApi } from './pages.ts'

/** Offers notifications in this browser, where they can be switched on and nobody has answered yet. */
export default function NotificationOffer({ onAnswered }: { onAnswered: () => void }) {
  const t = useTexts(notifications)
  const api = useChatApi()
  const attempt = useAttempt()
  const [pushKey, setPushKey] = useState<string | null>()
  useEffect(() => {
    const look = async () => {
      if ((await readBrowserState()) !== 'off') return
      // Read before the button is pressed: browsers ask for permission only right after a press.
      setPushKey((await api<typeof readNotificationSettings>('GET', '/notifications', {})).pushKey)
    }
    look().catch(() => {}) // offered another time
  }, [api])
  if (pushKey === undefined) return null
  const accept = () => {
    onAnswered()
    void attempt(async () => {
      const state = await switchOn(pushKey)
      showToast({ text: t.browser.states[state] })
    })
  }
  return (
    <Banner
      icon={Bell}
      tone="plain"
      action={
        <>
          <Button look="link" size="small" onClick={accept}>
            {t.offer.accept}
          </Button>
          <Button look="quiet" size="small" onClick={onAnswered}>
            {t.offer.decline}
          </Button>
        </>
      }
    >
      {t.offer.text}
    </Banner>
  )
}
