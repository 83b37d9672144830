import { reload } from '../api/connection.ts'
import { isLanguage, type Language } from './texts.ts'

/** The server reads it when it chooses the page; without one it goes by what the browser prefers. */
const COOKIE = 'parley_language'
const YEAR_SECONDS = 31_536_000

/** A page has the texts of one language, which it names. */
export const pageLanguage = (): Language => {
  const { lang } = document.documentElement
  return isLanguage(lang) ? lang : 'en'
}

/** The page's language with the reader's own country: 4:04 PM here is 16:04 there. */
export const readerLocale = (): string =>
  navigator.languages.find((tag) => tag.startsWith(pageLanguage())) ?? pageLanguage()

/** Loads the page in another language, from here on always; where the server is away, once it is back. */
export function changeLanguage(language: string): void {
  if (!isLanguage(language)) return
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing in Firefox before 140 and Safari before 18.4
  document.cookie = `${COOKIE}=${language}; Max-Age=${YEAR_SECONDS}; Path=/; SameSite=Lax`
  void reload()
}
