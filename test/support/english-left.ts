import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Language } from '../../web/src/texts/texts.ts'
import { ROOT } from './pages.ts'

const FOLDER = 'web/src/texts'
/** Words that few texts of another language have. */
const ENGLISH_WORDS = /\b(?:the|and|with|your|from|this|that|these|are|was|has|of|to|by)\b/i
/** A placeholder for the subject of a text. */
const MARK = '\u0001'
/** A text with a gap is recognized by what stands around it, if that is long enough to be no chance. */
const TELLING_LETTERS = 8

type Values = { exact: Set<string>; patterns: Map<string, RegExp> }

/** All texts of one language: those that are texts, and those that are made of something, as patterns. */
async function textsOf(language: Language): Promise<Values> {
  const values: Values = { exact: new Set(), patterns: new Map() }
  for (const name of readdirSync(join(ROOT, FOLDER))) {
    const module: Record<string, unknown> = await import(join(ROOT, FOLDER, name))
    for (const exported of Object.values(module)) collect(Object(exported)[language], values)
  }
  return values
}

function collect(value: unknown, values: Values): void {
  if (typeof value === 'string') values.exact.add(value.trim())
  else if (typeof value === 'function') {
    const made = String(madeOf(value))
    const letters = made.replaceAll(MARK, '').replace(/\W/g, '').length
    if (made.includes(MARK) && letters >= TELLING_LETTERS) {
      const parts = made.split(MARK).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      values.patterns.set(made, new RegExp(`^${parts.join('.*')}$`, 's'))
    }
  } else if (value !== null && typeof value === 'object')
    for (const one of Object.values(value)) collect(one, values)
}

function madeOf(make: CallableFunction): unknown {
  try {
    return Reflect.apply(
      make,
      undefined,
      Array.from({ length: make.length }, () => MARK),
    )
  } catch {
    return '' // it takes something else than texts
  }
}

/** Every text on the page, shown or read out: texts, names and hints, but for code and parts that are marked as English. */
const SHOWN = `(() => {
  const found = []
  const isLeftOut = (element) => element.closest('code, pre, bdi, script, style, body [lang="en"]') !== null
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walk.nextNode()) {
    const { parentElement, data } = walk.currentNode
    if (data.trim() !== '' && !isLeftOut(parentElement)) found.push(data.trim())
  }
  for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'data-tip']) {
    for (const element of document.querySelectorAll('[' + name + ']')) {
      const value = element.getAttribute(name).trim()
      if (value !== '' && !isLeftOut(element)) found.push(value)
    }
  }
  return [...new Set(found)]
})()`

/** Finds English texts on a page that should be in another language. */
export async function englishFinder(language: Language): Promise<(page: Page) => Promise<string[]>> {
  const [english, translated] = await Promise.all([textsOf('en'), textsOf(language)])
  const isTranslated = (text: string) =>
    translated.exact.has(text) || [...translated.patterns.values()].some((one) => one.test(text))
  const isEnglish = (text: string) =>
    english.exact.has(text) ||
    ENGLISH_WORDS.test(text) ||
    [...english.patterns.values()].some((one) => one.test(text))
  // Most texts are on every page, and each is compared with some thousand patterns.
  const found = new Map<string, boolean>()
  const isUntranslated = (text: string): boolean => {
    const known = found.get(text) ?? (isEnglish(text) && !isTranslated(text))
    found.set(text, known)
    return known
  }
  return async (page) => {
    const shown: string[] = await page.evaluate(SHOWN)
    return shown.filter(isUntranslated)
  }
}
