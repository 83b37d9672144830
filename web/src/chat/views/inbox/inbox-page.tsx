import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Icon } from '../../../kit/icon.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { organizationPath } from '../addresses.ts'
import { useIsNarrow } from '../frame/narrow.ts'
import shellStyles from '../frame/shell.module.css'
import { useTitle } from '../frame/topic-place.tsx'
import styles from './inbox-page.module.css'

/** A place beside the conversations: its head, what its list is filtered by, and the list, which scrolls. */
export function InboxPage({
  title,
  about,
  filters,
  children,
}: {
  title: string
  about: string
  filters?: ReactNode
  children: ReactNode
}) {
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
      {filters !== undefined && <div className={styles.filters}>{filters}</div>}
      <div className={styles.scroll}>{children}</div>
    </main>
  )
}
