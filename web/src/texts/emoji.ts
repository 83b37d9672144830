import { addSentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

/** The picker of emoji, and the window in which an organization's own are added. */
export const emojiTexts = texts({
  en: {
    all: 'Emoji',
    search: 'Search emoji',
    none: 'No matching emoji.',
    frequent: 'Frequently used',
    groups: {
      custom: 'Custom',
      smileys: 'Smileys',
      people: 'People',
      nature: 'Animals and nature',
      food: 'Food and drink',
      travel: 'Travel and places',
      activities: 'Activities',
      objects: 'Objects',
      symbols: 'Symbols',
      flags: 'Flags',
    },
    manage: 'Add custom emoji',
    title: 'Custom emoji',
    about: 'Everyone in the organization can use them in messages and reactions, including bots.',
    name: 'Name',
    namePlaceholder: 'party_parrot',
    nameHint: 'Lowercase letters, digits, _, + and -. Type it as :name:',
    nameMistake: 'Use 2 to 30 lowercase letters, digits, _, + or -.',
    choose: 'Choose a picture',
    chosen: (name: string) => `Chosen: ${name}`,
    pictureHint: 'PNG, JPEG, GIF or WebP, up to 1 MB. A square one looks best.',
    pictureMissing: 'Choose a picture.',
    tooLarge: 'This picture is larger than 1 MB.',
    add: 'Add emoji',
    added: (name: string) => `:${name}: is ready to use.`,
    empty: 'No custom emoji yet.',
    remove: (name: string) => `Remove :${name}:`,
    removed: (name: string) => `:${name}: removed.`,
  },
  de: {
    all: 'Emoji',
    search: 'Emoji suchen',
    none: 'Kein passendes Emoji.',
    frequent: 'Häufig verwendet',
    groups: {
      custom: 'Eigene',
      smileys: 'Smileys',
      people: 'Personen',
      nature: 'Tiere und Natur',
      food: 'Essen und Trinken',
      travel: 'Reisen und Orte',
      activities: 'Aktivitäten',
      objects: 'Gegenstände',
      symbols: 'Symbole',
      flags: 'Flaggen',
    },
    manage: 'Eigenes Emoji hinzufügen',
    title: 'Eigene Emoji',
    about: 'Alle in der Organisation können sie in Nachrichten und Reaktionen verwenden, auch Bots.',
    name: 'Name',
    namePlaceholder: 'party_papagei',
    nameHint: 'Kleinbuchstaben, Ziffern, _, + und -. Eingabe als :name:',
    nameMistake: 'Verwenden Sie 2 bis 30 Kleinbuchstaben, Ziffern, _, + oder -.',
    choose: 'Bild wählen',
    chosen: (name) => `Gewählt: ${name}`,
    pictureHint: 'PNG, JPEG, GIF oder WebP, bis 1 MB. Am besten quadratisch.',
    pictureMissing: 'Wählen Sie ein Bild.',
    tooLarge: 'Dieses Bild ist größer als 1 MB.',
    add: 'Emoji hinzufügen',
    added: (name) => `:${name}: kann jetzt verwendet werden.`,
    empty: 'Noch keine eigenen Emoji.',
    remove: (name) => `:${name}: entfernen`,
    removed: (name) => `:${name}: entfernt.`,
  },
})

addSentences(
  byLanguage<Record<string, string>>({
    en: {},
    de: {
      'an emoji of this name exists already': 'Ein Emoji mit diesem Namen gibt es schon.',
      'an organization may have at most 500 emoji of its own':
        'Eine Organisation kann höchstens 500 eigene Emoji haben.',
      'only who added it and admins may remove an emoji':
        'Entfernen kann ein Emoji nur, wer es hinzugefügt hat, oder ein Administrator.',
      'filePart must be a JPEG, PNG, GIF or WebP image': 'Wählen Sie ein Bild: PNG, JPEG, GIF oder WebP.',
      'name must be 2 to 30 small letters, digits, _, + or -':
        'Verwenden Sie 2 bis 30 Kleinbuchstaben, Ziffern, _, + oder -.',
      'Emoji not found': 'Dieses Emoji gibt es nicht mehr.',
    },
  }),
)
