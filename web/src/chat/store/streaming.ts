import type { Message } from '../../../../contract/message.ts'
import type { Progress } from '../../../../contract/message-progress.ts'
import type { StreamedText } from '../../../../contract/people/stream.ts'
import type { StreamingMessage } from '../../../../contract/people/streaming-message.ts'
import { placeMessage, removeMessage } from './content.ts'
import type { StateEdit } from './state-edit.ts'

/** A bot is still writing it: it cannot be answered, read or linked to yet. */
export const isStreaming = (message: Pick<Message, 'stream'> | undefined): boolean =>
  message?.stream?.status === 'streaming'

/** Applies new text of bots. Text whose predecessor never came is left out: the hub reads it. */
export function applyPieces(edit: StateEdit, texts: readonly StreamedText[]): void {
  for (const { messageId, version, from, text, message } of texts) {
    const known =
      edit.streaming.get(messageId) ?? (message && from === 0 ? { version: 0, message } : undefined)
    if (!known || version <= known.version || from > known.message.text.length) continue
    show(edit, { version, message: { ...known.message, text: known.message.text.slice(0, from) + text } })
  }
}

/** Shows what a bot does for a message that it is writing, in place of what was shown before. */
export function applyProgress(edit: StateEdit, messageId: string, progress: Progress): void {
  const known = edit.streaming.get(messageId)
  if (!known) return
  const { steps: _steps, sources: _sources, ...message } = known.message
  const { activity, ...kept } = progress
  const stream = { status: 'streaming' as const, ...(activity !== undefined && { activity }) }
  show(edit, { ...known, message: { ...message, ...kept, stream } })
}

/** Stores streaming messages as the server has them. Pieces that arrived since are newer and stay. */
export function putStreaming(edit: StateEdit, streaming: readonly StreamingMessage[]): void {
  for (const one of streaming) {
    const known = edit.streaming.get(one.message.id)
    if (!known || known.version < one.version || known.message.text.length < one.message.text.length)
      show(edit, one)
  }
}

/** Replaces all streaming messages. One that is missing from the list has ended during a gap. */
export function replaceStreaming(edit: StateEdit, streaming: readonly StreamingMessage[]): void {
  const ids = new Set(streaming.map(({ message }) => message.id))
  for (const message of edit.messages.result.values())
    if (isStreaming(message) && !ids.has(message.id)) removeMessage(edit, message.id)
  for (const id of edit.streaming.result.keys()) if (!ids.has(id)) edit.streaming.delete(id)
  putStreaming(edit, streaming)
}

/** Into conversations that were just loaded. */
export function showStreaming(edit: StateEdit): void {
  for (const one of edit.streaming.result.values()) show(edit, one)
}

function show(edit: StateEdit, one: StreamingMessage): void {
  const { message } = one
  const shown = edit.messages.get(message.id)
  if (shown && !isStreaming(shown)) {
    edit.streaming.delete(message.id) // it has ended: this came too late
    return
  }
  edit.streaming.set(message.id, one)
  if (shown || placeMessage(edit, message)) edit.messages.set(message.id, message)
}
