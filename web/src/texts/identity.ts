import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      scim_token_not_found: 'Dieser SCIM-Token gilt nicht mehr.',
    },
  }),
)

/** The page about the identity provider of an organization. */
export const identity = texts({
  en: {
    title: 'Identity provider',
    about: 'Connect the directory of your company, such as Microsoft Entra ID or Okta.',
    scim: {
      title: 'Provisioning (SCIM)',
      about:
        'Your identity provider adds people, changes them and archives them as they join and leave. Its groups become org units.',
      url: 'Tenant URL',
      none: 'Not connected. Create a token and enter it at your identity provider.',
      ownersOnly: 'Only owners can create and revoke tokens.',
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
        title: 'Replace the SCIM token?',
        text: 'Enter the new token at your identity provider before the present one stops working.',
        overlap: 'Present token works for',
        hours: (hours: number) =>
          hours === 0
            ? 'No time: it ends now'
            : plural.en(hours, { one: '1 more hour', other: `${hours} more hours` }),
        action: 'Replace token',
      },
      made: {
        title: 'Your SCIM token',
        once: 'Copy the token now. It is shown only once.',
        token: 'Token',
      },
      revoking: {
        title: 'Revoke the SCIM token?',
        text: 'Your identity provider can no longer change people and org units here.',
        costs: {
          people: 'People and org units stay as they are.',
          leaving: 'People who leave are no longer archived automatically.',
        },
        done: 'Token revoked.',
      },
    },
  },
  de: {
    title: 'Identitätsanbieter',
    about: 'Verbinden Sie das Verzeichnis Ihres Unternehmens, etwa Microsoft Entra ID oder Okta.',
    scim: {
      title: 'Bereitstellung (SCIM)',
      about:
        'Ihr Identitätsanbieter fügt Personen hinzu, ändert und archiviert sie, wenn sie kommen und gehen. Seine Gruppen werden Einheiten.',
      url: 'Mandanten-URL',
      none: 'Nicht verbunden. Erstellen Sie einen Token und tragen Sie ihn bei Ihrem Identitätsanbieter ein.',
      ownersOnly: 'Nur Eigentümer können Tokens erstellen und widerrufen.',
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
        title: 'SCIM-Token ersetzen?',
        text: 'Tragen Sie den neuen Token bei Ihrem Identitätsanbieter ein, bevor der jetzige endet.',
        overlap: 'Der jetzige Token gilt noch',
        hours: (hours) =>
          hours === 0
            ? 'Gar nicht: er endet sofort'
            : plural.de(hours, { one: '1 Stunde', other: `${hours} Stunden` }),
        action: 'Token ersetzen',
      },
      made: {
        title: 'Ihr SCIM-Token',
        once: 'Kopieren Sie den Token jetzt. Er wird nur einmal angezeigt.',
        token: 'Token',
      },
      revoking: {
        title: 'SCIM-Token widerrufen?',
        text: 'Ihr Identitätsanbieter kann hier keine Personen und Einheiten mehr ändern.',
        costs: {
          people: 'Personen und Einheiten bleiben, wie sie sind.',
          leaving: 'Wer geht, wird nicht mehr automatisch archiviert.',
        },
        done: 'Token widerrufen.',
      },
    },
  },
})

type ScimTexts = (typeof identity)['de']['scim']
/** The words about tokens of a service: those of SCIM, and others of the same form. */
export type ServiceTokenTexts = Omit<ScimTexts, 'ownersOnly' | 'revoking'> & {
  ownersOnly?: string
  revoking: Omit<ScimTexts['revoking'], 'costs'> & { costs: Readonly<Record<string, string>> }
}
