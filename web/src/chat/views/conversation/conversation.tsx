import { type DragEvent, useCallback, useRef, useState } from 'react'
import type { Message } from '../../../../../contract/message.ts'
import { composerTexts } from '../../../texts/chat-composer.ts'
import { conversationTexts } from '../../../texts/chat-conversation.ts'
import { useTexts } from '../../../texts/texts.ts'
import type { Outgoing } from '../../model.ts'
import { useChat, useChatActions } from '../../store/context.tsx'
import type { ConversationProps } from '../seam.ts'
import type { ComposerHandle } from './composer/composer.tsx'
import { LateComposer } from './composer/late-composer.tsx'
import styles from './conversation.module.css'
import { MessageList, type MessageListHandle } from './list/message-list.tsx'
import { MessageToolsProvider } from './list/tools.tsx'

/** A topic's messages, and below them where the next one is written. */
export default function ConversationView({
  topicId,
  messageId,
  beginning,
  above,
  instead,
}: ConversationProps) {
  const t = useTexts(conversationTexts)
  const topicName = useChat((state) => state.topics.get(topicId)?.name ?? '')
  const list = useRef<MessageListHandle>(null)
  const composer = useRef<ComposerHandle>(null)
  const [editedId, setEditedId] = useState<string>()
  const [quoted, setQuoted] = useState<Message>()
  const quote = useCallback((message: Message) => {
    setQuoted(message)
    composer.current?.focus()
  }, [])
  const editOutgoing = useEditOutgoing(composer)
  const drop = useDrop((files) => composer.current?.addFiles(files))
  return (
    // Another topic is another list and another draft.
    <section key={topicId} className={styles.conversation} {...(instead === undefined && drop.props)}>
      <MessageToolsProvider
        onEdit={setEditedId}
        onQuote={instead === undefined ? quote : undefined}
        onEditOutgoing={editOutgoing}
      >
        <MessageList
          ref={list}
          place={{ topicId }}
          messageId={messageId}
          label={t.messages(topicName)}
          beginning={beginning}
          editedId={editedId}
          onEdit={setEditedId}
          onLeave={() => composer.current?.focus()}
        />
      </MessageToolsProvider>
      {above}
      {instead ?? (
        <LateComposer
          ref={composer}
          place={{ topicId }}
          autoFocus={hasKeyboard() && messageId === undefined}
          onUp={() => list.current?.editLast() || list.current?.focusNewest()}
          quoted={quoted}
          onUnquote={() => setQuoted(undefined)}
          onSent={() => list.current?.toNewest()}
        />
      )}
      {drop.isOver && <DropHint />}
    </section>
  )
}

/** On-screen keyboards would cover the messages. */
export const hasKeyboard = (): boolean => !window.matchMedia('(pointer: coarse)').matches

/** Puts what was not sent back into the composer. */
export function useEditOutgoing(composer: { current: ComposerHandle | null }): (outgoing: Outgoing) => void {
  const { discard } = useChatActions()
  return useCallback(
    ({ localId }) => {
      const outgoing = composer.current && discard(localId)
      if (outgoing) composer.current?.takeUp(outgoing)
    },
    [composer, discard],
  )
}

/** Files may be dropped anywhere on a conversation. */
export function useDrop(onFiles: (files: readonly File[]) => void) {
  const [isOver, setOver] = useState(false)
  const hasFiles = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  return {
    isOver,
    props: {
      onDragOver: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        const { currentTarget, relatedTarget } = event
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!hasFiles(event)) return
        event.preventDefault()
        setOver(false)
        onFiles([...event.dataTransfer.files])
      },
    },
  }
}

export function DropHint() {
  const t = useTexts(composerTexts)
  return <div className={styles.drop}>{t.dropHere}</div>
}
