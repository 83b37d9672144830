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
})
