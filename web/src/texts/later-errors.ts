import { addSentences, type Sentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals of what is done later: the chat does not wait for them. */
addSentences(
  byLanguage<Sentences>({
    en: {
      scheduled_by_ended_assistant:
        'The assistant that scheduled it can no longer send. Edit it or send it yourself.',
      scheduled_by_former_holder: 'It was scheduled before this account’s address was confirmed.',
    },
    de: {
      scheduled_by_ended_assistant:
        'Der Assistent, der sie geplant hat, darf nicht mehr senden. Bearbeiten oder senden Sie sie selbst.',
      scheduled_by_former_holder: 'Sie wurde geplant, bevor die Adresse dieses Kontos bestätigt war.',
      send_time_invalid: 'Wählen Sie eine Zeit in der Zukunft, höchstens 366 Tage voraus.',
      reminder_time_invalid: 'Wählen Sie eine Zeit in der Zukunft, höchstens 366 Tage voraus.',
      saved_messages_full: 'Es sind schon 1000 Nachrichten gemerkt.',
      scheduled_messages_full: 'Es sind schon 100 Nachrichten geplant.',
      scheduled_message_not_found: 'Diese geplante Nachricht gibt es nicht mehr.',
    },
  }),
)
