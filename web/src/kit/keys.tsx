import styles from './keys.module.css'

/** A key, or several at once, such as "Ctrl K". */
export function Keys({ keys }: { keys: string }) {
  return <kbd className={styles.keys}>{keys}</kbd>
}

const isApple = /Mac|iP(hone|ad|od)/.test(navigator.platform)

/** The key that goes with others: Ctrl here is Command on Apple's keyboards. */
export const CTRL = isApple ? '⌘' : 'Ctrl'
