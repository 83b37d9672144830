import { SendHorizontal } from 'lucide-react'
import { Icon } from '../../../../kit/icon.tsx'
import { tip } from '../../../../kit/tip.ts'
import styles from './send-button.module.css'

/** Stays in the order of Tab while there is nothing to send. */
export function SendButton({
  label,
  isDisabled = false,
  onSend,
}: {
  label: string
  isDisabled?: boolean
  onSend: () => void
}) {
  return (
    <button
      type="button"
      className={styles.send}
      aria-label={label}
      aria-disabled={isDisabled}
      {...tip(label)}
      onClick={onSend}
    >
      <Icon icon={SendHorizontal} size={18} />
    </button>
  )
}
