import { errorCode } from '../../../contract/error-codes.ts'
import { GERMAN_CHAT_ERRORS } from './chat-errors.ts'
import { byLanguage, type Language } from './texts.ts'

/** German texts for refusals; in English the refusal itself is shown as a sentence. */
const GERMAN: Record<string, string> = {
  'sign in first': 'Melden Sie sich an, um fortzufahren.',
  'sign in again first':
    'Dafür ist eine aktuelle Anmeldung nötig. Melden Sie sich neu an, und versuchen Sie es dann noch einmal.',
  forbidden: 'Das dürfen Sie nicht.',
  'this must be sent from a page of this server': 'Die Anfrage kam nicht von einer Seite dieses Servers.',
  'name is required': 'Geben Sie einen Namen ein.',
  'name too long': 'Der Name ist zu lang.',
  'botName is required': 'Geben Sie einen Namen für den Bot ein.',
  'Organization not found': 'Diese Organisation gibt es nicht.',
  'Member not found': 'Dieses Mitglied gibt es nicht.',
  'Bot not found': 'Diesen Bot gibt es nicht.',
  'the bot is not in this topic': 'Der Bot ist nicht in diesem Thema.',
  'name may not contain control characters':
    'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'botName may not contain control characters':
    'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'Invalid member': 'Dieses Mitglied kann hier nicht gewählt werden.',
  'filePart must be a JPEG or PNG image': 'Wählen Sie ein Bild im Format JPEG oder PNG.',
  'Invalid image': 'Dieses Bild konnte nicht gelesen werden.',
  'image must be at most 4096 by 4096 pixels': 'Ein Logo darf höchstens 4096 mal 4096 Bildpunkte haben.',
  'image takes too long to read': 'Dieses Bild ist zu aufwendig. Wählen Sie ein einfacheres.',
  'too many images at once':
    'Gerade werden zu viele Bilder verarbeitet. Versuchen Sie es gleich noch einmal.',
  'storage quota exceeded': 'Der Speicherplatz Ihrer Organisation ist belegt.',
  'file too large': 'Diese Datei ist zu groß.',
  'file is empty': 'Diese Datei ist leer.',
  'Topic not found': 'Dieses Thema gibt es nicht, oder Sie sind nicht darin.',
  'Message not found': 'Diese Nachricht gibt es nicht mehr.',
  'member is already in the topic': 'Dieses Mitglied ist schon im Thema.',
  'not possible in a direct message': 'Das geht in einer Direktnachricht nicht.',
  'only an open topic can be joined by default':
    'Nur einem offenen Thema können neue Personen automatisch beitreten.',
  'unknown time zone': 'Diese Zeitzone gibt es nicht.',
  'Invalid labelId': 'Dieses Label gibt es nicht mehr.',
  'topicId, messageId or externalTopic is required': 'Dieser Link ist unvollständig.',
  'not found': 'Das gibt es nicht, oder Sie dürfen es nicht sehen.',
  'invalid cursor': 'Diese Seite der Liste gilt nicht mehr.',
  'malformed JSON': 'Die Anfrage war nicht lesbar.',
  'body too large': 'Das ist zu groß.',
}

/** Texts that name something of the server, by how they begin. */
const BEGINNINGS = byLanguage<readonly [begin: string, sentence: string][]>({
  en: [],
  de: [
    ['rateLimit must be from 1 to ', 'So viele Anfragen pro Minute erlaubt dieser Server nicht.'],
    ['retentionDays must be at most ', 'So lange bewahrt dieser Server nichts auf.'],
    [
      'the webhook address must begin with https://',
      'Die Adresse muss mit https:// beginnen, wie die Adresse dieses Servers.',
    ],
    [
      'the webhook address leads to ',
      'Die Adresse liegt in einem privaten Netz. Der Betreiber des Servers kann solche Netze mit WEBHOOK_ALLOWED_NETWORKS erlauben.',
    ],
  ],
})

/** English sentences for refusals that are worded for programs. */
const ENGLISH: Record<string, string> = {
  forbidden: 'You are not allowed to do this.',
  'sign in first': 'Sign in to continue.',
  'sign in again first': 'This needs a recent sign-in. Sign in again, then try once more.',
  'filePart must be a JPEG or PNG image': 'Choose a JPEG or PNG picture.',
  'Invalid image': 'This picture cannot be read.',
  'image must be at most 4096 by 4096 pixels': 'A logo can have at most 4096 by 4096 pixels.',
  'image takes too long to read': 'This picture takes too long to read. Choose a simpler one.',
  'too many images at once': 'Too many pictures are being processed. Try again in a moment.',
  'storage quota exceeded': 'Your organization has used all its storage.',
  'botName is required': 'Enter a name for the bot.',
}

/** The last text for a refusal wins. */
const byCode = (...texts: Record<string, string>[]): Map<string, string> =>
  new Map(texts.flatMap(Object.entries<string>).map(([refusal, sentence]) => [errorCode(refusal), sentence]))
const SENTENCES = byLanguage({ en: byCode(ENGLISH), de: byCode(GERMAN_CHAT_ERRORS, GERMAN) })

/** Adds sentences for refusals that only one part of the app can get. The part adds them when it loads. */
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
