import { BellRing } from 'lucide-react'
import { useEffect, useState } from 'react'
import type {
  NotificationSettings,
  readNotificationSettings,
} from '../../../../../contract/people/notifications.ts'
import { Banner } from '../../../kit/banner.tsx'
import { Button } from '../../../kit/button.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { notifications } from '../../../texts/notifications.ts'
import { useTexts } from '../../../texts/texts.ts'
import { readBrowserState, switchOn } from '../../attention/browser.ts'
import { answerOffer } from '../../attention/offer.ts'
import { useAttempt } from './attempt.ts'
import { useChatApi } from './pages.ts'

/** Asks whether this browser may show notifications. */
export default function NotificationOffer() {
  const t = useTexts(notifications).offer
  const { states } = useTexts(notifications).browser
  const api = useChatApi()
  const attempt = useAttempt()
  // Browsers ask only right after a press, so the key is here before it.
  const [pushKey, setPushKey] = useState<NotificationSettings['pushKey']>()
  useEffect(() => {
    void readBrowserState().then((state) => state !== 'off' && answerOffer())
    api<typeof readNotificationSettings>('GET', '/notifications', {}).then(
      (settings) => setPushKey(settings.pushKey),
      () => {}, // shown at the next start
    )
  }, [api])
  if (pushKey === undefined) return null
  const accept = () =>
    attempt(async () => {
      const state = await switchOn(pushKey)
      answerOffer()
      showToast({ text: states[state] })
    })
  return (
    <Banner
      icon={BellRing}
      tone="plain"
      action={
        <>
          <Button size="small" onClick={() => void accept()}>
            {t.accept}
          </Button>
          <Button look="link" size="small" onClick={answerOffer}>
            {t.decline}
          </Button>
        </>
      }
    >
      {t.text}
    </Banner>
  )
}
