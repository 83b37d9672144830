import { useEffect, useState } from 'react'
import { useChat } from '../../store/context.tsx'
import { unreadTotal } from '../../store/selectors.ts'

const ANSWERED = 'parley.notifications.offered'

/** Whether the offer of notifications is due: since the first mention or direct message that was seen here, until it is answered. */
export function useOfferDue(): { isDue: boolean; answer: () => void } {
  const isWaiting = useChat((state) => unreadTotal(state).waiting > 0)
  const [isDue, setDue] = useState(false)
  useEffect(() => {
    if (isWaiting && localStorage.getItem(ANSWERED) === null) setDue(true)
  }, [isWaiting])
  return {
    isDue,
    answer: () => {
      localStorage.setItem(ANSWERED, 'yes')
      setDue(false)
    },
  }
}
