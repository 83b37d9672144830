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
      about: (email: string) => `This assistant wants to act on your behalf. You are signed in as ${email}.`,
      verified: (host: string) => `Verified: it comes from ${host}.`,
      unverified:
        'Parley cannot verify who made this assistant: anyone can choose its name. Connect it only if you have just started this yourself.',
      goesTo: (host: string) => `Access goes to ${host}.`,
      goesToDevice: (host: string) => `Access goes to a program on this device (${host}).`,
      organization: 'Organization',
      mayDo: 'Allow it to',
      nothingChosen: 'Choose at least one permission.',
      ends: 'Access ends after',
      days: (days: number) => plural.en(days, { one: '1 day', other: `${days} days` }),
      effect:
        'Its messages appear under your name, marked as written by this assistant. Admins can see what it does. You can disconnect it in your account at any time.',
      connect: 'Connect',
      refuse: 'Cancel',
      leaving: 'Going back to the assistant …',
      notAllowed: 'None of your organizations allows assistants. An admin can change that.',
      signInAgain: 'Sign in again',
      confirmYourself: 'You signed in a while ago. Sign in again to confirm that it is you.',
      wrong: {
        title: 'This assistant cannot be connected',
        text: (problem: string) =>
          `Its request is invalid: ${problem}. The assistant’s developer has to fix this.`,
        back: (host: string) => `Back to ${host}`,
      },
    },
    list: {
      title: 'Connected assistants',
      about: 'Programs that act for you in Parley, with the permissions and the expiry you chose.',
      none: 'No assistants are connected.',
      inOrganization: (organization: string, host: string) => `${organization} · ${host}`,
      connected: 'Connected',
      used: 'Last used',
      neverUsed: 'Not used yet',
      ends: 'Ends',
      scopes: 'What it can do',
      disconnect: 'Disconnect',
      disconnectOne: (name: string) => `Disconnect ${name}`,
      confirm: {
        title: (name: string) => `Disconnect ${name}?`,
        text: 'It loses access immediately. To use it again, you have to reconnect it.',
      },
      disconnected: 'Assistant disconnected.',
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
        'Parley kann nicht prüfen, von wem dieser Assistent stammt: Seinen Namen kann jeder wählen. Verbinden Sie ihn nur, wenn Sie das gerade selbst begonnen haben.',
      goesTo: (host) => `Der Zugang geht an ${host}.`,
      goesToDevice: (host) => `Der Zugang geht an ein Programm auf diesem Gerät (${host}).`,
      organization: 'Organisation',
      mayDo: 'Er darf',
      nothingChosen: 'Wählen Sie mindestens eine Berechtigung.',
      ends: 'Der Zugang endet nach',
      days: (days) => plural.de(days, { one: '1 Tag', other: `${days} Tagen` }),
      effect:
        'Seine Nachrichten erscheinen unter Ihrem Namen mit einem Hinweis auf den Assistenten. Admins können sehen, was er tut. In Ihrem Konto können Sie ihn jederzeit trennen.',
      connect: 'Verbinden',
      refuse: 'Abbrechen',
      leaving: 'Zurück zum Assistenten …',
      notAllowed: 'Keine Ihrer Organisationen erlaubt Assistenten. Ein Administrator kann das ändern.',
      signInAgain: 'Neu anmelden',
      confirmYourself:
        'Ihre Anmeldung liegt schon eine Weile zurück. Melden Sie sich neu an, um zu bestätigen, dass Sie es sind.',
      wrong: {
        title: 'Dieser Assistent kann nicht verbunden werden',
        text: (problem) => `Seine Anfrage ist ungültig: ${problem}. Das muss der Hersteller beheben.`,
        back: (host) => `Zurück zu ${host}`,
      },
    },
    list: {
      title: 'Verbundene Assistenten',
      about:
        'Programme, die in Parley für Sie handeln, mit den Berechtigungen und der Dauer, die Sie gewählt haben.',
      none: 'Es sind keine Assistenten verbunden.',
      inOrganization: (organization, host) => `${organization} · ${host}`,
      connected: 'Verbunden',
      used: 'Zuletzt verwendet',
      neverUsed: 'Noch nicht verwendet',
      ends: 'Endet',
      scopes: 'Was er tun kann',
      disconnect: 'Trennen',
      disconnectOne: (name) => `${name} trennen`,
      confirm: {
        title: (name) => `${name} trennen?`,
        text: 'Er verliert sofort den Zugang. Um ihn wieder zu benutzen, müssen Sie ihn neu verbinden.',
      },
      disconnected: 'Assistent getrennt.',
    },
    scopes: SCOPES_DE,
  },
})
