import { Keyboard, LogOut, SlidersHorizontal, SmilePlus, UserRound } from 'lucide-react'
import { useContext } from 'react'
import { useLocation } from 'wouter'
import { signOut } from '../../../api/session.ts'
import { Face } from '../../../kit/face.tsx'
import { Icon } from '../../../kit/icon.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { VisuallyHidden } from '../../../kit/visually-hidden.tsx'
import { common } from '../../../texts/common.ts'
import { changeLanguage } from '../../../texts/language.ts'
import { shell } from '../../../texts/shell.ts'
import { LANGUAGES, useTexts } from '../../../texts/texts.ts'
import { PreferencesContext } from '../../../ui/settings.tsx'
import { useErrorText } from '../../../ui/states.tsx'
import { useChat } from '../../store/context.tsx'
import { useOverlay } from './overlay.ts'
import styles from './sidebar.module.css'

/** At the foot of the sidebar: oneself, how it looks, and the way out. */
export function AccountMenu() {
  const t = useTexts(shell)
  const c = useTexts(common)
  const me = useChat((state) => state.me)
  const isLive = useChat(({ connection }) => connection === 'live')
  const open = useOverlay()
  const [, navigate] = useLocation()
  const preferences = useContext(PreferencesContext)
  const errorText = useErrorText()
  const leave = () =>
    signOut().then(
      () => navigate('/sign-in'),
      (error: unknown) => showToast({ text: errorText(error), tone: 'bad' }),
    )
  if (!me) return <div className={styles.foot} />
  return (
    <div className={styles.foot}>
      <Menu
        label={t.accountMenu(me.name)}
        side="top"
        trigger={(props) => (
          <button type="button" {...props} className={styles.me}>
            <Face member={me} size={32} presence={isLive ? 'here' : 'away'} />
            <span className={styles.words}>
              <span className={styles.myName}>
                <bdi>{me.name}</bdi>
              </span>
              <span className={styles.myState}>{me.statusText ?? (isLive ? t.here : t.away)}</span>
              <VisuallyHidden>{c.account}</VisuallyHidden>
            </span>
            <Icon icon={SlidersHorizontal} />
          </button>
        )}
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
            options: Object.entries(LANGUAGES),
            onChange: (value) => changeLanguage(value === 'de' ? 'de' : 'en'),
          },
          { kind: 'line' },
          { label: t.keys, icon: Keyboard, keys: '?', onSelect: () => open({ kind: 'keys' }) },
          { label: t.editProfile, icon: SmilePlus, onSelect: () => open({ kind: 'profile' }) },
          { label: c.account, icon: UserRound, onSelect: () => navigate('/account') },
          { label: c.signOut, icon: LogOut, onSelect: () => void leave() },
        ]}
      />
    </div>
  )
}
