import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import LANGUAGES from '../contract/languages.json' with { type: 'json' }
import { common } from '../web/src/texts/common.ts'
import { shell } from '../web/src/texts/shell.ts'
import type { Language } from '../web/src/texts/texts.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

/** Bytes that may travel before the first message is shown; at 1.6 Mbit/s they take 0.75 s. */
const MAX_SCRIPT_BYTES = 155_000

let server: TestParley
beforeAll(async () => {
  server = await startTestParley()
})
afterAll(() => server.close())

const languages = Object.keys(LANGUAGES) as Language[]

async function page(headers: Record<string, string> = {}): Promise<string> {
  const response = await fetch(`${server.url}/`, { headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('vary')).toBe('Accept-Encoding, Accept-Language, Cookie')
  return response.text()
}

const languageOf = (html: string) => /<html lang="(\w+)" dir="ltr">/.exec(html)?.[1]

type Script = { name: string; text: string; bytes: number }

/** A script as sent to a browser. */
async function script(name: string): Promise<Script> {
  const response = await fetch(`${server.url}/assets/${name}`, { headers: { 'Accept-Encoding': 'br' } })
  expect([name, response.status]).toEqual([name, 200])
  expect(response.headers.get('content-encoding')).toBe('br')
  return { name, text: await response.text(), bytes: Number(response.headers.get('content-length')) }
}

/** These scripts, with all their imports. */
async function withImports(names: readonly string[], loaded = new Map<string, Script>()) {
  for (const name of names.filter((each) => !loaded.has(each))) {
    const found = await script(name)
    loaded.set(name, found)
    const imports = found.text.matchAll(/(?:\bfrom|\bimport)\s*["'`]\.\/([\w.-]+\.js)["'`]/g)
    await withImports(
      [...imports].map(([, imported = '']) => imported),
      loaded,
    )
  }
  return loaded
}

/** The first script, of those named like this, that is loaded on demand. */
function laterScript(scripts: Iterable<Script>, name: RegExp): string {
  const found = [...scripts].flatMap(({ text }) => name.exec(text)?.[1] ?? [])[0]
  if (found === undefined) throw new Error(`no script names ${name}`)
  return found
}

/** Everything that runs before a message is shown: the page's own scripts, the chat, and the worker that holds its stream. */
async function scriptsBeforeFirstMessage(language: Language): Promise<Script[]> {
  const html = await page({ 'Accept-Language': language })
  const own = [...html.matchAll(/(?:src|href)="\/assets\/([\w.-]+\.js)"/g)].map(([, name = '']) => name)
  const loaded = await withImports(own)
  for (const later of [/\bimport\(\s*[`"']\.\/(chat-[\w-]+\.js)/, /\/assets\/(worker-[\w-]+\.js)/]) {
    await withImports([laterScript(loaded.values(), later)], loaded)
  }
  return [...loaded.values()]
}

describe('the page', () => {
  it('comes in the language that the browser prefers and we speak, or in English', async () => {
    expect(languageOf(await page())).toBe('en')
    expect(languageOf(await page({ 'Accept-Language': 'de-AT,de;q=0.9,en;q=0.8' }))).toBe('de')
    expect(languageOf(await page({ 'Accept-Language': 'nl-NL, nl;q=0.9, de;q=0.5, en;q=0.3' }))).toBe('de')
    expect(languageOf(await page({ 'Accept-Language': 'fr-CA, en;q=0.5' }))).toBe('fr')
    expect(languageOf(await page({ 'Accept-Language': 'es-419' }))).toBe('es')
    expect(languageOf(await page({ 'Accept-Language': 'nl' }))).toBe('en')
    // A name that every object has is no language.
    expect(languageOf(await page({ Cookie: 'parley_language=toString' }))).toBe('en')
  })

  it('comes in the language that was chosen, whatever the browser prefers', async () => {
    const german = { 'Accept-Language': 'de' }
    expect(languageOf(await page({ ...german, Cookie: 'other=1; parley_language=en' }))).toBe('en')
    expect(languageOf(await page({ Cookie: 'parley_language=de' }))).toBe('de')
    expect(languageOf(await page({ ...german, Cookie: 'parley_language=../../etc' }))).toBe('de')
    expect(languageOf(await page({ ...german, Cookie: 'not_parley_language=en' }))).toBe('de')
  })

  it('loads the chat at once at its addresses, for who has a session', async () => {
    const preloaded = async (path: string, cookie = '') => {
      const response = await fetch(`${server.url}${path}`, { headers: { Cookie: cookie } })
      const html = await response.text()
      return /<link rel="modulepreload" crossorigin href="\/assets\/chat-[\w-]+\.js">/.test(html)
    }
    const session = 'parley_session=whoever'
    for (const path of ['/', '/o/one', '/t/one', '/m/one']) {
      expect([path, await preloaded(path, session), await preloaded(path)]).toEqual([path, true, false])
    }
    for (const path of ['/console/one', '/account', '/sign-in'])
      expect([path, await preloaded(path, session)]).toEqual([path, false])
  })

  it.each(languages)('loads the texts of its own language alone (%s)', async (language) => {
    const text = (await scriptsBeforeFirstMessage(language)).map((each) => each.text).join('\n')
    for (const each of languages) {
      const said = [common[each].noConnection, shell[each].noTopics].map((one) => text.includes(one))
      expect(said, each).toEqual([each === language, each === language])
    }
  })

  it.each(languages)(
    'needs less than 155 KB of compressed script before a message is shown (%s)',
    async (language) => {
      const scripts = await scriptsBeforeFirstMessage(language)
      const sizes = scripts.map(({ name, bytes }) => `${name} ${bytes}`)
      expect(sizes.length).toBeGreaterThan(3)
      const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0)
      expect(total, sizes.join(', ')).toBeGreaterThan(50_000)
      expect(total, sizes.join(', ')).toBeLessThan(MAX_SCRIPT_BYTES)
    },
  )

  it('loads the docs without the chat, and the chat without the docs', async () => {
    const own = [...(await page()).matchAll(/src="\/assets\/([\w.-]+\.js)"/g)].map(([, name = '']) => name)
    const first = await withImports(own)
    const docs = await withImports([laterScript(first.values(), /\bimport\(\s*[`"']\.\/(docs-[\w-]+\.js)/)])
    expect([...docs.keys()].filter((name) => /^(chat|console)-/.test(name))).toEqual([])
    expect([...docs.values()].reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(MAX_SCRIPT_BYTES)
    const chat = await scriptsBeforeFirstMessage('en')
    expect(chat.filter(({ name }) => name.startsWith('docs'))).toEqual([])
  })
})
