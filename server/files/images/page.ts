import { readFile } from 'node:fs/promises'
import { Parser } from 'htmlparser2'
import { firstCodePoints } from '../../text.ts'

/** Facts that a web page states about itself. */
export type PageFacts = {
  title: string
  description?: string
  siteName?: string
  /** The address as written on the page. */
  image?: string
}

const MAX_TITLE = 200
const MAX_DESCRIPTION = 400
const MAX_SITE_NAME = 80
/** Tags, attributes, texts and comments that are looked at: a page that begins with more says nothing of itself. */
const MAX_STEPS = 10_000
/** The parser is given a page in pieces, and nothing more once enough is known. */
const PIECE_LENGTH = 8192
/** Bytes of a page that are searched for its encoding. */
const ENCODING_BYTES = 2048

/** Elements whose content says nothing of the page. Content of scripts and styles is no markup to the parser. */
const SKIPPED = new Set(['template', 'noscript', 'svg'])
/** Properties of `meta` elements by their meaning; the first name found is used. */
const PROPERTIES = {
  title: ['og:title', 'twitter:title'],
  description: ['og:description', 'twitter:description', 'description'],
  siteName: ['og:site_name', 'application-name'],
  image: ['og:image:secure_url', 'og:image', 'twitter:image'],
}
const WANTED = new Set(Object.values(PROPERTIES).flat())

/** Reads a page that was fetched into a file. */
export const readPageFile = async (path: string, contentType: string): Promise<PageFacts | undefined> =>
  readPage(decodePage(await readFile(path), contentType))

/** Reads the facts in a page's head; undefined without a title. */
export function readPage(html: string): PageFacts | undefined {
  const { properties, title } = readHead(html)
  const first = (names: readonly string[]) => names.map((name) => properties.get(name)).find((it) => it)
  const shownTitle = line(first(PROPERTIES.title) ?? title, MAX_TITLE)
  if (shownTitle === '') return undefined
  const description = line(first(PROPERTIES.description), MAX_DESCRIPTION)
  const siteName = line(first(PROPERTIES.siteName), MAX_SITE_NAME)
  const image = first(PROPERTIES.image)?.trim()
  return {
    title: shownTitle,
    ...(description !== '' && { description }),
    ...(siteName !== '' && { siteName }),
    ...(image !== undefined && { image }),
  }
}

function readHead(html: string): { properties: Map<string, string>; title: string | undefined } {
  const properties = new Map<string, string>()
  let title: string | undefined
  let [isTitle, isOver, skipped, steps] = [false, false, 0, 0]
  const step = () => {
    steps += 1
    if (steps > MAX_STEPS) isOver = true
    return !isOver
  }
  const parser = new Parser({
    onopentagname(name) {
      if (!step()) return
      if (name === 'body') isOver = true
      if (SKIPPED.has(name)) skipped += 1
      isTitle = name === 'title' && title === undefined && skipped === 0
      if (isTitle) title = ''
    },
    onattribute: step,
    onopentag(name, { property, name: named, content = '' }) {
      const wanted = (property ?? named ?? '').trim().toLowerCase()
      if (isOver || name !== 'meta' || skipped > 0 || !WANTED.has(wanted)) return
      if (content.trim() !== '' && !properties.has(wanted)) properties.set(wanted, content)
    },
    ontext(text) {
      if (step() && isTitle && (title ?? '').length < 8 * MAX_TITLE) title = (title ?? '') + text
    },
    oncomment: step,
    onclosetag(name) {
      if (!step()) return
      if (name === 'head') isOver = true
      if (SKIPPED.has(name)) skipped -= 1
      if (name === 'title') isTitle = false
    },
  })
  for (let at = 0; at < html.length && !isOver; at += PIECE_LENGTH)
    parser.write(html.slice(at, at + PIECE_LENGTH))
  if (!isOver) parser.end()
  return { properties, title }
}

/** Control characters, those that turn what follows around, and what could not be read have no place in a line. */
const NOT_SHOWN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffd]/gu

/** One line of plain text. Reads only as much as can be shown. */
const line = (text: string | undefined, most: number): string =>
  firstCodePoints(
    (text ?? '')
      .slice(0, 8 * most)
      .replace(NOT_SHOWN, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  )

const CHARSET = /charset\s*=\s*["']?([\w:.-]{1,40})/i

/** The text of a page in the encoding that its answer or its beginning names; UTF-8 where neither names one that is known. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const named =
    CHARSET.exec(contentType)?.[1] ?? encodingIn(bytes.subarray(0, ENCODING_BYTES).toString('latin1'))
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function encodingIn(beginning: string): string | undefined {
  let named: string | undefined
  const parser = new Parser({
    onopentag(tag, { charset, content = '' }) {
      if (tag === 'meta') named ??= charset ?? CHARSET.exec(content)?.[1]
    },
  })
  parser.write(beginning)
  return named
}
