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
    fr: {
      scheduled_by_ended_assistant:
        'L’assistant qui l’a programmé ne peut plus envoyer. Modifiez-le ou envoyez-le vous-même.',
      scheduled_by_former_holder: 'Il a été programmé avant la confirmation de l’adresse de ce compte.',
      send_time_invalid: 'Choisissez un moment dans le futur, 366 jours à l’avance au plus.',
      reminder_time_invalid: 'Choisissez un moment dans le futur, 366 jours à l’avance au plus.',
      saved_messages_full: '1000 messages sont déjà enregistrés.',
      scheduled_messages_full: '100 messages sont déjà programmés.',
      scheduled_message_not_found: 'Ce message programmé n’existe plus.',
    },
    es: {
      scheduled_by_ended_assistant: 'El asistente que lo programó ya no puede enviar. Edítalo o envíalo tú.',
      scheduled_by_former_holder: 'Se programó antes de confirmar la dirección de esta cuenta.',
      send_time_invalid: 'Elige un momento en el futuro, con 366 días de antelación como máximo.',
      reminder_time_invalid: 'Elige un momento en el futuro, con 366 días de antelación como máximo.',
      saved_messages_full: 'Ya hay 1000 mensajes guardados.',
      scheduled_messages_full: 'Ya hay 100 mensajes programados.',
      scheduled_message_not_found: 'Este mensaje programado ya no existe.',
    },
  }),
)
