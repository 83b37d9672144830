import type { ActionElement } from '../../../../../../contract/actions.ts'
import type { Message } from '../../../../../../contract/message.ts'
import { named } from '../../../../kit/name.tsx'
import { actionTexts } from '../../../../texts/chat-actions.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { useChatActions } from '../../../store/context.tsx'
import BotForm from './bot-form.tsx'

/** The form that a bot asks for. Its values go to the bot and, of an approval, into the audit log. */
export default function ActionForm({
  message,
  element,
  onClose,
}: {
  message: Message
  element: ActionElement
  onClose: () => void
}) {
  const t = useTexts(actionTexts)
  const { press } = useChatActions()
  return (
    <BotForm
      title={element.text}
      fields={element.fields ?? []}
      note={(message.actions?.approval ? t.alsoAudit : t.onlyBot)(named(message.senderName))}
      look={element.style === 'danger' ? 'danger' : 'primary'}
      onSend={(values) => press(message, { elementId: element.id, values })}
      onClose={onClose}
    />
  )
}
