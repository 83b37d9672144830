import { addSentences } from './errors.ts'
import { byLanguage, texts } from './texts.ts'

/** The picker of emoji, and the window in which an organization's own are added. */
export const emojiTexts = texts({
  en: {
    all: 'Emoji',
    search: 'Search emoji',
    none: 'No emoji of this name.',
    frequent: 'Often used',
    groups: {
      custom: 'Of this organization',
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
    manage: 'Add your own emoji',
    title: 'Emoji of this organization',
    about: 'Everyone here can use them in messages and reactions. Bots can too.',
    name: 'Name',
    namePlaceholder: 'party_parrot',
    nameHint: 'Small letters, digits, _, + and -. It is written as :name:',
    nameMistake: 'Use 2 to 30 small letters, digits, _, + or -.',
    choose: 'Choose a picture',
    chosen: (name: string) => `Chosen: ${name}`,
    pictureHint: 'PNG, JPEG, GIF or WebP, up to 1 MB. A square one looks best.',
    pictureMissing: 'Choose a picture.',
    tooLarge: 'This picture is larger than 1 MB.',
    add: 'Add emoji',
    added: (name: string) => `:${name}: is ready to use.`,
    empty: 'There are none yet.',
    remove: (name: string) => `Remove :${name}:`,
    removed: (name: string) => `:${name}: is removed.`,
  },
  de: {
    all: 'Emoji',
    search: 'Emoji suchen',
    none: 'Kein Emoji mit diesem Namen.',
    frequent: 'Oft benutzt',
    groups: {
      custom: 'Dieser Organisation',
      smileys: 'Smileys',
      people: 'Menschen',
      nature: 'Tiere und Natur',
      food: 'Essen und Trinken',
      travel: 'Reisen und Orte',
      activities: 'Aktivitäten',
      objects: 'Gegenstände',
      symbols: 'Symbole',
      flags: 'Flaggen',
    },
    manage: 'Eigenes Emoji hinzufügen',
    title: 'Emoji dieser Organisation',
    about: 'Alle hier können sie in Nachrichten und Reaktionen benutzen, auch Bots.',
    name: 'Name',
    namePlaceholder: 'party_papagei',
    nameHint: 'Kleinbuchstaben, Ziffern, _, + und -. Geschrieben wird es als :name:',
    nameMistake: 'Nehmen Sie 2 bis 30 Kleinbuchstaben, Ziffern, _, + oder -.',
    choose: 'Bild wählen',
    chosen: (name) => `Gewählt: ${name}`,
    pictureHint: 'PNG, JPEG, GIF oder WebP, bis 1 MB. Am besten quadratisch.',
    pictureMissing: 'Wählen Sie ein Bild.',
    tooLarge: 'Dieses Bild ist größer als 1 MB.',
    add: 'Emoji hinzufügen',
    added: (name) => `:${name}: kann jetzt benutzt werden.`,
    empty: 'Es gibt noch keine.',
    remove: (name) => `:${name}: entfernen`,
    removed: (name) => `:${name}: ist entfernt.`,
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
      'filePart must be a JPEG, PNG, GIF or WebP image':
        'Bitte wählen Sie ein Bild: PNG, JPEG, GIF oder WebP.',
      'name must be 2 to 30 small letters, digits, _, + or -':
        'Nehmen Sie 2 bis 30 Kleinbuchstaben, Ziffern, _, + oder -.',
      'Emoji not found': 'Dieses Emoji gibt es nicht mehr.',
    },
  }),
)
