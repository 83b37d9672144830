import type { RefusalKey } from '../../../contract/refusals/index.ts'
import { FRENCH_CHAT_ERRORS, GERMAN_CHAT_ERRORS, SPANISH_CHAT_ERRORS } from './chat-errors.ts'
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

/** French texts for refusals. */
const FRENCH: Sentences = {
  forbidden: 'Vous n’êtes pas autorisé à faire cela.',
  sign_in_required: 'Connectez-vous pour continuer.',
  sign_in_again_required: 'Cela exige une connexion récente. Reconnectez-vous, puis réessayez.',
  image_type_unsupported: 'Choisissez une image JPEG ou PNG.',
  image_invalid: 'Cette image ne peut pas être lue.',
  image_too_large: 'Un logo peut avoir au plus 4096 pixels sur 4096.',
  image_too_slow: 'Cette image est trop longue à lire. Choisissez-en une plus simple.',
  image_queue_full: 'Trop d’images sont en cours de traitement. Réessayez dans un instant.',
  storage_quota_exceeded: 'Votre organisation a utilisé tout son stockage.',
  'field_required.botName': 'Saisissez un nom pour le bot.',
  foreign_page: 'La requête ne venait pas d’une page de ce serveur.',
  'field_required.name': 'Saisissez un nom.',
  'field_too_long.name': 'Le nom est trop long.',
  organization_not_found: 'Cette organisation n’existe pas.',
  member_not_found: 'Ce membre n’existe pas.',
  bot_not_found: 'Ce bot n’existe pas.',
  bot_not_in_topic: 'Le bot n’est pas dans ce sujet.',
  'field_invalid.name': 'Le nom ne peut contenir ni saut de ligne ni caractère invisible.',
  'field_invalid.botName': 'Le nom ne peut contenir ni saut de ligne ni caractère invisible.',
  member_invalid: 'Ce membre ne peut pas être choisi ici.',
  file_too_large: 'Ce fichier est trop volumineux.',
  file_empty: 'Ce fichier est vide.',
  topic_not_found: 'Ce sujet n’existe pas, ou vous n’en faites pas partie.',
  message_not_found: 'Ce message n’existe plus.',
  topic_member_known: 'Ce membre est déjà dans le sujet.',
  topic_is_direct: 'Cela n’est pas possible dans un message direct.',
  topic_not_open: 'Les nouvelles personnes ne peuvent rejoindre automatiquement qu’un sujet ouvert.',
  time_zone_unknown: 'Ce fuseau horaire n’existe pas.',
  'field_invalid.labelId': 'Cette étiquette n’existe plus.',
  not_found: 'Cela n’existe pas, ou vous n’avez pas le droit de le voir.',
  cursor_invalid: 'Cette page de la liste n’est plus valable.',
  field_required: 'Une information manque.',
  field_too_long: 'Une information est trop longue.',
  field_too_short: 'Une information est trop courte.',
  field_out_of_range: 'Une information est hors des limites autorisées.',
  field_invalid: 'Une information n’est pas valide.',
  field_unknown: 'Cette page est périmée. Rechargez-la.',
  fields_missing: 'La requête est incomplète.',
  fields_conflict: 'Ces informations s’excluent mutuellement.',
  malformed_request: 'La requête n’était pas lisible.',
  malformed_path: 'Cette adresse n’est pas lisible.',
  malformed_form: 'La requête n’était pas lisible.',
  content_type_unsupported: 'La requête n’était pas lisible.',
  body_not_object: 'La requête n’était pas lisible.',
  body_not_utf8: 'La requête n’était pas lisible.',
  body_incomplete: 'La requête n’est pas arrivée en entier. Réessayez.',
  request_too_slow: 'Cela a pris trop de temps. Réessayez.',
  characters_not_allowed: 'Le texte contient des caractères non autorisés.',
  concurrency_limited: 'Trop de requêtes simultanées. Réessayez dans un instant.',
  connections_limited: 'Trop de connexions depuis cette adresse. Réessayez dans un instant.',
  streams_open: 'Trop de pages sont ouvertes. Fermez-en quelques-unes.',
  idempotency_key_invalid: 'La requête n’était pas lisible.',
  idempotency_key_reused: 'Cette requête a déjà été faite, avec un autre contenu.',
  part_limit_reached: 'C’est trop d’éléments à la fois.',
  part_too_large: 'C’est trop volumineux.',
  part_repeated: 'La requête n’était pas lisible.',
  file_limit_reached: 'C’est trop de fichiers à la fois.',
  picture_not_found: 'Cette image n’existe plus.',
  malformed_json: 'La requête n’était pas lisible.',
  rate_limit_out_of_range: 'Ce serveur n’autorise pas autant de requêtes par minute.',
  retention_out_of_range: 'Ce serveur ne conserve rien aussi longtemps.',
  webhook_url_not_https: 'L’adresse doit commencer par https://, puisque celle de ce serveur le fait aussi.',
  webhook_url_not_public:
    'L’adresse mène à un réseau privé. La personne qui gère le serveur ouvre ces réseaux avec WEBHOOK_ALLOWED_NETWORKS.',
  body_too_large: 'C’est trop volumineux.',
}

