import { errorCode } from '../../../contract/error-codes.ts'
import { GERMAN_CHAT_ERRORS } from './chat-errors.ts'
import { byLanguage, type Language } from './texts.ts'

/** What the server says no with, in other languages; in English it is shown as a sentence. */
const GERMAN: Record<string, string> = {
  'sign in first': 'Bitte melden Sie sich an.',
  'quiet hours must end at another time than they begin':
    'Ruhezeiten müssen zu einer anderen Zeit enden, als sie beginnen.',
  'this is not the address of a push service': 'Das ist keine Adresse eines Push-Dienstes.',
  'this server sends no push messages': 'Dieser Server verschickt keine Push-Nachrichten.',
  'sign in again first':
    'Bitte melden Sie sich neu an und versuchen Sie es dann noch einmal: Dafür braucht es eine frische Anmeldung.',
  forbidden: 'Das dürfen Sie nicht.',
  'this assistant is not known here':
    'Dieser Assistent ist hier nicht bekannt. Beginnen Sie dort noch einmal.',
  'the address to return to is not one of this assistant':
    'Die Adresse, an die der Zugang gehen soll, gehört nicht zu diesem Assistenten.',
  'the description of this assistant could not be read':
    'Die Beschreibung dieses Assistenten konnte nicht gelesen werden. Versuchen Sie es später noch einmal.',
  'this organization does not allow assistants': 'Diese Organisation erlaubt keine Assistenten.',
  'the assistant does not ask for this': 'Darum bittet der Assistent nicht.',
  'Assistant not found': 'Dieser Assistent ist nicht mehr verbunden.',
  'scopes is required': 'Bitte wählen Sie aus, was der Assistent darf.',
  'wrong code': 'Dieser Code ist falsch, oder er wurde schon benutzt.',
  'code is required': 'Bitte geben Sie den Code ein.',
  'enter your password again': 'Das hat zu lange gedauert. Bitte geben Sie Ihr Passwort noch einmal ein.',
  'begin again': 'Das hat zu lange gedauert. Bitte fangen Sie noch einmal an.',
  'a second factor is set up already': 'Ein zweiter Faktor ist schon eingerichtet.',
  'no second factor is set up': 'Es ist kein zweiter Faktor eingerichtet.',
  'set up a second factor first': 'Richten Sie zuerst einen zweiten Faktor ein.',
  'sign in with a second factor yourself first':
    'Melden Sie sich zuerst selbst mit einem zweiten Faktor an, damit Sie sich nicht aussperren.',
  'only owners decide whether admins may read topics':
    'Ob Administratoren Themen lesen dürfen, entscheiden nur Eigentümer.',
  'admins may not read topics in this organization':
    'In dieser Organisation dürfen Administratoren keine Themen lesen.',
  'only owners decide on the second factor': 'Über den zweiten Faktor entscheiden nur Eigentümer.',
  'this person belongs to other organizations too; ask whoever runs the server':
    'Diese Person gehört auch zu anderen Organisationen. Bitten Sie den Betreiber des Servers darum.',
  'this must be sent from a page of this server': 'Das muss von einer Seite dieses Servers kommen.',
  'wrong e-mail address or password': 'E-Mail-Adresse oder Passwort ist falsch.',
  'wrong password': 'Das Passwort ist falsch.',
  'too many attempts, please wait': 'Zu viele Versuche. Bitte warten Sie ein wenig.',
  'too many invitations, please wait': 'Zu viele Einladungen. Bitte warten Sie ein wenig.',
  'this link does not work any more': 'Dieser Link gilt nicht mehr.',
  'invalid domain': 'Das ist keine Domain. Schreiben Sie sie wie example.com.',
  'this link is for addresses of other domains': 'Dieser Link ist für Adressen anderer Domains.',
  'an organization can have 100 open links at most':
    'Eine Organisation kann höchstens 100 offene Links haben. Ziehen Sie zuerst einen zurück.',
  'Join link not found': 'Diesen Link gibt es nicht mehr.',
  'invalid e-mail address': 'Das ist keine E-Mail-Adresse.',
  'this e-mail address has an account already; use another one':
    'Zu dieser Adresse gibt es schon ein Konto. Verwenden Sie eine andere.',
  'password must have at least 10 characters': 'Ein Passwort hat mindestens 10 Zeichen.',
  'password too long': 'Das Passwort ist zu lang.',
  'password is easy to guess': 'Dieses Passwort ist leicht zu erraten.',
  'password is required': 'Bitte geben Sie ein Passwort an.',
  'name is required': 'Bitte geben Sie einen Namen an.',
  'name too long': 'Der Name ist zu lang.',
  'organizationName is required': 'Bitte geben Sie den Namen der Organisation an.',
  'adminName is required': 'Bitte geben Sie Ihren Namen an.',
  'botName is required': 'Bitte geben Sie dem Bot einen Namen.',
  'Session not found': 'Diese Sitzung gibt es nicht mehr.',
  'the passkey could not be verified': 'Der Passkey konnte nicht geprüft werden.',
  'set a password first': 'Legen Sie zuerst ein Passwort fest.',
  'too many passkeys': 'Das sind zu viele Passkeys. Entfernen Sie zuerst einen anderen.',
  'Passkey not found': 'Diesen Passkey gibt es nicht mehr.',
  'agent sign-up is for owners of the home organization of the server':
    'Über die Anmeldung von Agenten entscheiden die Eigentümer der Heimatorganisation dieses Servers.',
  'Organization not found': 'Diese Organisation gibt es nicht.',
  'email already belongs to a member': 'Diese Adresse gehört schon einem Mitglied.',
  'somebody who is in this closed topic must add you':
    'In dieses geschlossene Thema muss Sie jemand aufnehmen, der darin ist.',
  'only owners decide on owners': 'Über Eigentümer entscheiden nur Eigentümer.',
  'member is not pending': 'Dieses Mitglied ist nicht mehr eingeladen.',
  'Member not found': 'Dieses Mitglied gibt es nicht.',
  'an organization needs an owner': 'Eine Organisation braucht einen Eigentümer.',
  'you cannot archive or delete yourself': 'Sich selbst können Sie weder archivieren noch löschen.',
  'a pending member becomes active by accepting the invitation':
    'Ein eingeladenes Mitglied wird aktiv, wenn es die Einladung annimmt.',
  'a deleted member can be invited again': 'Ein gelöschtes Mitglied können Sie neu einladen.',
  'Bot not found': 'Diesen Bot gibt es nicht.',
  'the bot is not in this topic': 'Der Bot ist nicht in diesem Thema.',
  'name may not contain control characters':
    'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'organizationName may not contain control characters':
    'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'adminName may not contain control characters':
    'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'botName may not contain control characters':
    'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'tag may not contain control characters':
    'Das Kürzel darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'Label name already exists': 'Ein Label dieses Namens gibt es schon.',
  'Label not found': 'Dieses Label gibt es nicht mehr.',
  'tag already exists': 'Dieses Kürzel gibt es schon.',
  'tag must be one word without @': 'Ein Kürzel ist ein Wort ohne @.',
  'Org unit not found': 'Diese Einheit gibt es nicht mehr.',
  'Invalid member': 'Dieses Mitglied kann hier nicht stehen.',
  'filePart must be a JPEG or PNG image': 'Ein Logo ist ein JPEG- oder PNG-Bild.',
  'Invalid image': 'Dieses Bild lässt sich nicht lesen.',
  'image must be at most 4096 by 4096 pixels': 'Ein Logo darf höchstens 4096 mal 4096 Bildpunkte haben.',
  'image takes too long to read': 'Dieses Bild ist zu aufwendig. Wählen Sie ein einfacheres.',
  'too many images at once':
    'Gerade werden zu viele Bilder verarbeitet. Versuchen Sie es gleich noch einmal.',
  'storage quota exceeded': 'Der Speicherplatz Ihrer Organisation ist belegt.',
  'file too large': 'Diese Datei ist zu groß.',
  'file is empty': 'Diese Datei ist leer.',
  'tag too long': 'Das Kürzel ist zu lang.',
  'Topic not found': 'Dieses Thema gibt es nicht, oder Sie sind nicht darin.',
  'Message not found': 'Diese Nachricht gibt es nicht mehr.',
  'member is already in the topic': 'Dieses Mitglied ist schon im Thema.',
  'not possible in a direct message': 'Das geht in einer Direktnachricht nicht.',
  'Invalid ownerId': 'Bitte wählen Sie eine aktive Person der Organisation.',
  'only an open topic can be joined by default': 'Nur einem offenen Thema treten Neue von selbst bei.',
  'too many pinned messages, unpin one first':
    'Hier sind zu viele Nachrichten angeheftet. Lösen Sie zuerst eine.',
  'unknown time zone': 'Diese Zeitzone gibt es nicht.',
  'Invalid labelId': 'Dieses Label gibt es nicht mehr.',
  'before, after and around cannot be used together': 'Die Anfrage war nicht lesbar.',
  'readTo and unreadFrom cannot be used together': 'Die Anfrage war nicht lesbar.',
  'topicId, messageId or externalTopic is required': 'Dieser Link ist unvollständig.',
  'not found': 'Das gibt es nicht, oder Sie dürfen es nicht sehen.',
  'tag is required': 'Bitte geben Sie ein Kürzel an.',
  'invalid cursor': 'Diese Seite der Liste gilt nicht mehr.',
  'malformed JSON': 'Die Anfrage war nicht lesbar.',
  'body too large': 'Das ist zu viel.',
}

