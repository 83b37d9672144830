import { Keyboard, SmilePlus, Users } from 'lucide-react'
import { shell } from '../../../texts/shell.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat } from '../../store/context.tsx'
import { presenceOf, statusLine } from '../profile/presence.ts'
import { AccountButton } from './account-button.tsx'
import { useOverlay } from './overlay.ts'
import styles from './sidebar.module.css'

/** Oneself as the others see one in the chat. */
export function AccountMenu({ isTab = false }: { isTab?: boolean }) {
  const t = useTexts(shell)
  const me = useChat((state) => state.me)
  const presence = useChat(({ connection, me: own, online }) =>
    connection === 'live' ? own && presenceOf(own, online) : 'away',
  )
  const isShown = useChat(({ online }) => online !== undefined)
  const open = useOverlay()
  const organizationId = useChat((state) => state.organizationId)
  if (!me) return isTab ? <span /> : <div className={styles.foot} />
  return (
    <AccountButton
      organizationId={organizationId}
      me={me}
      isTab={isTab}
      presence={presence}
      note={statusLine(me) || t[presence ?? 'here']}
      more={[
        { label: t.keys, icon: Keyboard, keys: '?', onSelect: () => open({ kind: 'keys' }) },
        ...(isShown
          ? [{ label: t.setStatus, icon: SmilePlus, onSelect: () => open({ kind: 'status' }) }]
          : []),
        ...(me.role === 'guest'
          ? []
          : [{ label: t.groups, icon: Users, onSelect: () => open({ kind: 'groups' }) }]),
      ]}
    />
  )
}
