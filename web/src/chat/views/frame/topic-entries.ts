import { Archive, BellOff, FolderInput, Link2, LogOut, Star, Volume2 } from 'lucide-react'
import type { ChatTopic } from '../../../../../contract/people/chat-records.ts'
import type { MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { sections } from '../../../texts/sections.ts'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChatActions } from '../../store/context.tsx'
import { useAttempt } from './attempt.ts'
import { useOverlay } from './overlay.ts'

/** Entries of a topic's menu, in its head and in the list of conversations. */
export function useTopicEntries(): (topic: ChatTopic, name: string) => MenuEntry[] {
  const t = useTexts(texts)
  const k = useTexts(kit)
  const sectionTexts = useTexts(sections)
  const actions = useChatActions()
  const attempt = useAttempt()
  const open = useOverlay()
  return (topic, name) => {
    const setMuted = async (muted: boolean, canUndo = true) => {
      if (!(await attempt(() => actions.setTopicState(topic.id, { muted })))) return
      showToast({
        text: muted ? t.muted(named(name)) : t.unmuted(named(name)),
        ...(canUndo && { action: { label: k.undo, onAct: () => void setMuted(!muted, false) } }),
      })
    }
    const setArchived = async (archived: boolean, canUndo = true) => {
      if (!(await attempt(() => actions.updateTopic(topic.id, { archived })))) return
      showToast({
        text: archived ? t.archived(named(name)) : t.unarchived(named(name)),
        ...(canUndo && { action: { label: k.undo, onAct: () => void setArchived(!archived, false) } }),
      })
    }
    const copyLink = async () => {
      const address = `${window.location.origin}/t/${topic.id}`
      if (await attempt(() => navigator.clipboard.writeText(address))) showToast({ text: t.linkCopied })
    }
    return [
      {
        label: topic.favourite ? t.unfavourite : t.favourite,
        icon: Star,
        onSelect: () =>
          void attempt(() => actions.moveToSection(topic.id, topic.favourite ? 'topics' : 'favourites')),
      },
      {
        label: sectionTexts.moveTo,
        icon: FolderInput,
        keys: 'M',
        onSelect: () => open({ kind: 'move-topic', topicId: topic.id }),
      },
      {
        label: topic.muted ? t.unmute : t.mute,
        icon: topic.muted ? Volume2 : BellOff,
        onSelect: () => void setMuted(!topic.muted),
      },
      { label: t.copyLink, icon: Link2, onSelect: () => void copyLink() },
      ...(topic.type === 'topic'
        ? ([
            { kind: 'line' },
            ...(topic.maySet
              ? [
                  {
                    label: topic.archivedAt === null ? t.archive : t.unarchive,
                    icon: Archive,
                    onSelect: () => void setArchived(topic.archivedAt === null),
                  },
                ]
              : []),
            {
              label: t.leave,
              icon: LogOut,
              danger: true,
              onSelect: () => open({ kind: 'leave-topic', topicId: topic.id }),
            },
          ] satisfies MenuEntry[])
        : []),
    ]
  }
}
