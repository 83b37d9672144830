import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../../kit/icon.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { organizationPath } from '../addresses.ts'
import styles from './drafts.module.css'
import { useIsNarrow } from './narrow.ts'
import shellStyles from './shell.module.css'
import { useTitle } from './topic-place.tsx'

/** A place beside the conversations: its head, and a list that scrolls. */
export function PlacePage({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  const t = useTexts(shell)
  const organizationId = useChat((state) => state.organizationId)
  const isNarrow = useIsNarrow()
  useTitle(title)
  return (
    <main className={shellStyles.main} id="content" tabIndex={-1}>
      <header className={styles.header}>
        {isNarrow && (
          <Link to={organizationPath(organizationId)} className={styles.back} aria-label={t.back}>
            <Icon icon={ArrowLeft} />
          </Link>
        )}
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          <p>{about}</p>
        </div>
      </header>
      <div className={styles.scroll}>{children}</div>
    </main>
  )
}
