import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      message_not_forwardable: 'Diese Nachricht lässt sich nicht weiterleiten.',
      forward_not_combinable: 'Weiterleiten geht nur sofort und ohne Schaltflächen.',
    },
  }),
)

/** Forwarding a message, and messages that were forwarded. Loaded with the first of either. */
export const forwardTexts = texts({
  en: {
    title: 'Forward message',
    to: 'To',
    placeholder: 'Topics or people',
    hint: (count: number) =>
      `Up to ${count}. They see the message and its author, but not where it was posted.`,
    comment: 'Comment',
    commentHint: 'Optional. Shown above the message.',
    act: 'Forward',
    done: 'Forwarded.',
    from: (name: string) => `Forwarded from ${name}`,
    poll: 'Poll',
    task: 'Task',
    open: 'Show original',
  },
  de: {
    title: 'Nachricht weiterleiten',
    to: 'An',
    placeholder: 'Themen oder Personen',
    hint: (count) =>
      `Bis zu ${count}. Zu sehen sind die Nachricht und ihr Verfasser, aber nicht, wo sie stand.`,
    comment: 'Kommentar',
    commentHint: 'Optional. Steht über der Nachricht.',
    act: 'Weiterleiten',
    done: 'Weitergeleitet.',
    from: (name) => `Weitergeleitet von ${name}`,
    poll: 'Umfrage',
    task: 'Aufgabe',
    open: 'Original anzeigen',
  },
})
