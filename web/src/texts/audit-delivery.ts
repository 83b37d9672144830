import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      audit_token_not_found: 'Dieser Token gilt nicht mehr.',
    },
  }),
)

/** The page about programs outside that get the audit log. */
export const auditDelivery = texts({
  en: {
    back: 'Audit log',
    title: 'Send the audit log',
    about: 'Let the security system of your company follow every entry of the audit log.',
    token: {
      title: 'Read by API',
      about:
        'A program reads the audit log in order, from where it stopped. The token reads the log of this organization and nothing else.',
      url: 'Address of the events',
      none: 'No program reads the audit log. Create a token and enter it there.',
      current: 'Token',
      former: 'Replaced token',
      created: 'Created by {name}',
      used: 'Last used',
      neverUsed: 'Never used',
      ends: 'Ends',
      make: 'Create token',
      replace: 'Replace token',
      revoke: 'Revoke',
      revokeOne: (token: string) => `Revoke: ${token}`,
      replacing: {
        title: 'Replace the token?',
        text: 'Enter the new token in your program before the present one stops working.',
        overlap: 'Present token works for',
        hours: (hours: number) =>
          hours === 0
            ? 'No time: it ends now'
            : plural.en(hours, { one: '1 more hour', other: `${hours} more hours` }),
        action: 'Replace token',
      },
      made: {
        title: 'Your token for the audit log',
        once: 'Copy the token now. It is shown only once.',
        token: 'Token',
      },
      revoking: {
        title: 'Revoke the token?',
        text: 'The program can no longer read the audit log.',
        costs: { copies: 'Entries that it has read stay where it keeps them.' },
        done: 'Token revoked.',
      },
    },
  },
  de: {
    back: 'Audit-Protokoll',
    title: 'Audit-Protokoll weitergeben',
    about: 'Lassen Sie das Sicherheitssystem Ihres Unternehmens jeden Eintrag des Audit-Protokolls mitlesen.',
    token: {
      title: 'Per API lesen',
      about:
        'Ein Programm liest das Audit-Protokoll der Reihe nach weiter, wo es aufgehört hat. Der Token liest das Protokoll dieser Organisation und sonst nichts.',
      url: 'Adresse der Ereignisse',
      none: 'Kein Programm liest das Audit-Protokoll. Erstellen Sie einen Token und tragen Sie ihn dort ein.',
      current: 'Token',
      former: 'Ersetzter Token',
      created: 'Erstellt von {name}',
      used: 'Zuletzt verwendet',
      neverUsed: 'Nie verwendet',
      ends: 'Endet',
      make: 'Token erstellen',
      replace: 'Token ersetzen',
      revoke: 'Widerrufen',
      revokeOne: (token) => `Widerrufen: ${token}`,
      replacing: {
        title: 'Token ersetzen?',
        text: 'Tragen Sie den neuen Token in Ihrem Programm ein, bevor der jetzige endet.',
        overlap: 'Der jetzige Token gilt noch',
        hours: (hours) =>
          hours === 0
            ? 'Gar nicht: er endet sofort'
            : plural.de(hours, { one: '1 Stunde', other: `${hours} Stunden` }),
        action: 'Token ersetzen',
      },
      made: {
        title: 'Ihr Token für das Audit-Protokoll',
        once: 'Kopieren Sie den Token jetzt. Er wird nur einmal angezeigt.',
        token: 'Token',
      },
      revoking: {
        title: 'Token widerrufen?',
        text: 'Das Programm kann das Audit-Protokoll nicht mehr lesen.',
        costs: { copies: 'Einträge, die es gelesen hat, bleiben dort, wo es sie aufbewahrt.' },
        done: 'Token widerrufen.',
      },
    },
  },
})
