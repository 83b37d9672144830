import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import { Combobox } from '../../../kit/combobox.tsx'
import { Face } from '../../../kit/face.tsx'
import { BotChip } from '../../../kit/marks.tsx'
import { useChat } from '../../store/context.tsx'
import { presenceOf } from '../profile/presence.ts'

/** People and bots of the organization, several of them. */
export function MemberPicker({
  label,
  placeholder,
  hint,
  chosen,
  onChange,
  without = [],
  max,
  autoFocus = false,
}: {
  label: string
  placeholder: string
  hint?: string | undefined
  chosen: readonly ChatMember[]
  onChange: (chosen: ChatMember[]) => void
  /** Members who are not offered: those who are there already. */
  without?: readonly string[]
  max: number
  autoFocus?: boolean
}) {
  const members = useChat((state) => state.members)
  const online = useChat((state) => state.online)
  const me = useChat((state) => state.me)
  const offered = [...members.values()]
    .filter(({ id, status }) => status === 'Active' && id !== me?.id && !without.includes(id))
    .sort((one, other) => one.name.localeCompare(other.name))
  return (
    <Combobox
      label={label}
      placeholder={placeholder}
      hint={hint}
      items={offered}
      chosen={chosen}
      onChange={onChange}
      max={max}
      autoFocus={autoFocus}
      mark={(member, size) => <Face member={member} size={size} presence={presenceOf(member, online)} />}
      note={(member) => (member.type === 'bot' ? <BotChip /> : member.email)}
    />
  )
}
