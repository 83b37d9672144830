import {
  Archive,
  ArrowLeft,
  AtSign,
  BookOpen,
  Bot,
  Eye,
  Flag,
  Gauge,
  Hash,
  KeyRound,
  type LucideIcon,
  Network,
  ScrollText,
  Search,
  Settings2,
  ShieldCheck,
  Tag,
  Users,
} from 'lucide-react'
import { Link, useLocation } from 'wouter'
import type { Session } from '../../../../contract/people/session.ts'
import { useMembership } from '../../api/session.ts'
import { organizationPath } from '../../chat/views/addresses.ts'
import { AccountButton } from '../../chat/views/frame/account-button.tsx'
import { OrganizationMenu } from '../../chat/views/frame/organization-menu.tsx'
import styles from '../../chat/views/frame/sidebar.module.css'
import { classes } from '../../kit/classes.ts'
import { Icon } from '../../kit/icon.tsx'
import { CTRL, Keys } from '../../kit/keys.tsx'
import { common } from '../../texts/common.ts'
import { consoleTexts } from '../../texts/console.ts'
import { shell } from '../../texts/shell.ts'
import { useTexts } from '../../texts/texts.ts'

type NavName = keyof typeof consoleTexts.en.nav

/** Places of the console, by their path below it. */
export const PLACES: readonly (readonly [path: string, name: NavName, icon: LucideIcon])[] = [
  ['', 'overview', Gauge],
  ['/members', 'members', Users],
  ['/topics', 'topics', Hash],
  ['/bots', 'bots', Bot],
  ['/labels', 'labels', Tag],
  ['/org-units', 'orgUnits', Network],
  ['/groups', 'groups', AtSign],
  ['/settings', 'settings', Settings2],
  ['/identity', 'identity', KeyRound],
  ['/records', 'records', Archive],
  ['/readings', 'readings', Eye],
  ['/reports', 'reports', Flag],
  ['/message-check', 'messageCheck', ShieldCheck],
  ['/audit', 'audit', ScrollText],
]
/** The first so many are about the organization, the rest about how it is run. */
const OF_ORGANIZATION = 7

/** The chat's sidebar with the places of the console in it, and the way back. */
export function ConsoleSidebar({
  session,
  isWhole,
  onSearch,
  onChosen,
}: {
  session: Session
  /** The only column. */
  isWhole: boolean
  onSearch: () => void
  /** Something was chosen: where the sidebar is the only column, it goes. */
  onChosen: () => void
}) {
  const t = useTexts(common)
  const n = useTexts(consoleTexts)
  const s = useTexts(shell)
  const { organizationId, profileId, name, role } = useMembership()
  const base = `/console/${organizationId}`
  const [location] = useLocation()
  const isAt = (path: string) =>
    path === '' ? location === base : location === base + path || location.startsWith(`${base}${path}/`)
  const links = (places: typeof PLACES) =>
    places.map(([path, nav, icon]) => (
      <li key={path}>
        <Link
          to={base + path}
          className={classes(styles.place, isAt(path) && styles.open)}
          aria-current={isAt(path) ? 'page' : undefined}
          onClick={onChosen}
        >
          <Icon icon={icon} size={18} />
          <span className={styles.words}>{n.nav[nav]}</span>
        </Link>
      </li>
    ))
  return (
    <div className={styles.sidebar}>
      <div className={styles.head}>
        <OrganizationMenu
          session={session}
          organizationId={organizationId}
          isHeading={isWhole}
          note={t.console}
          pathOf={(id) => `/console/${id}`}
        />
      </div>
      <button type="button" className={styles.find} onClick={onSearch}>
        <Icon icon={Search} size={18} />
        <span className={styles.words}>{s.goTo}</span>
        <Keys keys={`${CTRL} K`} />
      </button>
      <nav className={styles.scroll} aria-label={t.console}>
        <Link to={organizationPath(organizationId)} className={styles.place}>
          <Icon icon={ArrowLeft} size={18} />
          <span className={styles.words}>{n.backToChat}</span>
        </Link>
        <section className={styles.section}>
          <div className={styles.title}>
            <h2>{t.organization}</h2>
          </div>
          <ul>{links(PLACES.slice(0, OF_ORGANIZATION))}</ul>
        </section>
        <section className={styles.section}>
          <div className={styles.title}>
            <h2>{n.administration}</h2>
          </div>
          <ul>
            {links(PLACES.slice(OF_ORGANIZATION))}
            <li>
              <a href="/docs" target="_blank" rel="noreferrer" className={styles.place}>
                <Icon icon={BookOpen} size={18} />
                <span className={styles.words}>{n.nav.reference}</span>
              </a>
            </li>
          </ul>
        </section>
      </nav>
      <AccountButton
        organizationId={organizationId}
        me={{ id: profileId, name, type: 'user' }}
        note={t.roles[role]}
      />
    </div>
  )
}
