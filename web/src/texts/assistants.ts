import './account-errors.ts'
import type { PersonScope } from '../../../contract/scopes.ts'
import { plural, texts } from './texts.ts'

const SCOPES_EN: Record<PersonScope, string> = {
  'channel:list': 'See which topics you are in',
  'channel:read': 'See details of your topics: description, members and labels',
  'channel:write': 'Add and remove members and labels of your topics',
  'message:read': 'Read messages in your topics and direct messages',
  'message:send': 'Send messages in your name',
  'message:write': 'Edit and delete your messages, and mark messages as read',
  'reaction:write': 'React to messages in your name',
  'task:read': 'Read tasks',
  'task:write': 'Create, change and delete tasks',
  'poll:write': 'Create polls and vote in your name',
  'member:read': 'See who is in the organization, with e-mail addresses',
  'search:read': 'Search what you can see: messages, files, tasks and names',
}
const SCOPES_DE: Record<PersonScope, string> = {
  'channel:list': 'Sehen, in welchen Themen Sie sind',
  'channel:read': 'Einzelheiten Ihrer Themen sehen: Beschreibung, Mitglieder und Labels',
  'channel:write': 'Mitglieder und Labels Ihrer Themen hinzufügen und entfernen',
  'message:read': 'Nachrichten in Ihren Themen und Direktnachrichten lesen',
  'message:send': 'In Ihrem Namen Nachrichten senden',
  'message:write': 'Ihre Nachrichten bearbeiten und löschen, Nachrichten als gelesen markieren',
  'reaction:write': 'In Ihrem Namen auf Nachrichten reagieren',
  'task:read': 'Aufgaben lesen',
  'task:write': 'Aufgaben anlegen, ändern und löschen',
  'poll:write': 'In Ihrem Namen Umfragen anlegen und abstimmen',
  'member:read': 'Sehen, wer zur Organisation gehört, mit E-Mail-Adressen',
  'search:read': 'Durchsuchen, was Sie sehen: Nachrichten, Dateien, Aufgaben und Namen',
}

export const assistants = texts({
  en: {
    consent: {
      title: (name: string) => `Connect ${name}?`,
      loading: 'Connect an assistant',
      about: (email: string) => `This assistant asks to act for you. You are signed in as ${email}.`,
      verified: (host: string) => `Verified: it comes from ${host}.`,
      unverified:
        'Parley cannot tell who made this: anyone can choose this name. Connect it only if you have just started this yourself.',
      goesTo: (host: string) => `Access goes to ${host}.`,
      goesToDevice: (host: string) => `Access goes to a program on this device (${host}).`,
      organization: 'Organization',
      mayDo: 'It may',
      nothingChosen: 'Please choose at least one thing that it may do.',
      ends: 'Access ends after',
      days: (days: number) => plural.en(days, { one: '1 day', other: `${days} days` }),
      effect:
        'What it writes appears under your name, marked as written by this assistant. Admins can see what it does. You can disconnect it at any time in your account.',
      connect: 'Connect',
      refuse: 'Cancel',
      leaving: 'Going back to the assistant …',
      notAllowed: 'None of your organizations allows assistants. An admin can change that.',
      signInAgain: 'Sign in again',
      confirmYourself: 'You signed in a while ago. Please sign in again to confirm that it is you.',
      wrong: {
        title: 'This assistant cannot be connected',
        text: (problem: string) => `Its request is not right: ${problem}. Its maker has to fix that.`,
        back: (host: string) => `Back to ${host}`,
      },
    },
    list: {
      title: 'Connected assistants',
      about: 'Programs that act for you in Parley. What they may do, and until when, was your choice.',
      none: 'No assistants are connected.',
      inOrganization: (organization: string, host: string) => `${organization} · ${host}`,
      connected: 'Connected',
      used: 'Last used',
      neverUsed: 'Not used yet',
      ends: 'Ends',
      scopes: 'What it may do',
      disconnect: 'Disconnect',
      disconnectOne: (name: string) => `Disconnect ${name}`,
      confirm: {
        title: (name: string) => `Disconnect ${name}?`,
        text: 'It loses access at once. To use it again, you have to connect it again.',
      },
      disconnected: 'The assistant was disconnected.',
    },
    scopes: SCOPES_EN,
  },
  de: {
    consent: {
      title: (name) => `${name} verbinden?`,
      loading: 'Assistenten verbinden',
      about: (email) => `Dieser Assistent möchte für Sie handeln. Sie sind angemeldet als ${email}.`,
      verified: (host) => `Geprüft: Er kommt von ${host}.`,
      unverified:
        'Parley kann nicht prüfen, von wem das kommt: Diesen Namen kann jeder wählen. Verbinden Sie ihn nur, wenn Sie das gerade selbst begonnen haben.',
      goesTo: (host) => `Der Zugang geht an ${host}.`,
      goesToDevice: (host) => `Der Zugang geht an ein Programm auf diesem Gerät (${host}).`,
      organization: 'Organisation',
      mayDo: 'Er darf',
      nothingChosen: 'Bitte wählen Sie mindestens eines aus, das er darf.',
      ends: 'Der Zugang endet nach',
      days: (days) => plural.de(days, { one: '1 Tag', other: `${days} Tagen` }),
      effect:
        'Was er schreibt, steht unter Ihrem Namen und ist als von diesem Assistenten geschrieben gekennzeichnet. Admins können sehen, was er tut. In Ihrem Konto können Sie ihn jederzeit trennen.',
      connect: 'Verbinden',
      refuse: 'Abbrechen',
      leaving: 'Zurück zum Assistenten …',
      notAllowed: 'Keine Ihrer Organisationen erlaubt Assistenten. Ein Administrator kann das ändern.',
      signInAgain: 'Neu anmelden',
      confirmYourself:
        'Ihre Anmeldung liegt schon eine Weile zurück. Bitte melden Sie sich neu an, um zu bestätigen, dass Sie es sind.',
      wrong: {
        title: 'Dieser Assistent kann nicht verbunden werden',
        text: (problem) => `Seine Anfrage stimmt nicht: ${problem}. Das muss sein Hersteller beheben.`,
        back: (host) => `Zurück zu ${host}`,
      },
    },
    list: {
      title: 'Verbundene Assistenten',
      about: 'Programme, die in Parley für Sie handeln. Was sie dürfen und wie lange, haben Sie gewählt.',
      none: 'Es sind keine Assistenten verbunden.',
      inOrganization: (organization, host) => `${organization} · ${host}`,
      connected: 'Verbunden',
      used: 'Zuletzt benutzt',
      neverUsed: 'Noch nicht benutzt',
      ends: 'Endet',
      scopes: 'Was er darf',
      disconnect: 'Trennen',
      disconnectOne: (name) => `${name} trennen`,
      confirm: {
        title: (name) => `${name} trennen?`,
        text: 'Er verliert sofort den Zugang. Um ihn wieder zu benutzen, müssen Sie ihn neu verbinden.',
      },
      disconnected: 'Der Assistent wurde getrennt.',
    },
    scopes: SCOPES_DE,
  },
})
