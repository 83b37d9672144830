import { LogOut, Settings2, SlidersHorizontal } from 'lucide-react'
import { useLocation } from 'wouter'
import { signOut } from '../../../api/session.ts'
import { useErrorText } from '../../../kit/error-text.ts'
import { Face, type FaceOf, type Presence } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { common } from '../../../texts/common.ts'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { settingsPath } from '../addresses.ts'
import styles from './sidebar.module.css'
import tabs from './tab-bar.module.css'

/** At the foot of each sidebar: oneself, one's settings, and the way out. */
export function AccountButton({
  organizationId,
  me,
  presence,
  note,
  more = [],
  isTab = false,
}: {
  organizationId: string
  me: FaceOf
  presence?: Presence | undefined
  /** Below the name. */
  note: string
  /** Further entries of the menu. */
  more?: readonly MenuEntry[]
  /** One of the tabs of a phone. */
  isTab?: boolean
}) {
  const t = useTexts(shell)
  const c = useTexts(common)
  const [, navigate] = useLocation()
  const errorText = useErrorText()
  const leave = () =>
    signOut().then(
      () => navigate('/sign-in'),
      (error: unknown) => showToast({ text: errorText(error), tone: 'bad' }),
    )
  return (
    <div className={isTab ? tabs.account : styles.foot}>
      <Menu
        label={t.accountMenu(me.name)}
        side="top"
        trigger={(props) =>
          isTab ? (
            <button type="button" {...props} className={tabs.tab}>
              <Face member={me} size={22} presence={presence} />
              {t.youTab}
            </button>
          ) : (
            <button type="button" {...props} className={styles.me}>
              <Face member={me} size={32} presence={presence} />
              <span className={styles.words}>
                <span className={styles.myName}>
                  <bdi>{me.name}</bdi>
                </span>
                <span className={styles.myState}>{note}</span>
                <VisuallyHidden>{c.account}</VisuallyHidden>
              </span>
              <Icon icon={SlidersHorizontal} />
            </button>
          )
        }
        entries={() => [
          ...more,
          { label: t.settings, icon: Settings2, onSelect: () => navigate(settingsPath(organizationId)) },
          { kind: 'line' },
          { label: c.signOut, icon: LogOut, onSelect: () => void leave() },
        ]}
      />
    </div>
  )
}
