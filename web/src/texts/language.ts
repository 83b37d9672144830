import { LANGUAGES, type Language } from './texts.ts'

const STORED = 'parley.language'

/** The one that was chosen here, or the first that the browser prefers and we speak. */
export function preferredLanguage(): Language {
  const chosen = localStorage.getItem(STORED)
  const wanted = [chosen ?? '', ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase())
  return wanted.find((tag): tag is Language => Object.hasOwn(LANGUAGES, tag)) ?? 'en'
}

export const keepLanguage = (language: Language): void => localStorage.setItem(STORED, language)
