import { LogOut, SlidersHorizontal, UserRound } from 'lucide-react'
import { useContext } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '../../../api/session.ts'
import { useErrorText } from '../../../kit/error-text.ts'
import { Face, type FaceOf, type Presence } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { PreferencesContext } from '../../../kit/preferences.ts'
import { showToast } from '../../../kit/toast.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { common } from '../../../texts/common.ts'
import { changeLanguage } from '../../../texts/language.ts'
import { shell } from '../../../texts/shell.ts'
import { LANGUAGE_NAMES, useTexts } from '../../../texts/texts.ts'
import styles from './sidebar.module.css'
import tabs from './tab-bar.module.css'

/** At the foot of each sidebar: oneself, how it looks, and the way out. */
export function AccountButton({
  me,
  presence,
  note,
  more = [],
  isTab = false,
}: {
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
  const preferences = useContext(PreferencesContext)
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
          {
            kind: 'choice',
            label: t.theme,
            value: preferences.theme,
            options: [
              ['system', c.theme.system],
              ['light', c.theme.light],
              ['dark', c.theme.dark],
            ],
            onChange: (value) =>
              preferences.setTheme(value === 'light' || value === 'dark' ? value : 'system'),
          },
          { kind: 'line' },
          {
            kind: 'choice',
            label: t.density,
            value: preferences.density,
            options: [
              ['comfortable', t.comfortable],
              ['compact', t.compact],
            ],
            onChange: (value) => preferences.setDensity(value === 'compact' ? 'compact' : 'comfortable'),
          },
          { kind: 'line' },
          {
            kind: 'choice',
            label: t.language,
            value: preferences.language,
            options: LANGUAGE_NAMES,
            onChange: changeLanguage,
          },
          { kind: 'line' },
          ...more,
          { label: c.account, icon: UserRound, onSelect: () => navigate('/account') },
          { label: c.signOut, icon: LogOut, onSelect: () => void leave() },
        ]}
      />
    </div>
  )
}
