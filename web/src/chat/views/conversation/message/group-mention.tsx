import { createContext, useContext } from 'react'
import { EVERYONE, HERE } from '../../../../../../contract/group-mentions.ts'
import { classes } from '../../../../kit/classes.ts'
import { useChat } from '../../../store/context.tsx'
import { isMentioned, type Mentioning } from '../../../store/mentioned.ts'
import { useShell } from '../../seam.ts'
import styles from './mention.module.css'

/** The message whose text is drawn: it says which words mention groups. */
export const GroupMentionsContext = createContext<Mentioning | undefined>(undefined)

/** A word that mentions people, marigold if the reader is one of them; any other stays as it was written. */
export function GroupMention({ word }: { word: string }) {
  const message = useContext(GroupMentionsContext)
  const isMe = useChat((state) => message !== undefined && isMentioned(message, state.me?.id))
  const { openGroup } = useShell()
  const { everyone, here, groups = [] } = message?.groupMentions ?? {}
  const key = word.toLowerCase()
  const group = groups.find(({ tag }) => tag.toLowerCase() === key)
  const isWord = (everyone && key === EVERYONE) || (here && key === HERE)
  const shown = (
    <>
      @<bdi>{group?.tag ?? word}</bdi>
    </>
  )
  const look = classes(styles.mention, isMe && styles.me)
  if (isWord) return <span className={look}>{shown}</span>
  if (!group) return `<@${word}>`
  return (
    <button type="button" className={look} onClick={() => openGroup(group.id)}>
      {shown}
    </button>
  )
}
