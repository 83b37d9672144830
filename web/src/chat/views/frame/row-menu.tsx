import { type MouseEvent, type PointerEvent, Suspense, useRef, useState } from 'react'
import { MenuPopup } from '../../../kit/menu.tsx'
import { useTexts } from '../../../texts/texts.ts'
import { topic as texts } from '../../../texts/topic.ts'
import { useChat } from '../../store/context.tsx'
import { nameOf } from '../../store/selectors.ts'
import { useLongPress } from '../conversation/list/long-press.ts'
import { useSnapshot } from '../conversation/snapshot.ts'
import { useTopicEntries } from './topic-entries.ts'

type Opened = { topicId: string; row: HTMLElement }

const rowAt = (target: EventTarget): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>('[data-topic]') : null

/** The menu of a row of conversations: by right click, by the key for menus, and by a finger that rests. */
export function useRowMenu() {
  const t = useTexts(texts)
  const entriesOf = useTopicEntries()
  const snapshot = useSnapshot()
  const [opened, setOpened] = useState<Opened>()
  const [isOpen, setOpen] = useState(false)
  const topic = useChat(({ topics }) => topics.get(opened?.topicId ?? ''))
  const pressed = useRef<HTMLElement>(null)
  const focus = useRef<HTMLElement>(null)
  const open = (row: HTMLElement | null) => {
    const topicId = row?.dataset.topic
    if (!row || topicId === undefined || !snapshot().topics.get(topicId)?.isMember) return false
    focus.current = row
    setOpened({ topicId, row })
    setOpen(true)
    return true
  }
  const press = useLongPress(() => open(pressed.current))
  return {
    handlers: {
      ...press,
      onPointerDown: (event: PointerEvent) => {
        pressed.current = rowAt(event.target)
        press.onPointerDown(event)
      },
      onContextMenu: (event: MouseEvent) => {
        if (open(rowAt(event.target))) event.preventDefault()
      },
    },
    menu: opened && topic && (
      <Suspense>
        <MenuPopup
          label={t.more}
          anchor={opened.row}
          open={isOpen}
          onOpenChange={setOpen}
          entries={() => entriesOf(topic, nameOf(snapshot(), topic))}
          finalFocus={focus}
        />
      </Suspense>
    ),
  }
}
