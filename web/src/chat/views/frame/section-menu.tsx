import { ArrowDown, ArrowUp, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { LIMITS } from '../../../../../contract/limits.ts'
import type { SidebarSection } from '../../../../../contract/people/chat-records.ts'
import { SECTION_ORDERS } from '../../../../../contract/people/section-names.ts'
import { IconButton } from '../../../kit/button.tsx'
import { Menu, type MenuEntry } from '../../../kit/menu.tsx'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import { kit } from '../../../texts/kit.ts'
import { sections as texts } from '../../../texts/sections.ts'
import { useTexts } from '../../../texts/texts.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import { sectionOf } from '../../store/sections.ts'
import { topicsIn } from '../../store/selectors.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import { useAttempt } from './attempt.ts'
import { useOverlay } from './overlay.ts'
import { useSectionName } from './section-names.ts'

/** What can be done with a section: how it is sorted, and, with one of the person's own, its name and place. */
export default function SectionMenu({ section }: { section: SidebarSection }) {
  const t = useTexts(texts)
  const k = useTexts(kit)
  const open = useOverlay()
  const attempt = useAttempt()
  const actions = useChatActions()
  const snapshot = useSnapshot()
  const all = useChat(({ sections }) => sections)
  const title = useSectionName()(section)
  const change = (given: Parameters<typeof actions.updateSection>[1]) =>
    void attempt(() => actions.updateSection(section.id, given))
  const remove = async () => {
    const topicIds = topicsIn(snapshot(), section.id).map(({ id }) => id)
    if (!(await attempt(() => actions.deleteSection(section.id)))) return
    const restore = async () => {
      const { id } = await actions.createSection(section.name ?? '')
      const first = topicIds.slice(0, LIMITS.arrangedTopics)
      if (first.length > 0) await actions.arrangeSection(id, first)
      for (const topicId of topicIds.slice(first.length)) await actions.moveToSection(topicId, id)
      await actions.updateSection(id, { order: section.order, after: above, folded: section.folded })
    }
    const own = all.filter(({ name }) => name !== undefined)
    const above = own[own.findIndex(({ id }) => id === section.id) - 1]?.id ?? null
    showToast({
      text: t.removed(named(title)),
      action: { label: k.undo, onAct: () => void attempt(restore) },
    })
  }
  const entries = (): MenuEntry[] => {
    const own = all.filter(({ name }) => name !== undefined)
    const at = own.findIndex(({ id }) => id === section.id)
    const isUnreadFirst = !sectionOf(all, 'unread').folded
    return [
      {
        kind: 'choice',
        label: t.sort,
        value: section.order,
        options: SECTION_ORDERS.map((order) => [order, t.orders[order]] as const),
        onChange: (chosen) => {
          const order = SECTION_ORDERS.find((one) => one === chosen)
          if (order) change({ order })
        },
      },
      ...(section.id === 'topics'
        ? ([
            { kind: 'line' },
            {
              kind: 'check',
              label: t.unreadFirst,
              isOn: isUnreadFirst,
              onChange: (isOn) => void attempt(() => actions.updateSection('unread', { folded: !isOn })),
            },
          ] satisfies MenuEntry[])
        : []),
      ...(at >= 0
        ? ([
            { kind: 'line' },
            {
              label: t.rename,
              icon: Pencil,
              onSelect: () => open({ kind: 'section', sectionId: section.id }),
            },
            {
              label: t.up,
              icon: ArrowUp,
              disabled: at === 0,
              onSelect: () => change({ after: own[at - 2]?.id ?? null }),
            },
            {
              label: t.down,
              icon: ArrowDown,
              disabled: at === own.length - 1,
              onSelect: () => change({ after: own[at + 1]?.id ?? null }),
            },
            { kind: 'line' },
            { label: t.remove, icon: Trash2, onSelect: () => void remove() },
          ] satisfies MenuEntry[])
        : []),
    ]
  }
  return (
    <Menu
      label={t.more(title)}
      align="end"
      trigger={(props) => <IconButton {...props} label={t.more(title)} icon={Ellipsis} size="tiny" />}
      entries={entries}
    />
  )
}
