import { useState } from 'react'
import type { ChatMember } from '../../../../../contract/people/chat-records.ts'
import { Combobox } from '../../../kit/combobox.tsx'
import { Face } from '../../../kit/face.tsx'
import { MemberChip } from '../../../kit/marks.tsx'
import { useChat } from '../../store/context.tsx'
import { useFoundMembers } from '../../store/found-members.ts'
import { presenceOf } from '../profile/presence.ts'

/** Rows of a search: those who are left out are among them. */
const FOUND = 50

/** People and bots of the organization, several of them. */
export function MemberPicker({
  label,
  placeholder,
  hint,
  mistake,
  isRequired = false,
  chosen,
  onChange,
  without = [],
  withMe = false,
  type,
  max,
  autoFocus = false,
}: {
  label: string
  placeholder: string
  hint?: string | undefined
  mistake?: string | undefined
  isRequired?: boolean
  chosen: readonly ChatMember[]
  onChange: (chosen: ChatMember[]) => void
  /** Members who are not offered: those who are there already. */
  without?: readonly string[]
  /** Offers the person themselves, too. */
  withMe?: boolean
  /** Only people, or only bots. */
  type?: ChatMember['type']
  max: number
  autoFocus?: boolean
}) {
  const members = useChat((state) => state.members)
  const online = useChat((state) => state.online)
  const me = useChat((state) => state.me)
  const hasMany = useChat(({ organization }) => organization?.manyMembers === true)
  const [search, setSearch] = useState('')
  const found = useFoundMembers(true, { search, limit: FOUND })
  const isOffered = ({ id, status, type: kind }: ChatMember) =>
    status === 'Active' &&
    (withMe || id !== me?.id) &&
    !without.includes(id) &&
    (type === undefined || kind === type)
  const offered = hasMany
    ? (found ?? []).filter(isOffered)
    : [...members.values()].filter(isOffered).sort((one, other) => one.name.localeCompare(other.name))
  return (
    <Combobox
      label={label}
      placeholder={placeholder}
      hint={hint}
      mistake={mistake}
      isRequired={isRequired}
      items={offered}
      chosen={chosen}
      onChange={onChange}
      max={max}
      {...(hasMany && { onSearch: setSearch })}
      autoFocus={autoFocus}
      mark={(member, size) => <Face member={member} size={size} presence={presenceOf(member, online)} />}
      note={(member) =>
        member.type === 'bot' || member.role === 'guest' ? <MemberChip {...member} /> : member.email
      }
    />
  )
}
