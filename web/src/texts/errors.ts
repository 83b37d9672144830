import type { RefusalKey } from '../../../contract/refusals/index.ts'
import { GERMAN_CHAT_ERRORS } from './chat-errors.ts'
import { byLanguage, type Language } from './texts.ts'

/** Sentences by the code of a refusal, or by its code and field: `field_required.name`. */
export type Sentences = { [Key in RefusalKey]?: string }

/** German texts for refusals; in English the refusal itself is shown as a sentence. */
const GERMAN: Sentences = {
  sign_in_required: 'Melden Sie sich an, um fortzufahren.',
  sign_in_again_required:
    'Dafür ist eine aktuelle Anmeldung nötig. Melden Sie sich neu an, und versuchen Sie es dann noch einmal.',
  forbidden: 'Das dürfen Sie nicht.',
  foreign_page: 'Die Anfrage kam nicht von einer Seite dieses Servers.',
  'field_required.name': 'Geben Sie einen Namen ein.',
  'field_too_long.name': 'Der Name ist zu lang.',
  'field_required.botName': 'Geben Sie einen Namen für den Bot ein.',
  organization_not_found: 'Diese Organisation gibt es nicht.',
  member_not_found: 'Dieses Mitglied gibt es nicht.',
  bot_not_found: 'Diesen Bot gibt es nicht.',
  bot_not_in_topic: 'Der Bot ist nicht in diesem Thema.',
  'field_invalid.name': 'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  'field_invalid.botName': 'Der Name darf keine Zeilenumbrüche oder unsichtbaren Zeichen enthalten.',
  member_invalid: 'Dieses Mitglied kann hier nicht gewählt werden.',
  image_type_unsupported: 'Wählen Sie ein Bild im Format JPEG oder PNG.',
  image_invalid: 'Dieses Bild konnte nicht gelesen werden.',
  image_too_large: 'Ein Logo darf höchstens 4096 mal 4096 Bildpunkte haben.',
  image_too_slow: 'Dieses Bild ist zu aufwendig. Wählen Sie ein einfacheres.',
  image_queue_full: 'Gerade werden zu viele Bilder verarbeitet. Versuchen Sie es gleich noch einmal.',
  storage_quota_exceeded: 'Der Speicherplatz Ihrer Organisation ist belegt.',
  file_too_large: 'Diese Datei ist zu groß.',
  file_empty: 'Diese Datei ist leer.',
  topic_not_found: 'Dieses Thema gibt es nicht, oder Sie sind nicht darin.',
  message_not_found: 'Diese Nachricht gibt es nicht mehr.',
  topic_member_known: 'Dieses Mitglied ist schon im Thema.',
  topic_is_direct: 'Das geht in einer Direktnachricht nicht.',
  topic_not_open: 'Nur einem offenen Thema können neue Personen automatisch beitreten.',
  time_zone_unknown: 'Diese Zeitzone gibt es nicht.',
  'field_invalid.labelId': 'Dieses Label gibt es nicht mehr.',
  not_found: 'Das gibt es nicht, oder Sie dürfen es nicht sehen.',
  cursor_invalid: 'Diese Seite der Liste gilt nicht mehr.',
  field_required: 'Eine Angabe fehlt.',
  field_too_long: 'Eine Angabe ist zu lang.',
  field_too_short: 'Eine Angabe ist zu kurz.',
  field_out_of_range: 'Eine Angabe liegt außerhalb des Erlaubten.',
  field_invalid: 'Eine Angabe ist nicht gültig.',
  field_unknown: 'Diese Seite ist veraltet. Laden Sie sie neu.',
  fields_missing: 'Die Anfrage ist unvollständig.',
  fields_conflict: 'Diese Angaben schließen einander aus.',
  malformed_request: 'Die Anfrage war nicht lesbar.',
  malformed_path: 'Diese Adresse ist nicht lesbar.',
  malformed_form: 'Die Anfrage war nicht lesbar.',
  content_type_unsupported: 'Die Anfrage war nicht lesbar.',
  body_not_object: 'Die Anfrage war nicht lesbar.',
  body_not_utf8: 'Die Anfrage war nicht lesbar.',
  body_incomplete: 'Die Anfrage kam nicht vollständig an. Versuchen Sie es noch einmal.',
  request_too_slow: 'Das hat zu lange gedauert. Versuchen Sie es noch einmal.',
  characters_not_allowed: 'Der Text enthält Zeichen, die nicht erlaubt sind.',
  concurrency_limited: 'Zu viele Anfragen zugleich. Versuchen Sie es gleich noch einmal.',
  connections_limited: 'Zu viele Verbindungen von dieser Adresse. Versuchen Sie es gleich noch einmal.',
  streams_open: 'Zu viele Seiten sind offen. Schließen Sie einige.',
  idempotency_key_invalid: 'Die Anfrage war nicht lesbar.',
  idempotency_key_reused: 'Diese Anfrage wurde schon einmal gestellt, mit anderem Inhalt.',
  part_limit_reached: 'Das sind zu viele Teile auf einmal.',
  part_too_large: 'Das ist zu viel.',
  part_repeated: 'Die Anfrage war nicht lesbar.',
  file_limit_reached: 'Das sind zu viele Dateien auf einmal.',
  picture_not_found: 'Dieses Bild gibt es nicht mehr.',
  malformed_json: 'Die Anfrage war nicht lesbar.',
  rate_limit_out_of_range: 'So viele Anfragen je Minute erlaubt dieser Server nicht.',
  retention_out_of_range: 'So lange hebt dieser Server nichts auf.',
  webhook_url_not_https:
    'Die Adresse muss mit https:// beginnen, weil auch die Adresse dieses Servers es tut.',
  webhook_url_not_public:
    'Die Adresse führt in ein privates Netz. Der Betreiber des Servers öffnet solche Netze mit WEBHOOK_ALLOWED_NETWORKS.',
  body_too_large: 'Das ist zu groß.',
}

/** English sentences for refusals that are worded for programs. */
const ENGLISH: Sentences = {
  forbidden: 'You are not allowed to do this.',
  sign_in_required: 'Sign in to continue.',
  sign_in_again_required: 'This needs a recent sign-in. Sign in again, then try once more.',
  image_type_unsupported: 'Choose a JPEG or PNG picture.',
  image_invalid: 'This picture cannot be read.',
  image_too_large: 'A logo can have at most 4096 by 4096 pixels.',
  image_too_slow: 'This picture takes too long to read. Choose a simpler one.',
  image_queue_full: 'Too many pictures are being processed. Try again in a moment.',
  storage_quota_exceeded: 'Your organization has used all its storage.',
  'field_required.botName': 'Enter a name for the bot.',
}

/** The last text for a refusal wins. */
const SENTENCES = byLanguage({
  en: new Map(Object.entries(ENGLISH)),
  de: new Map(Object.entries({ ...GERMAN_CHAT_ERRORS, ...GERMAN })),
})

/** Adds sentences for refusals that only one part of the app can get. The part adds them when it loads. */
export function addSentences(added: Record<Language, Sentences>): void {
  // A page is built for one language: the others are missing there.
  for (const [language, sentences] of Object.entries(added))
    for (const [key, sentence] of Object.entries(sentences))
      SENTENCES[language as Language]?.set(key, sentence)
}

/** A refusal as a sentence, by its code and field; one without a sentence of its own says what the server said. */
export function errorSentence(
  { code, field, text }: { code: string; field?: string | undefined; text: string },
  language: Language,
): string {
  const known = SENTENCES[language].get(`${code}.${field}`) ?? SENTENCES[language].get(code)
  if (known !== undefined) return known
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
