import { plural, texts } from './texts.ts'

/** The list of messages: lines between them, what loads, where one is. */
export const conversationTexts = texts({
  en: {
    messages: (topic: string) => `Messages in ${topic}`,
    thread: 'Thread',
    closeThread: 'Close thread',
    threadMessages: 'Replies',
    newMessages: (count: number) =>
      plural.en(count, { one: '1 new message', other: `${count > 99 ? '99+' : count} new messages` }),
    newAbove: (count: number) =>
      plural.en(count, {
        one: '1 new message above',
        other: `${count > 99 ? '99+' : count} new messages above`,
      }),
    markRead: 'Mark as read',
    jump: 'Jump to newest',
    jumpNew: (count: number) =>
      plural.en(count, { one: '1 new message', other: `${count > 99 ? '99+' : count} new messages` }),
    today: 'Today',
    yesterday: 'Yesterday',
    loadingOlder: 'Loading older messages',
    loadingNewer: 'Loading newer messages',
    loadFailed: 'Could not load messages.',
    retry: 'Try again',
    gone: 'This message was deleted.',
    replies: (count: number) => plural.en(count, { one: '1 reply', other: `${count} replies` }),
    noReplies: 'No replies yet',
    starts: (topic: string) => `${topic} starts here`,
    startsAbout: 'Say what this topic is for. New members will read it first.',
    startsDirect: 'Only the people in this conversation can see these messages.',
    said: (name: string, text: string) => `${name}: ${text}`,
    saidMany: (count: number) => `${count} new messages`,
    typingOne: (name: string) => `${name} is writing`,
    typingTwo: (first: string, second: string) => `${first} and ${second} are writing`,
    typingMany: 'Several people are writing',
    workingOne: (name: string) => `${name} is working`,
    workingMany: 'Several bots are working',
  },
  de: {
    messages: (topic) => `Nachrichten in ${topic}`,
    thread: 'Thread',
    closeThread: 'Thread schließen',
    threadMessages: 'Antworten',
    newMessages: (count) =>
      plural.de(count, { one: '1 neue Nachricht', other: `${count > 99 ? '99+' : count} neue Nachrichten` }),
    newAbove: (count) =>
      plural.de(count, {
        one: '1 neue Nachricht weiter oben',
        other: `${count > 99 ? '99+' : count} neue Nachrichten weiter oben`,
      }),
    markRead: 'Als gelesen markieren',
    jump: 'Zur neuesten Nachricht',
    jumpNew: (count) =>
      plural.de(count, { one: '1 neue Nachricht', other: `${count > 99 ? '99+' : count} neue Nachrichten` }),
    today: 'Heute',
    yesterday: 'Gestern',
    loadingOlder: 'Ältere Nachrichten werden geladen',
    loadingNewer: 'Neuere Nachrichten werden geladen',
    loadFailed: 'Diese Nachrichten konnten nicht geladen werden.',
    retry: 'Noch einmal versuchen',
    gone: 'Diese Nachricht gibt es nicht mehr.',
    replies: (count) => plural.de(count, { one: '1 Antwort', other: `${count} Antworten` }),
    noReplies: 'Noch keine Antworten',
    starts: (topic) => `Hier beginnt ${topic}`,
    startsAbout: 'Schreiben Sie, worum es hier geht. Neue Mitglieder lesen das zuerst.',
    startsDirect: 'Nur die Personen in dieser Unterhaltung sehen die Nachrichten.',
    said: (name, text) => `${name}: ${text}`,
    saidMany: (count) => `${count} neue Nachrichten`,
    typingOne: (name) => `${name} schreibt`,
    typingTwo: (first, second) => `${first} und ${second} schreiben`,
    typingMany: 'Mehrere Personen schreiben',
    workingOne: (name) => `${name} arbeitet`,
    workingMany: 'Mehrere Bots arbeiten',
  },
})
