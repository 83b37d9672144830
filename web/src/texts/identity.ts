import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {},
    de: {
      scim_token_not_found: 'Dieser SCIM-Token gilt nicht mehr.',
    },
    fr: {
      scim_token_not_found: 'Ce jeton SCIM n’est plus valable.',
    },
    es: {
      scim_token_not_found: 'Este token SCIM ya no es válido.',
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
  fr: {
    title: 'Fournisseur d’identité',
    about: 'Connectez l’annuaire de votre entreprise, tel que Microsoft Entra ID ou Okta.',
    scim: {
      title: 'Approvisionnement (SCIM)',
      about:
        'Votre fournisseur d’identité ajoute les personnes, les modifie et les archive au fil des arrivées et des départs. Ses groupes deviennent des unités.',
      url: 'URL du locataire',
      none: 'Non connecté. Créez un jeton et saisissez-le chez votre fournisseur d’identité.',
      ownersOnly: 'Seuls les propriétaires peuvent créer et révoquer des jetons.',
      current: 'Jeton',
      former: 'Jeton remplacé',
      created: 'Créé par {name}',
      used: 'Dernière utilisation',
      neverUsed: 'Jamais utilisé',
      ends: 'Prend fin',
      make: 'Créer un jeton',
      replace: 'Remplacer le jeton',
      revoke: 'Révoquer',
      revokeOne: (token) => `Révoquer : ${token}`,
      replacing: {
        title: 'Remplacer le jeton SCIM ?',
        text: 'Saisissez le nouveau jeton chez votre fournisseur d’identité avant que l’actuel cesse de fonctionner.',
        overlap: 'Le jeton actuel fonctionne encore',
        hours: (hours) =>
          hours === 0
            ? 'Plus du tout : il prend fin maintenant'
            : plural.fr(hours, { one: `${hours} heure`, other: `${hours} heures` }),
        action: 'Remplacer le jeton',
      },
      made: {
        title: 'Votre jeton SCIM',
        once: 'Copiez le jeton maintenant. Il n’est affiché qu’une fois.',
        token: 'Jeton',
      },
      revoking: {
        title: 'Révoquer le jeton SCIM ?',
        text: 'Votre fournisseur d’identité ne pourra plus modifier les personnes ni les unités ici.',
        costs: {
          people: 'Les personnes et les unités restent telles quelles.',
          leaving: 'Les personnes qui partent ne sont plus archivées automatiquement.',
        },
        done: 'Jeton révoqué.',
      },
    },
  },
  es: {
    title: 'Proveedor de identidad',
    about: 'Conecta el directorio de tu empresa, como Microsoft Entra ID u Okta.',
    scim: {
      title: 'Aprovisionamiento (SCIM)',
      about:
        'Tu proveedor de identidad añade a las personas, las cambia y las archiva según llegan y se van. Sus grupos pasan a ser unidades.',
      url: 'URL del inquilino',
      none: 'Sin conectar. Crea un token e introdúcelo en tu proveedor de identidad.',
      ownersOnly: 'Solo los propietarios pueden crear y revocar tokens.',
      current: 'Token',
      former: 'Token reemplazado',
      created: 'Creado por {name}',
      used: 'Último uso',
      neverUsed: 'Nunca usado',
      ends: 'Termina',
      make: 'Crear token',
      replace: 'Reemplazar token',
      revoke: 'Revocar',
      revokeOne: (token) => `Revocar: ${token}`,
      replacing: {
        title: '¿Reemplazar el token SCIM?',
        text: 'Introduce el token nuevo en tu proveedor de identidad antes de que el actual deje de funcionar.',
        overlap: 'El token actual funciona',
        hours: (hours) =>
          hours === 0
            ? 'Nada más: termina ahora'
            : plural.es(hours, { one: '1 hora más', other: `${hours} horas más` }),
        action: 'Reemplazar token',
      },
      made: {
        title: 'Tu token SCIM',
        once: 'Copia el token ahora. Solo se muestra una vez.',
        token: 'Token',
      },
      revoking: {
        title: '¿Revocar el token SCIM?',
        text: 'Tu proveedor de identidad ya no podrá cambiar personas ni unidades aquí.',
        costs: {
          people: 'Las personas y las unidades se quedan como están.',
          leaving: 'Las personas que se van ya no se archivan automáticamente.',
        },
        done: 'Token revocado.',
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
