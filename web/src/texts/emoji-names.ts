import { byLanguage } from './texts.ts'

/** Names of all emoji, loaded when the picker is first used. */
export const emojiNames = byLanguage<() => Promise<{ default: unknown }>>({
  en: () => import('emojibase-data/en/compact.json'),
  de: () => import('emojibase-data/de/compact.json'),
  fr: () => import('emojibase-data/fr/compact.json'),
  es: () => import('emojibase-data/es/compact.json'),
})
