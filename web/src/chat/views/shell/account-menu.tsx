import { Bell, Keyboard, SmilePlus } from 'lucide-react'
import { useLocation } from 'wouter'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { notificationsPath } from '../addresses.ts'
import { AccountButton } from './account-button.tsx'
import { useOverlay } from './overlay.ts'
import styles from './sidebar.module.css'

/** Oneself as the others see one in the chat. */
export function AccountMenu() {
  const t = useTexts(shell)
  const me = useChat((state) => state.me)
  const isLive = useChat(({ connection }) => connection === 'live')
  const open = useOverlay()
  const [, navigate] = useLocation()
  const organizationId = useChat((state) => state.organizationId)
  if (!me) return <div className={styles.foot} />
  return (
    <AccountButton
      me={me}
      presence={isLive ? 'here' : 'away'}
      note={me.statusText ?? (isLive ? t.here : t.away)}
      more={[
        { label: t.keys, icon: Keyboard, keys: '?', onSelect: () => open({ kind: 'keys' }) },
        {
          label: t.notifications,
          icon: Bell,
          onSelect: () => navigate(notificationsPath(organizationId)),
        },
        { label: t.editProfile, icon: SmilePlus, onSelect: () => open({ kind: 'profile' }) },
      ]}
    />
  )
}
