import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      message_not_forwardable: 'Diese Nachricht lässt sich nicht weiterleiten.',
      forward_not_combinable: 'Weiterleiten geht nur sofort und ohne Schaltflächen.',
    },
    fr: {
      message_not_forwardable: 'Ce message ne peut pas être transféré.',
      forward_not_combinable: 'Le transfert n’est possible qu’immédiatement et sans boutons.',
    },
    es: {
      message_not_forwardable: 'Este mensaje no se puede reenviar.',
      forward_not_combinable: 'Solo se puede reenviar al momento y sin botones.',
    },
  }),
)

/** Forwarding a message, and messages that were forwarded. Loaded with the first of either. */
export const forwardTexts = texts({
  en: {
    title: 'Forward message',
    titleOf: (count: number) => `Forward ${count} messages`,
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
    titleOf: (count) => `${count} Nachrichten weiterleiten`,
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
  fr: {
    title: 'Transférer le message',
    titleOf: (count) => `Transférer ${count} messages`,
    to: 'À',
    placeholder: 'Sujets ou personnes',
    hint: (count) => `Jusqu’à ${count}. Ils voient le message et son auteur, mais pas où il a été publié.`,
    comment: 'Commentaire',
    commentHint: 'Facultatif. Affiché au-dessus du message.',
    act: 'Transférer',
    done: 'Transféré.',
    from: (name) => `Transféré de ${name}`,
    poll: 'Sondage',
    task: 'Tâche',
    open: 'Afficher l’original',
  },
  es: {
    title: 'Reenviar mensaje',
    titleOf: (count) => `Reenviar ${count} mensajes`,
    to: 'Para',
    placeholder: 'Temas o personas',
    hint: (count) => `Hasta ${count}. Ven el mensaje y su autor, pero no dónde se publicó.`,
    comment: 'Comentario',
    commentHint: 'Opcional. Se muestra encima del mensaje.',
    act: 'Reenviar',
    done: 'Reenviado.',
    from: (name) => `Reenviado de ${name}`,
    poll: 'Encuesta',
    task: 'Tarea',
    open: 'Mostrar original',
  },
})
