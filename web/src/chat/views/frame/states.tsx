import type { ReactNode } from 'react'
import styles from './shell.module.css'

/** A place with nothing to read: what is the matter, and where to go. */
export function Plain({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <main className={styles.main} id="content" tabIndex={-1}>
      <div className={styles.plain}>
        <h1 tabIndex={-1}>{title}</h1>
        <p>{text}</p>
        {children !== undefined && <div className={styles.buttons}>{children}</div>}
      </div>
    </main>
  )
}
