import { addSentences, type Sentences } from './errors.ts'
import { byLanguage, plural, texts } from './texts.ts'

addSentences(
  byLanguage<Sentences>({
    en: {
      syslog_address_invalid: 'Enter a host with a port, such as siem.example.com:6514.',
      ca_certificate_invalid: 'Paste certificates in PEM.',
      ca_certificate_of_webhook: 'Only syslog takes a certificate of your own.',
    },
    de: {
      audit_token_not_found: 'Dieser Token gilt nicht mehr.',
      audit_destination_not_found: 'Dieses Ziel gibt es nicht mehr.',
      audit_destination_known: 'An diese Adresse wird das Audit-Protokoll schon gesendet.',
      audit_destinations_full: 'Eine Organisation kann höchstens 5 Ziele haben. Entfernen Sie zuerst eines.',
      syslog_address_invalid: 'Geben Sie einen Host mit Port ein, etwa siem.example.com:6514.',
      ca_certificate_invalid: 'Fügen Sie Zertifikate im Format PEM ein.',
      ca_certificate_of_webhook: 'Ein eigenes Zertifikat gibt es nur für Syslog.',
      'field_too_long.address': 'Die Adresse ist zu lang.',
      'field_too_long.caCertificate': 'Das sind zu viele Zertifikate.',
    },
  }),
)

/** The page about programs outside that get the audit log. */
export const auditDelivery = texts({
  en: {
    back: 'Audit log',
    title: 'Send the audit log',
    about: 'Let the security system of your company follow every entry of the audit log.',
    destinations: {
      title: 'Destinations',
      about:
        'Parley sends each entry from now on, in order. What does not arrive is sent again until it does, so a receiver may get an entry twice, with the same id.',
      none: 'The audit log is sent nowhere.',
      full: (limit: number) => `${limit} destinations at most`,
      add: 'Add destination',
      kinds: { webhook: 'Webhook', syslog: 'Syslog' },
      added: 'Added by {name}',
      state: { well: 'Up to date', sending: 'Sending', failing: 'Not arriving' },
      sent: 'Last arrived',
      neverSent: 'Nothing has arrived yet',
      waiting: (count: number, isMore: boolean) =>
        isMore
          ? `More than ${count} entries wait · oldest`
          : plural.en(count, { one: '1 entry waits ·', other: `${count} entries wait · oldest` }),
      again: 'Next attempt',
      faults: {
        timeout: 'The receiver did not answer in time.',
        refused: 'No connection to this address.',
        dns: 'This name was not found.',
        tls: 'The encryption or the certificate of the receiver was not accepted.',
        status: 'The receiver refused the request.',
        blocked: 'This address is not on the public internet.',
        redirect: 'The receiver redirects elsewhere. Enter the address that it leads to.',
        closed: 'The receiver did not take the entries.',
      },
      test: 'Test',
      testOne: (address: string) => `Test: ${address}`,
      arrived: 'The test arrived.',
      remove: 'Remove',
      removeOne: (address: string) => `Remove: ${address}`,
      removing: {
        title: 'Remove this destination?',
        text: 'The audit log is no longer sent to {address}.',
        costs: { waiting: 'Entries that wait are not sent there, nor later ones.' },
        done: 'Destination removed.',
      },
      adding: {
        title: 'Add a destination',
        kind: 'Kind',
        kinds: { webhook: 'Webhook: signed HTTPS requests', syslog: 'Syslog: RFC 5424 over TLS' },
        url: 'URL',
        host: 'Host and port',
        missing: 'Enter an address.',
        ca: 'CA certificate (optional)',
        caHint: 'PEM, if no public authority signed the receiver’s certificate.',
        action: 'Add destination',
      },
      made: {
        title: 'The secret that signs',
        once: 'Copy the secret now. It is shown only once.',
        secret: 'Secret',
      },
    },
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
    destinations: {
      title: 'Ziele',
      about:
        'Parley sendet ab jetzt jeden Eintrag der Reihe nach. Was nicht ankommt, wird erneut gesendet, bis es ankommt. Ein Empfänger kann einen Eintrag also zweimal bekommen, mit derselben ID.',
      none: 'Das Audit-Protokoll wird nirgendwohin gesendet.',
      full: (limit) => `Höchstens ${limit} Ziele`,
      add: 'Ziel hinzufügen',
      kinds: { webhook: 'Webhook', syslog: 'Syslog' },
      added: 'Hinzugefügt von {name}',
      state: { well: 'Auf dem neuesten Stand', sending: 'Wird gesendet', failing: 'Kommt nicht an' },
      sent: 'Zuletzt angekommen',
      neverSent: 'Noch nichts angekommen',
      waiting: (count, isMore) =>
        isMore
          ? `Mehr als ${count} Einträge warten · ältester`
          : plural.de(count, {
              one: '1 Eintrag wartet ·',
              other: `${count} Einträge warten · ältester`,
            }),
      again: 'Nächster Versuch',
      faults: {
        timeout: 'Der Empfänger hat nicht rechtzeitig geantwortet.',
        refused: 'Keine Verbindung zu dieser Adresse.',
        dns: 'Dieser Name wurde nicht gefunden.',
        tls: 'Die Verschlüsselung oder das Zertifikat des Empfängers wurde nicht akzeptiert.',
        status: 'Der Empfänger hat die Anfrage abgelehnt.',
        blocked: 'Diese Adresse liegt nicht im öffentlichen Internet.',
        redirect: 'Der Empfänger leitet weiter. Geben Sie die Adresse ein, zu der er führt.',
        closed: 'Der Empfänger hat die Einträge nicht angenommen.',
      },
      test: 'Testen',
      testOne: (address) => `Testen: ${address}`,
      arrived: 'Der Test ist angekommen.',
      remove: 'Entfernen',
      removeOne: (address) => `Entfernen: ${address}`,
      removing: {
        title: 'Dieses Ziel entfernen?',
        text: 'Das Audit-Protokoll wird nicht mehr an {address} gesendet.',
        costs: { waiting: 'Wartende und spätere Einträge werden nicht mehr dorthin gesendet.' },
        done: 'Ziel entfernt.',
      },
      adding: {
        title: 'Ziel hinzufügen',
        kind: 'Art',
        kinds: { webhook: 'Webhook: signierte HTTPS-Anfragen', syslog: 'Syslog: RFC 5424 über TLS' },
        url: 'URL',
        host: 'Host und Port',
        missing: 'Geben Sie eine Adresse ein.',
        ca: 'CA-Zertifikat (optional)',
        caHint: 'PEM, falls keine öffentliche Stelle das Zertifikat des Empfängers ausgestellt hat.',
        action: 'Ziel hinzufügen',
      },
      made: {
        title: 'Das Geheimnis für die Signatur',
        once: 'Kopieren Sie das Geheimnis jetzt. Es wird nur einmal angezeigt.',
        secret: 'Geheimnis',
      },
    },
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