/** Spanish texts for refusals. */
const SPANISH: Sentences = {
  forbidden: 'No tienes permiso para hacer esto.',
  sign_in_required: 'Inicia sesión para continuar.',
  sign_in_again_required:
    'Esto requiere un inicio de sesión reciente. Inicia sesión de nuevo e inténtalo otra vez.',
  image_type_unsupported: 'Elige una imagen JPEG o PNG.',
  image_invalid: 'Esta imagen no se puede leer.',
  image_too_large: 'Un logo puede tener 4096 por 4096 píxeles como máximo.',
  image_too_slow: 'Esta imagen tarda demasiado en leerse. Elige una más sencilla.',
  image_queue_full: 'Se están procesando demasiadas imágenes. Inténtalo de nuevo en un momento.',
  storage_quota_exceeded: 'Tu organización ha usado todo su almacenamiento.',
  'field_required.botName': 'Introduce un nombre para el bot.',
  foreign_page: 'La solicitud no venía de una página de este servidor.',
  'field_required.name': 'Introduce un nombre.',
  'field_too_long.name': 'El nombre es demasiado largo.',
  organization_not_found: 'Esta organización no existe.',
  member_not_found: 'Este miembro no existe.',
  bot_not_found: 'Este bot no existe.',
  bot_not_in_topic: 'El bot no está en este tema.',
  'field_invalid.name': 'El nombre no puede contener saltos de línea ni caracteres invisibles.',
  'field_invalid.botName': 'El nombre no puede contener saltos de línea ni caracteres invisibles.',
  member_invalid: 'Este miembro no se puede elegir aquí.',
  file_too_large: 'Este archivo es demasiado grande.',
  file_empty: 'Este archivo está vacío.',
  topic_not_found: 'Este tema no existe o no estás en él.',
  message_not_found: 'Este mensaje ya no existe.',
  topic_member_known: 'Este miembro ya está en el tema.',
  topic_is_direct: 'Eso no es posible en un mensaje directo.',
  topic_not_open: 'Las personas nuevas solo pueden unirse automáticamente a un tema abierto.',
  time_zone_unknown: 'Esta zona horaria no existe.',
  'field_invalid.labelId': 'Esta etiqueta ya no existe.',
  not_found: 'Eso no existe o no puedes verlo.',
  cursor_invalid: 'Esta página de la lista ya no es válida.',
  field_required: 'Falta un dato.',
  field_too_long: 'Un dato es demasiado largo.',
  field_too_short: 'Un dato es demasiado corto.',
  field_out_of_range: 'Un dato está fuera de lo permitido.',
  field_invalid: 'Un dato no es válido.',
  field_unknown: 'Esta página está desactualizada. Recárgala.',
  fields_missing: 'La solicitud está incompleta.',
  fields_conflict: 'Estos datos se excluyen entre sí.',
  malformed_request: 'La solicitud no se pudo leer.',
  malformed_path: 'Esta dirección no se puede leer.',
  malformed_form: 'La solicitud no se pudo leer.',
  content_type_unsupported: 'La solicitud no se pudo leer.',
  body_not_object: 'La solicitud no se pudo leer.',
  body_not_utf8: 'La solicitud no se pudo leer.',
  body_incomplete: 'La solicitud no llegó completa. Inténtalo de nuevo.',
  request_too_slow: 'Tardó demasiado. Inténtalo de nuevo.',
  characters_not_allowed: 'El texto contiene caracteres no permitidos.',
  concurrency_limited: 'Demasiadas solicitudes a la vez. Inténtalo de nuevo en un momento.',
  connections_limited: 'Demasiadas conexiones desde esta dirección. Inténtalo de nuevo en un momento.',
  streams_open: 'Hay demasiadas páginas abiertas. Cierra algunas.',
  idempotency_key_invalid: 'La solicitud no se pudo leer.',
  idempotency_key_reused: 'Esta solicitud ya se hizo, con otro contenido.',
  part_limit_reached: 'Son demasiadas partes a la vez.',
  part_too_large: 'Es demasiado.',
  part_repeated: 'La solicitud no se pudo leer.',
  file_limit_reached: 'Son demasiados archivos a la vez.',
  picture_not_found: 'Esta imagen ya no existe.',
  malformed_json: 'La solicitud no se pudo leer.',
  rate_limit_out_of_range: 'Este servidor no permite tantas solicitudes por minuto.',
  retention_out_of_range: 'Este servidor no conserva nada tanto tiempo.',
  webhook_url_not_https:
    'La dirección debe empezar por https://, porque la de este servidor también lo hace.',
  webhook_url_not_public:
    'La dirección lleva a una red privada. Quien administra el servidor abre esas redes con WEBHOOK_ALLOWED_NETWORKS.',
  body_too_large: 'Es demasiado grande.',
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
  fr: new Map(Object.entries({ ...FRENCH_CHAT_ERRORS, ...FRENCH })),
  es: new Map(Object.entries({ ...SPANISH_CHAT_ERRORS, ...SPANISH })),
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
  // The reason of a company's own program stands behind the words of the refusal, in its language.
  if (known !== undefined) return known.replace('{reason}', text.slice(text.indexOf(': ') + 2))
  const sentence = text.charAt(0).toUpperCase() + text.slice(1)
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`
}
