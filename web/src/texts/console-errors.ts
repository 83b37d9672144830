import { addSentences } from './errors.ts'
import { byLanguage } from './texts.ts'

/** Refusals that only the console gets: the chat does not wait for them. */
addSentences(
  byLanguage<Record<string, string>>({
    en: {
      'sign in with a second factor yourself first':
        'Sign in with a second factor yourself first, so that you do not lock yourself out.',
      'too many invitations, please wait': 'Too many invitations. Wait a few minutes, then try again.',
      'email already belongs to a member': 'This address already belongs to a member.',
      'only somebody who is in this closed topic adds others to it':
        'Only members of this closed topic can add others to it.',
      'only somebody who is in this closed topic opens it': 'Only members of this closed topic can open it.',
      'only somebody who is in this closed topic lets a bot hear more of it':
        'Only members of this closed topic can let a bot hear more of it.',
    },
    de: {
      'sign in with a second factor yourself first':
        'Melden Sie sich zuerst selbst mit einem zweiten Faktor an, damit Sie sich nicht aussperren.',
      'only owners decide on the second factor': 'Über den zweiten Faktor entscheiden nur Eigentümer.',
      'this person belongs to other organizations too; ask whoever runs the server':
        'Diese Person gehört auch zu anderen Organisationen. Bitten Sie den Betreiber des Servers darum.',
      'too many invitations, please wait':
        'Zu viele Einladungen. Warten Sie ein paar Minuten und versuchen Sie es dann noch einmal.',
      'invalid domain': 'Das ist keine gültige Domain. Beispiel: example.com.',
      'an organization can have 100 open links at most':
        'Eine Organisation kann höchstens 100 offene Links haben. Widerrufen Sie zuerst einen.',
      'Join link not found': 'Diesen Link gibt es nicht mehr.',
      'agent sign-up is for owners of the home organization of the server':
        'Über die Registrierung von Agenten entscheiden die Eigentümer der Heimatorganisation dieses Servers.',
      'email already belongs to a member': 'Diese Adresse gehört schon einem Mitglied.',
      'only somebody who is in this closed topic adds others to it':
        'Nur Mitglieder dieses geschlossenen Themas können andere hinzufügen.',
      'only somebody who is in this closed topic opens it':
        'Nur Mitglieder dieses geschlossenen Themas können es öffnen.',
      'only somebody who is in this closed topic lets a bot hear more of it':
        'Nur Mitglieder dieses geschlossenen Themas können einen Bot darin mehr hören lassen.',
      'only owners decide on owners': 'Über Eigentümer entscheiden nur Eigentümer.',
      'member is not pending': 'Dieses Mitglied ist nicht mehr eingeladen.',
      'an organization needs an owner': 'Eine Organisation braucht einen Eigentümer.',
      'you cannot archive or delete yourself': 'Sich selbst können Sie weder archivieren noch löschen.',
      'a pending member becomes active by accepting the invitation':
        'Ein eingeladenes Mitglied wird aktiv, wenn es die Einladung annimmt.',
      'a deleted member can be invited again': 'Ein gelöschtes Mitglied können Sie neu einladen.',
      'tag may not contain control characters':
        'Das Kürzel darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
      'Label name already exists': 'Ein Label dieses Namens gibt es schon.',
      'Label not found': 'Dieses Label gibt es nicht mehr.',
      'tag already exists': 'Dieses Kürzel gibt es schon.',
      'tag must be one word without @': 'Ein Kürzel ist ein Wort ohne @.',
      'Org unit not found': 'Diese Einheit gibt es nicht mehr.',
      'tag too long': 'Das Kürzel ist zu lang.',
      'tag is required': 'Geben Sie ein Kürzel ein.',
      'Invalid ownerId': 'Wählen Sie eine aktive Person der Organisation.',
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
      'a secret that begins with whsec_ must go on with at least 24 bytes in base64':
        'Nach whsec_ müssen mindestens 24 Byte in Base64 folgen.',
      'secret must have at least 8 characters': 'Ein Geheimnis muss mindestens 8 Zeichen haben.',
      'url too long': 'Die Adresse ist zu lang.',
      'webhookUrl too long': 'Die Adresse ist zu lang.',
      'webhookUrl is required': 'Geben Sie eine Adresse ein.',
      'permission is for static keys': 'Diese Berechtigung gilt nur für Bots mit API-Schlüssel.',
      'signatureVersion is for static keys': 'Signaturen gibt es nur bei Bots mit API-Schlüssel.',
      'scopes are for OAuth': 'Scopes gelten nur für Bots mit OAuth.',
      'delivery mode is not webhook': 'Dieser Bot verwendet Long Polling.',
      'bot is not active': 'Dieser Bot ist abgeschaltet.',
      'Delivery not found': 'Diese Zustellung gibt es nicht mehr.',
      'an OAuth bot has no API key': 'Ein Bot mit OAuth hat keinen API-Schlüssel.',
      'an OAuth bot signs no requests': 'Ein Bot mit OAuth signiert seine Anfragen nicht.',
    },
  }),
)
