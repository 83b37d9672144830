import { addSentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals that only the console gets, about bots and their webhooks: who opens the chat does not wait for them. */
addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'a header has a name of 1 to 64 letters, digits and dashes that Parley does not use itself':
        'Der Name eines Headers hat 1 bis 64 Buchstaben, Ziffern und Bindestriche und ist keiner, den Parley selbst verwendet.',
      'a header has a value of 1 to 1000 printable characters':
        'Der Wert eines Headers hat 1 bis 1000 druckbare Zeichen.',
      'there can be 10 headers at most': 'Es kann höchstens 10 Header geben.',
      'the webhook address must be an http or https address, such as https://example.com/events':
        'Die Adresse muss mit http oder https beginnen, etwa https://example.com/events.',
      'the webhook address must not hold a user name or password; check the signature of the requests instead':
        'Die Adresse darf weder Benutzername noch Passwort enthalten; prüfen Sie stattdessen die Signatur der Aufrufe.',
      'a template is for the format generic': 'Eine Vorlage gibt es nur für beliebiges JSON.',
      'the bot may not send messages': 'Der Bot darf keine Nachrichten senden.',
      'the webhook address is one that the bot has already': 'Diese Adresse hat der Bot schon.',
      'a bot can have 5 addresses at most': 'Ein Bot kann höchstens 5 Adressen haben.',
      'Address not found': 'Diese Adresse gibt es nicht mehr.',
      'a bot can have 50 incoming webhooks at most': 'Ein Bot kann höchstens 50 eingehende Webhooks haben.',
      'Incoming webhook not found': 'Diesen eingehenden Webhook gibt es nicht mehr.',
      'secret must be printable ASCII without spaces':
        'Ein Geheimnis besteht aus druckbaren ASCII-Zeichen ohne Leerzeichen.',
      'secret must have at least 8 characters': 'Ein Geheimnis hat mindestens 8 Zeichen.',
      'url too long': 'Die Adresse ist zu lang.',
      'webhookUrl too long': 'Die Adresse ist zu lang.',
      'webhookUrl is required': 'Bitte geben Sie die Adresse an.',
      'permission is for static keys': 'Diese Berechtigung gilt nur für Bots mit API-Schlüssel.',
      'signatureVersion is for static keys': 'Signaturen gibt es nur bei Bots mit API-Schlüssel.',
      'scopes are for OAuth': 'Scopes gelten nur für Bots mit OAuth.',
      'delivery mode is not webhook': 'Dieser Bot holt seine Ereignisse selbst ab.',
      'bot is not active': 'Dieser Bot ist abgeschaltet.',
      'Delivery not found': 'Diese Zustellung gibt es nicht mehr.',
      'an OAuth bot has no API key': 'Ein Bot mit OAuth hat keinen API-Schlüssel.',
      'an OAuth bot signs no requests': 'Ein Bot mit OAuth signiert seine Anfragen nicht.',
    },
  }),
)
