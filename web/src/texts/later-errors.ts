import { addSentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals of what is done later: the chat does not wait for them. */
addSentences(
  byLanguage<Record<string, string>>({
    en: {
      'the assistant that scheduled it may no longer send':
        'The assistant that scheduled it can no longer send. Edit it or send it yourself.',
      'the account has a new holder since it was scheduled':
        'It was scheduled before this account’s address was confirmed.',
    },
    de: {
      'the assistant that scheduled it may no longer send':
        'Der Assistent, der sie geplant hat, darf nicht mehr senden. Bearbeiten oder senden Sie sie selbst.',
      'the account has a new holder since it was scheduled':
        'Sie wurde geplant, bevor die Adresse dieses Kontos bestätigt war.',
      'streaming and sendAt cannot be used together':
        'Eine Nachricht, die noch geschrieben wird, lässt sich nicht planen.',
      'sendAt must be in the future, at most 366 days ahead':
        'Wählen Sie eine Zeit in der Zukunft, höchstens 366 Tage voraus.',
      'remindAt must be in the future, at most 366 days ahead':
        'Wählen Sie eine Zeit in der Zukunft, höchstens 366 Tage voraus.',
      'too many messages are saved': 'Es sind schon 1000 Nachrichten gemerkt.',
      'too many messages are scheduled': 'Es sind schon 100 Nachrichten geplant.',
      'Scheduled message not found': 'Diese geplante Nachricht gibt es nicht mehr.',
      'text or sendAt is required': 'Ändern Sie den Text oder die Zeit.',
    },
  }),
)
