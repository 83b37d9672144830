import type { KeyboardEvent } from 'react'
import type { Message } from '../../../../../../contract/message.ts'
import type { ChatState } from '../../../model.ts'
import { isStreaming } from '../../../store/streaming.ts'
import { type MessageTools, mayDelete, mayEdit } from '../message/actions.ts'
import { indexOfId } from './rows.ts'
import { isSelectable } from './selection.ts'

/** Keys while a message has the focus: they go from one to the next, and act on it. */
export function listKeys({
  ids,
  messageOf,
  state,
  tools,
  focusRow,
  onEdit,
  onLeave,
  select,
  endSelecting,
  toNewest,
}: {
  ids: readonly string[]
  messageOf: (id: string) => Message | undefined
  state: () => ChatState
  tools: MessageTools
  focusRow: (index: number) => void
  onEdit: (messageId: string) => void
  onLeave: () => void
  /** Selects a message, or all up to it from the one before. */
  select: (messageId: string, isRange: boolean) => void
  /** Given while messages are selected. */
  endSelecting: (() => void) | undefined
  /** Given while messages newer than the list are not loaded. */
  toNewest: (() => void) | undefined
}) {
  const actsOn = (message: Message, row: HTMLElement): Record<string, (() => void) | undefined> => ({
    Enter: () => tools.openMenu(message, row),
    t: () => tools.reply(message),
    q: tools.quote && (() => tools.quote?.(message)),
    e: mayEdit(message, state()) ? () => onEdit(message.id) : undefined,
    u: () => tools.markUnread(message),
    r: () => tools.openPicker(message, row),
    c: () => tools.copyLink(message),
    Delete: mayDelete(message, state()) ? () => tools.remove(message) : undefined,
  })
  return (event: KeyboardEvent): void => {
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null
    // Browsers scroll only to the end of the loaded messages when the list itself has the focus.
    if (row === null && event.key === 'End' && toNewest) {
      event.preventDefault()
      toNewest()
      return
    }
    if (!(row instanceof HTMLElement) || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target !== row) {
      if (event.key === 'Escape' && !(event.target instanceof HTMLTextAreaElement)) row.focus()
      return
    }
    const index = indexOfId(ids, row.dataset.row)
    const message = messageOf(ids[index] ?? '')
    if (!message) return
    const act = isStreaming(message) ? undefined : actsOn(message, row)
    const keys: Record<string, (() => void) | undefined> = {
      ArrowUp: () => focusRow(index - 1),
      ArrowDown: () => (index === ids.length - 1 ? onLeave() : focusRow(index + 1)),
      Home: () => focusRow(0),
      End: toNewest ?? (() => focusRow(ids.length - 1)),
      Escape: endSelecting ?? onLeave,
      x: isSelectable(message) ? () => select(message.id, event.shiftKey) : undefined,
      ...act,
    }
    const pressed = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key]
    if (!pressed) return
    event.preventDefault()
    pressed()
  }
}
