import { AtSign, House, Search } from 'lucide-react'
import { Link } from 'wouter'
import { classes } from '../../../kit/classes.ts'
import { Icon } from '../../../kit/icon.tsx'
import { Count } from '../../../kit/marks.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { unreadTotal } from '../../store/selectors.ts'
import { mentionsPath, organizationPath, searchPath } from '../addresses.ts'
import { AccountMenu } from './account-menu.tsx'
import styles from './tab-bar.module.css'

/** At the foot of a narrow page, beside a list: what a thumb reaches. A conversation has its composer there. */
export function TabBar({ place }: { place: string }) {
  const t = useTexts(shell)
  const organizationId = useChat((state) => state.organizationId)
  const mentions = useChat((state) => unreadTotal(state).mentions)
  const waiting = useChat((state) => unreadTotal(state).waiting)
  const tabs = [
    ['start', organizationPath(organizationId), House, t.home, Math.max(0, waiting - mentions)],
    ['mentions', mentionsPath(organizationId), AtSign, t.mentions, mentions],
    ['search', searchPath(organizationId), Search, t.search, 0],
  ] as const
  return (
    <nav className={styles.bar} aria-label={t.tabs}>
      {tabs.map(([kind, path, icon, label, count]) => (
        <Link
          key={kind}
          to={path}
          className={classes(styles.tab, kind === place && styles.open)}
          aria-current={kind === place ? 'page' : undefined}
        >
          <span className={styles.sign}>
            <Icon icon={icon} />
            <span className={styles.count}>
              <Count value={count} waits isMention={kind === 'mentions'} />
            </span>
          </span>
          {label}
        </Link>
      ))}
      <AccountMenu isTab />
    </nav>
  )
}
