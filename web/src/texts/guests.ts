import { plural, texts } from './texts.ts'

export const guests = texts({
  en: {
    here: (count: number) =>
      plural.en(count, {
        one: '1 guest is in this topic and sees what you write.',
        other: `${count} guests are in this topic and see what you write.`,
      }),
    invite: 'Invite a guest',
    title: (topic: string) => `Invite a guest to ${topic}`,
    email: 'E-mail address',
    emailMissing: 'Enter an e-mail address.',
    name: 'Name (optional)',
    lastDay: 'Last day (optional)',
    lastDayHint: 'When that day is over their access ends.',
    lastDayPast: 'Choose a day that is not over.',
    about: 'Guests see only this topic, all its earlier messages, and who is in it.',
    action: 'Invite',
    invited: (email: string) => `${email} invited.`,
    alone: {
      title: 'You are in no topic yet',
      text: 'As a guest you see the topics that somebody adds you to.',
    },
  },
  de: {
    here: (count) =>
      plural.de(count, {
        one: '1 Gast ist in diesem Thema und sieht, was Sie schreiben.',
        other: `${count} Gäste sind in diesem Thema und sehen, was Sie schreiben.`,
      }),
    invite: 'Gast einladen',
    title: (topic) => `Gast in ${topic} einladen`,
    email: 'E-Mail-Adresse',
    emailMissing: 'Geben Sie eine E-Mail-Adresse ein.',
    name: 'Name (optional)',
    lastDay: 'Letzter Tag (optional)',
    lastDayHint: 'Ist dieser Tag vorbei, endet der Zugang.',
    lastDayPast: 'Wählen Sie einen Tag, der nicht vorbei ist.',
    about: 'Gäste sehen nur dieses Thema, alle früheren Nachrichten darin und wer dort ist.',
    action: 'Einladen',
    invited: (email) => `${email} wurde eingeladen.`,
    alone: {
      title: 'Sie sind noch in keinem Thema',
      text: 'Als Gast sehen Sie die Themen, zu denen Sie jemand hinzufügt.',
    },
  },
  fr: {
    here: (count) =>
      plural.fr(count, {
        one: `${count} invité est dans ce sujet et voit ce que vous écrivez.`,
        other: `${count} invités sont dans ce sujet et voient ce que vous écrivez.`,
      }),
    invite: 'Convier un invité',
    title: (topic) => `Convier un invité dans ${topic}`,
    email: 'Adresse e-mail',
    emailMissing: 'Saisissez une adresse e-mail.',
    name: 'Nom (facultatif)',
    lastDay: 'Dernier jour (facultatif)',
    lastDayHint: 'À la fin de ce jour, son accès prend fin.',
    lastDayPast: 'Choisissez un jour qui n’est pas passé.',
    about: 'Les invités ne voient que ce sujet, tous ses messages antérieurs et qui en fait partie.',
    action: 'Inviter',
    invited: (email) => `Invitation envoyée à ${email}.`,
    alone: {
      title: 'Vous n’êtes dans aucun sujet pour l’instant',
      text: 'En tant qu’invité, vous voyez les sujets auxquels on vous ajoute.',
    },
  },
  es: {
    here: (count) =>
      plural.es(count, {
        one: '1 invitado está en este tema y ve lo que escribes.',
        other: `${count} invitados están en este tema y ven lo que escribes.`,
      }),
    invite: 'Traer a un invitado',
    title: (topic) => `Traer a un invitado a ${topic}`,
    email: 'Correo electrónico',
    emailMissing: 'Introduce un correo electrónico.',
    name: 'Nombre (opcional)',
    lastDay: 'Último día (opcional)',
    lastDayHint: 'Cuando acabe ese día, termina su acceso.',
    lastDayPast: 'Elige un día que no haya pasado.',
    about: 'Los invitados solo ven este tema, todos sus mensajes anteriores y quién está en él.',
    action: 'Invitar',
    invited: (email) => `Invitación enviada a ${email}.`,
    alone: {
      title: 'Aún no estás en ningún tema',
      text: 'Como invitado, ves los temas a los que alguien te añade.',
    },
  },
})
