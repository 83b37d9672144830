import { ChevronsUpDown, Settings2, UserPlus } from 'lucide-react'
import { useLocation } from 'wouter'
import type { Session } from '../../../../../contract/people/session.ts'
import { isAdmin } from '../../../api/session.ts'
import { Icon } from '../../../kit/icon.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { organizationPath } from '../addresses.ts'
import styles from './sidebar.module.css'

/** The name of the organization: it leads to the others, and admins to the console. */
export function OrganizationMenu({
  session,
  organizationId,
  isHeading = false,
  note,
  pathOf = organizationPath,
}: {
  session: Session
  organizationId: string
  isHeading?: boolean
  /** Below the name: the place in it that one is at. */
  note?: string
  /** The path of an organization that is chosen in the menu. */
  pathOf?: (organizationId: string) => string
}) {
  const t = useTexts(shell)
  const [, navigate] = useLocation()
  const memberships = session.account?.memberships ?? []
  const here = memberships.find((one) => one.organizationId === organizationId)
  const name = here?.organizationName ?? ''
  const entries = (): MenuEntry[] => {
    const organizations = memberships.map((one) => ({
      label: one.organizationName,
      mark: <img src={one.logoUrl ?? '/icon.svg'} alt="" className={styles.logo} />,
      isChosen: one.organizationId === organizationId,
      onSelect: () => navigate(pathOf(one.organizationId)),
    }))
    if (!here || !isAdmin(here)) return [{ kind: 'head', label: t.organizations }, ...organizations]
    return [
      { kind: 'head', label: t.organizations },
      ...organizations,
      { kind: 'line' },
      { label: t.openConsole, icon: Settings2, onSelect: () => navigate(`/console/${organizationId}`) },
      {
        label: t.invite,
        icon: UserPlus,
        onSelect: () => navigate(`/console/${organizationId}/members?invite`),
      },
    ]
  }
  const menu = (
    <Menu
      label={t.organizations}
      entries={entries}
      trigger={(props) => (
        <button type="button" {...props} className={styles.who}>
          <img src={here?.logoUrl ?? '/icon.svg'} alt="" className={styles.logo} />
          <span className={styles.organization}>
            <bdi>{name}</bdi>
            {note !== undefined && <span className={styles.myState}>{note}</span>}
          </span>
          <VisuallyHidden>{t.organizationMenu}</VisuallyHidden>
          <Icon icon={ChevronsUpDown} size={14} />
        </button>
      )}
    />
  )
  return isHeading ? <h1 className={styles.heading}>{menu}</h1> : menu
}
