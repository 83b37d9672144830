import type { FastifyRequest } from 'fastify'

const LANGUAGES = ['en', 'de'] as const
export type PageLanguage = (typeof LANGUAGES)[number]
/** Set by the page when the person chooses a language (web/src/texts/language.ts). */
const LANGUAGE_COOKIE = /(?:^|;\s*)parley_language=(\w+)/

/** The language that was chosen here, or the first that the browser prefers and we speak. */
export function languageOf({ headers }: FastifyRequest): PageLanguage {
  const chosen = LANGUAGE_COOKIE.exec(headers.cookie ?? '')?.[1]
  const preferred = (headers['accept-language'] ?? '').split(',')
  for (const tag of [chosen ?? '', ...preferred]) {
    const wanted = tag.trim().slice(0, 2).toLowerCase()
    const spoken = LANGUAGES.find((language) => language === wanted)
    if (spoken) return spoken
  }
  return 'en'
}
