import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import type { TopicCommand } from '../../../../../../contract/commands.ts'
import { named } from '../../../../kit/name.tsx'
import { actionTexts } from '../../../../texts/chat-actions.ts'
import { useTexts } from '../../../../texts/texts.ts'
import type { CommandForm } from '../../../model.ts'
import { useChat, useChatActions } from '../../../store/context.tsx'

const BotForm = lazy(() => import('../message/bot-form.tsx'))

/** A text that may be a command, with the bot that is meant where several have it. */
const COMMAND = /^\/([a-z][a-z0-9_-]{0,31})(?:\s+<@(b@[0-9a-fA-F-]{36})>)?(?:\s|$)/

type Text = Omit<CommandForm, 'values'>
type Opened = { command: TopicCommand; text: Text; onSent: () => void }

/**
 * Opens the form of a command in place of sending its text. All other texts are sent at once, and so are commands while the server
 * cannot be asked for them: it refuses one that lacks its form.
 */
export function useCommandForm(): {
  open: (text: Text, send: () => void, onSent: () => void) => void
  form: ReactNode
} {
  const { listCommands } = useChatActions()
  const [opened, setOpened] = useState<Opened>()
  const isLooking = useRef(false)
  const look = async (text: Text, name: string, botId: string | undefined) => {
    const commands = await listCommands(text.topicId).catch(() => [])
    const [command, another] = commands.filter(
      (one) => one.name === name && (botId === undefined || one.botId === botId.toLowerCase()),
    )
    return another ? undefined : command
  }
  const open = (text: Text, send: () => void, onSent: () => void) => {
    const [, name, botId] = COMMAND.exec(text.text) ?? []
    if (name === undefined) return send()
    if (isLooking.current) return
    isLooking.current = true
    void look(text, name, botId)
      .then((command) => (command?.fields ? setOpened({ command, text, onSent }) : send()))
      .finally(() => {
        isLooking.current = false
      })
  }
  const form = opened && (
    <Suspense>
      <OpenedForm {...opened} onClose={() => setOpened(undefined)} />
    </Suspense>
  )
  return { open, form }
}

function OpenedForm({ command, text, onSent, onClose }: Opened & { onClose: () => void }) {
  const t = useTexts(actionTexts)
  const { sendCommandForm } = useChatActions()
  const botName = useChat((state) => state.members.get(command.botId)?.name ?? '')
  return (
    <BotForm
      title={`/${command.name}`}
      text={command.description}
      fields={command.fields ?? []}
      note={t.onlyBot(named(botName))}
      onSend={async (values) => {
        await sendCommandForm({ ...text, values })
        onSent()
      }}
      onClose={onClose}
    />
  )
}
