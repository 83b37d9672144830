import { addSentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'message cannot be forwarded': 'Diese Nachricht lässt sich nicht weiterleiten.',
      'forwardMessageId cannot be used with streaming, actions or sendAt':
        'Weiterleiten geht nur sofort und ohne Schaltflächen.',
    },
  }),
)

/** Forwarding a message, and messages that were forwarded. Loaded with the first of either. */
export const forwardTexts = texts({
  en: {
    title: 'Forward a message',
    to: 'To',
    placeholder: 'Topics or people',
    hint: (count: number) => `Up to ${count}. They see what was said and by whom, but not where.`,
    comment: 'Comment',
    commentHint: 'Optional. It stands above the message.',
    act: 'Forward',
    done: 'Forwarded.',
    from: (name: string) => `Forwarded from ${name}`,
    poll: 'Poll',
    task: 'Task',
    open: 'Show the original',
  },
  de: {
    title: 'Nachricht weiterleiten',
    to: 'An',
    placeholder: 'Themen oder Personen',
    hint: (count) => `Bis zu ${count}. Dort steht, was gesagt wurde und von wem, aber nicht, wo.`,
    comment: 'Kommentar',
    commentHint: 'Freiwillig. Er steht über der Nachricht.',
    act: 'Weiterleiten',
    done: 'Weitergeleitet.',
    from: (name) => `Weitergeleitet von ${name}`,
    poll: 'Umfrage',
    task: 'Aufgabe',
    open: 'Original zeigen',
  },
})
