import type { FastifyRequest } from 'fastify'
import LANGUAGES from '../../contract/languages.json' with { type: 'json' }

export type PageLanguage = keyof typeof LANGUAGES
const isSpoken = (tag: string): tag is PageLanguage => Object.hasOwn(LANGUAGES, tag)
/** Set by the page when the person chooses a language (web/src/texts/language.ts). */
const LANGUAGE_COOKIE = /(?:^|;\s*)parley_language=(\w+)/

/** The language that was chosen here, or the first that the browser prefers and we speak. */
export function languageOf({ headers }: FastifyRequest): PageLanguage {
  const chosen = LANGUAGE_COOKIE.exec(headers.cookie ?? '')?.[1]
  const preferred = (headers['accept-language'] ?? '').split(',')
  for (const tag of [chosen ?? '', ...preferred]) {
    const wanted = tag.trim().slice(0, 2).toLowerCase()
    if (isSpoken(wanted)) return wanted
  }
  return 'en'
}
