import type { DragEvent, KeyboardEvent } from 'react'
import { LIMITS } from '../../../../../contract/limits.ts'
import { named } from '../../../kit/name.tsx'
import { showToast } from '../../../kit/toast.tsx'
import type { kit } from '../../../texts/kit.ts'
import type { sections as texts } from '../../../texts/sections.ts'
import type { useTexts } from '../../../texts/texts.ts'
import type { useChatActions } from '../../store/context.tsx'
import { arranged, mayStandIn, sectionIdOf, sectionOf } from '../../store/sections.ts'
import { topicsIn } from '../../store/selectors.ts'
import type { useSnapshot } from '../conversation/snapshot.ts'
import type { useAttempt } from './attempt.ts'
import type { useOverlay } from './overlay.ts'
import type { useSectionName } from './section-names.ts'

type Dragged = { topicId: string } | { sectionId: string }
type Place = 'before' | 'after' | 'into'

const closest = (target: EventTarget, selector: string): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>(selector) : null
const isInUpperHalf = (element: HTMLElement, y: number): boolean => {
  const { top, height } = element.getBoundingClientRect()
  return y < top + height / 2
}

/** The things of a page that moving needs. */
export type Page = {
  t: ReturnType<typeof useTexts<typeof texts.en>>
  k: ReturnType<typeof useTexts<typeof kit.en>>
  open: ReturnType<typeof useOverlay>
  attempt: ReturnType<typeof useAttempt>
  actions: ReturnType<typeof useChatActions>
  snapshot: ReturnType<typeof useSnapshot>
  nameOfSection: ReturnType<typeof useSectionName>
}

/** Handlers of the list: dragging begins on a row or on the head of a section of the person's own. */
export function rowMovesOf({ t, k, open, attempt, actions, snapshot, nameOfSection }: Page) {
  let dragged: Dragged | undefined
  let marked: HTMLElement | undefined
  const mark = (element?: HTMLElement, place?: Place) => {
    if (marked && marked !== element) delete marked.dataset.drop
    marked = element
    if (element && place) element.dataset.drop = place
  }
  const sectionOfTopic = (topicId: string): string | undefined => {
    const { topics, sections } = snapshot()
    const topic = topics.get(topicId)
    return topic && sectionIdOf(topic, sections)
  }
  const end = () => {
    dragged = undefined
    mark()
  }

  /** Where the dragged conversation would go; undefined: nowhere. */
  const targetOf = (topicId: string, event: DragEvent) => {
    const { topics, sections } = snapshot()
    const topic = topics.get(topicId)
    const element = closest(event.target, '[data-section]')
    const sectionId = element?.dataset.section
    if (!topic || !element || sectionId === undefined || !mayStandIn(topic, sectionId)) return undefined
    const isHome = sectionIdOf(topic, sections) === sectionId
    const row = closest(event.target, '[data-topic]')
    const besideId = row?.dataset.topic
    if (!row || besideId === undefined || (!isHome && sectionOf(sections, sectionId).order !== 'hand'))
      return isHome ? undefined : { sectionId, element, place: 'into' as const }
    const place = isInUpperHalf(row, event.clientY) ? ('before' as const) : ('after' as const)
    return { sectionId, element: row, place, besideId }
  }

  const arrange = async (sectionId: string, topicId: string, index: number) => {
    const state = snapshot()
    const before = sectionOf(state.sections, sectionId)
    const topicIds = arranged(topicsIn(state, sectionId), topicId, index)
    if (topicIds.length > LIMITS.arrangedTopics) {
      showToast({ text: t.tooFar })
      return
    }
    const isDone = await attempt(() => actions.arrangeSection(sectionId, topicIds))
    if (!isDone || before.order === 'hand') return
    showToast({
      text: t.byHand(named(nameOfSection(before))),
      action: {
        label: k.undo,
        onAct: () => void attempt(() => actions.updateSection(sectionId, { order: before.order })),
      },
    })
  }

  const dropTopic = (topicId: string, event: DragEvent) => {
    const target = targetOf(topicId, event)
    if (!target) return
    const { sectionId, place } = target
    if (place === 'into') {
      void attempt(() => actions.moveToSection(topicId, sectionId))
      return
    }
    const others = topicsIn(snapshot(), sectionId).filter(({ id }) => id !== topicId)
    const at = others.findIndex(({ id }) => id === target.besideId)
    if (at >= 0) void arrange(sectionId, topicId, place === 'before' ? at : at + 1)
  }

  const sectionTargetOf = (sectionId: string, event: DragEvent) => {
    const element = closest(event.target, '[data-section]')
    const besideId = element?.dataset.section
    const own = snapshot().sections.filter(({ name }) => name !== undefined)
    if (!element || besideId === sectionId || !own.some(({ id }) => id === besideId)) return undefined
    const isAbove = isInUpperHalf(element, event.clientY)
    const others = own.filter(({ id }) => id !== sectionId)
    const at = others.findIndex(({ id }) => id === besideId)
    return {
      element,
      place: isAbove ? ('before' as const) : ('after' as const),
      after: others[isAbove ? at - 1 : at]?.id ?? null,
    }
  }

  return {
    onDragStart: (event: DragEvent) => {
      const topicId = closest(event.target, '[data-topic]')?.dataset.topic
      const sectionId = closest(event.target, '[data-section-head]')?.dataset.sectionHead
      if (topicId !== undefined && sectionOfTopic(topicId) !== undefined) dragged = { topicId }
      else if (sectionId !== undefined) dragged = { sectionId }
      else return
      event.dataTransfer.effectAllowed = 'copyMove'
      if (sectionId !== undefined) event.dataTransfer.setData('text/plain', '')
    },
    onDragOver: (event: DragEvent) => {
      const moving = dragged
      if (!moving) return
      const target =
        'topicId' in moving ? targetOf(moving.topicId, event) : sectionTargetOf(moving.sectionId, event)
      mark(target?.element, target?.place)
      if (!target) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
    },
    onDrop: (event: DragEvent) => {
      const moving = dragged
      if (!moving) return
      event.preventDefault()
      if ('topicId' in moving) dropTopic(moving.topicId, event)
      else {
        const target = sectionTargetOf(moving.sectionId, event)
        if (target) void attempt(() => actions.updateSection(moving.sectionId, { after: target.after }))
      }
      end()
    },
    onDragEnd: end,
    onKeyDown: (event: KeyboardEvent) => {
      const topicId = closest(event.target, '[data-topic]')?.dataset.topic
      const sectionId = topicId === undefined ? undefined : sectionOfTopic(topicId)
      if (topicId === undefined || sectionId === undefined) return
      const { key, ctrlKey, metaKey, shiftKey, altKey } = event
      const isPlain = !ctrlKey && !metaKey && !altKey && !shiftKey
      if (isPlain && key.toLowerCase() === 'm') {
        event.preventDefault()
        open({ kind: 'move-topic', topicId })
        return
      }
      const step = key === 'ArrowUp' ? -1 : key === 'ArrowDown' ? 1 : 0
      if (step === 0 || !(ctrlKey || metaKey) || !shiftKey || altKey) return
      event.preventDefault()
      const topics = topicsIn(snapshot(), sectionId)
      const to = topics.findIndex(({ id }) => id === topicId) + step
      if (to >= 0 && to < topics.length) void arrange(sectionId, topicId, to)
    },
  }
}
