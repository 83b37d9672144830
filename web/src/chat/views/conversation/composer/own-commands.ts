import { useMemo } from 'react'
import { LIMITS } from '../../../../../../contract/limits.ts'
import { composerTexts } from '../../../../texts/chat-composer.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { type ConversationPlace, keyOf, type PollDraft } from '../../../model.ts'
import { useChat } from '../../../store/context.tsx'
import { mayCreateTopics } from '../../../store/directory.ts'
import { type Overlay, useOverlay } from '../../frame/overlay.ts'
import { excerptOf } from '../markdown/excerpt.ts'
import { useNames } from '../message/people.ts'
import { useSnapshot } from '../snapshot.ts'

const NAMES = ['remind', 'dm', 'topic', 'status', 'poll', 'task'] as const
type Name = (typeof NAMES)[number]

/** A command of Parley itself. */
export type OwnCommand = { name: Name; description: string }

const COMMAND = /^\/([a-z]+)(?![\w-])/
const MENTION = /<@([0-9a-f-]{36})>/gi

/** The commands of Parley that this person has here, and what runs a text that is one; `run` says whether it was. */
export function useOwnCommands(
  { topicId, threadId }: ConversationPlace,
  quotedId: string | undefined,
): { commands: readonly OwnCommand[]; run: (wire: string) => boolean } {
  const t = useTexts(composerTexts).ownCommands
  const open = useOverlay()
  const snapshot = useSnapshot()
  const nameOf = useNames()
  const mayCreate = useChat(mayCreateTopics)
  const showsPresence = useChat(({ online }) => online !== undefined)
  const commands = useMemo(
    () =>
      NAMES.filter((name) => (name !== 'topic' || mayCreate) && (name !== 'status' || showsPresence)).map(
        (name) => ({ name, description: t[name] }),
      ),
    [mayCreate, showsPresence, t],
  )
  const overlayOf = (name: Name, words: string): Overlay | undefined => {
    const said = excerptOf(words, nameOf)
    const place = { topicId, ...(threadId !== undefined && { threadId }) }
    switch (name) {
      case 'remind': {
        const newest = snapshot().conversations.get(keyOf({ topicId }))?.ids.at(-1)
        const messageId = quotedId ?? threadId ?? newest
        return messageId === undefined ? undefined : { kind: 'remind', messageId }
      }
      case 'dm': {
        const memberIds = [...words.matchAll(MENTION)].flatMap(([, id]) => id ?? [])
        return { kind: 'direct-message', memberIds }
      }
      case 'topic':
        return { kind: 'create-topic', name: said.slice(0, LIMITS.topicName) }
      case 'status':
        return { kind: 'status', text: said.slice(0, LIMITS.profileLine) }
      case 'poll':
        return {
          kind: 'make',
          request: {
            kind: 'poll',
            place,
            from: { kind: 'poll', poll: { ...emptyPoll(), question: said.slice(0, LIMITS.pollQuestion) } },
          },
        }
      case 'task':
        return {
          kind: 'make',
          request: {
            kind: 'task',
            place,
            from: { kind: 'task', task: { title: said.slice(0, LIMITS.taskTitle) } },
          },
        }
    }
  }
  const run = (wire: string): boolean => {
    const [start = '', name] = COMMAND.exec(wire) ?? []
    const words = wire.slice(start.length).trimStart()
    if (words.startsWith('<@b@')) return false // a command of that bot
    const command = commands.find((one) => one.name === name)
    const overlay = command && overlayOf(command.name, words.trim())
    if (overlay) open(overlay)
    return overlay !== undefined
  }
  return { commands, run }
}

const emptyPoll = (): PollDraft => ({
  question: '',
  options: ['', ''],
  selectionType: 'single',
  anonymous: false,
})
