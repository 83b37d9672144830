import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { connectionFailed } from '../../../api/connection.ts'
import { Banner } from '../../../kit/banner.tsx'
import { Button } from '../../../kit/button.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'

/** A connection that is back within this time is not worth a banner. */
const PATIENCE_MS = 2000

/** Says that nothing comes and goes, and that writing goes on. */
export function ConnectionBanner() {
  const t = useTexts(shell).offline
  const isOffline = useChat(({ connection }) => connection === 'offline')
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isOffline) {
      setShown(false)
      return
    }
    const timer = window.setTimeout(() => setShown(true), PATIENCE_MS)
    return () => window.clearTimeout(timer)
  }, [isOffline])
  if (!isShown) return null
  const tryNow = () => {
    window.dispatchEvent(new Event('online'))
    void connectionFailed()
  }
  return (
    <Banner
      icon={CloudOff}
      action={
        <Button look="link" size="small" onClick={tryNow}>
          {t.retry}
        </Button>
      }
    >
      <strong>{t.lead}</strong> {t.text}
    </Banner>
  )
}