/** Texts that name something of the server, by how they begin. */
const BEGINNINGS = byLanguage<readonly [begin: string, sentence: string][]>({
  en: [],
  de: [
    ['rateLimit must be from 1 to ', 'So viele Anfragen je Minute erlaubt dieser Server nicht.'],
    ['retentionDays must be at most ', 'So lange hebt dieser Server nichts auf.'],
    [
      'the webhook address must begin with https://',
      'Die Adresse muss mit https:// beginnen, weil auch die Adresse dieses Servers es tut.',
    ],
    [
      'the webhook address leads to ',
      'Die Adresse führt in ein privates Netz. Der Betreiber des Servers öffnet solche Netze mit WEBHOOK_ALLOWED_NETWORKS.',
    ],
  ],
})

/** Texts that are written for programs, for people. */
const ENGLISH: Record<string, string> = {
  forbidden: 'You are not allowed to do this.',
  'wrong code': 'This code is wrong, or it was used already.',
  'enter your password again': 'That took too long. Please enter your password again.',
  'begin again': 'That took too long. Please begin again.',
  'sign in with a second factor yourself first':
    'Sign in with a second factor yourself first, so that you do not lock yourself out.',
  'sign in first': 'Please sign in.',
  'this assistant is not known here': 'This assistant is not known here. Start again from the assistant.',
  'the address to return to is not one of this assistant':
    'The address that access would go to does not belong to this assistant.',
  'the description of this assistant could not be read':
    'The description of this assistant could not be read. Try again later.',
  'sign in again first': 'Please sign in again, then try once more: this needs a fresh sign-in.',
  'filePart must be a JPEG or PNG image': 'A logo is a JPEG or PNG picture.',
  'Invalid image': 'This picture cannot be read.',
  'image must be at most 4096 by 4096 pixels': 'A logo can have at most 4096 by 4096 pixels.',
  'image takes too long to read': 'This picture takes too long to read. Choose a simpler one.',
  'too many images at once': 'Too many pictures are being processed. Try again in a moment.',
  'storage quota exceeded': 'Your organization has used all of its storage.',
  'organizationName is required': 'Please give the name of the organization.',
  'adminName is required': 'Please give your name.',
  'botName is required': 'Please give the bot a name.',
  'email already belongs to a member': 'This address already belongs to a member.',
  'wrong e-mail address or password': 'The e-mail address or the password is wrong.',
  'too many attempts, please wait': 'Too many attempts. Please wait a while.',
  'too many invitations, please wait': 'Too many invitations. Please wait a while.',
}

/** What several say of the same refusal, the last says. */
const byCode = (...texts: Record<string, string>[]): Map<string, string> =>
  new Map(texts.flatMap(Object.entries<string>).map(([refusal, sentence]) => [errorCode(refusal), sentence]))
const SENTENCES = byLanguage({ en: byCode(ENGLISH), de: byCode(GERMAN_CHAT_ERRORS, GERMAN) })

/** Adds what is said of refusals that one part of the app alone can get: it brings them along when it is loaded. */
export function addSentences(added: Record<Language, Record<string, string>>): void {
  for (const language of ['en', 'de'] as const)
    for (const [code, sentence] of byCode(added[language] ?? {})) SENTENCES[language]?.set(code, sentence)
}

/** A refusal as a sentence, by its code; one without a sentence of its own says what the server said. */
export function errorSentence(message: string, language: Language, code = errorCode(message)): string {
  const known = SENTENCES[language].get(code)
  if (known !== undefined) return known
  const beginning = BEGINNINGS[language].find(([begin]) => message.startsWith(begin))
  if (beginning) return beginning[1]
  const sentence = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
