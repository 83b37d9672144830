import { firstCodePoints } from '../text.ts'

export type PageFacts = {
  title: string
  description?: string
  siteName?: string
  /** An address as the page writes it. */
  image?: string
}

const MAX_TITLE = 200
const MAX_DESCRIPTION = 400
const MAX_SITE_NAME = 80
/** Tags and attributes that are looked at: a page that begins with more says nothing of itself. */
const MAX_TAGS = 2000
const MAX_TAG_LENGTH = 8192

/** Elements whose content is no markup. */
const RAW = new Set(['script', 'style', 'template', 'noscript', 'svg', 'textarea'])

/** Reads what the head of a page says of it; undefined where it has no title. Looks at each character a bounded number of times, whatever it is given. */
export function readPage(html: string): PageFacts | undefined {
  const meta = new Map<string, string>()
  let title: string | undefined
  let at = 0
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    at = html.indexOf('<', at)
    if (at === -1) break
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4)
      if (end === -1) break
      at = end + 3
      continue
    }
    const end = endOfTag(html, at)
    if (end === -1) break
    const tag = html.slice(at + 1, end)
    const name = /^\/?[a-z][a-z0-9]*/i.exec(tag)?.[0].toLowerCase() ?? ''
    at = end + 1
    if (name === 'body' || name === '/head') break
    if (name === 'meta') note(meta, tag)
    else if (name === 'title' || RAW.has(name)) {
      const close = closingTag(html, name, at)
      if (name === 'title') title ??= html.slice(at, close)
      at = close
    }
  }
  const shownTitle = line(meta.get('og:title') ?? meta.get('twitter:title') ?? title, MAX_TITLE)
  if (shownTitle === '') return undefined
  const description = line(
    meta.get('og:description') ?? meta.get('twitter:description') ?? meta.get('description'),
    MAX_DESCRIPTION,
  )
  const siteName = line(meta.get('og:site_name') ?? meta.get('application-name'), MAX_SITE_NAME)
  const image = meta.get('og:image:secure_url') ?? meta.get('og:image') ?? meta.get('twitter:image')
  return {
    title: shownTitle,
    ...(description !== '' && { description }),
    ...(siteName !== '' && { siteName }),
    ...(image !== undefined && { image: decodeEntities(image).trim() }),
  }
}

/** The end of a tag, past the quotes in it; -1 for one that does not end, or that is no tag of a page that means well. */
function endOfTag(html: string, start: number): number {
  let quote = ''
  const last = Math.min(html.length, start + MAX_TAG_LENGTH)
  for (let at = start + 1; at < last; at++) {
    const letter = html.charAt(at)
    if (quote !== '') {
      if (letter === quote) quote = ''
    } else if (letter === '"' || letter === "'") quote = letter
    else if (letter === '>') return at
  }
  return -1
}

function closingTag(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s>/]`, 'gi')
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}

const ATTRIBUTE = /([a-z:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi

/** The first of a name counts. */
function note(meta: Map<string, string>, tag: string): void {
  const attributes = new Map(
    [...tag.matchAll(ATTRIBUTE)].map(([, name = '', double, single, plain]) => [
      name.toLowerCase(),
      double ?? single ?? plain ?? '',
    ]),
  )
  const name = (attributes.get('property') ?? attributes.get('name'))?.trim().toLowerCase()
  const content = attributes.get('content')
  if (name !== undefined && content !== undefined && content.trim() !== '' && !meta.has(name))
    meta.set(name, content)
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  middot: '·',
  bull: '•',
  copy: '©',
  reg: '®',
  trade: '™',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));?/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name] ?? whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? String.fromCodePoint(code) : ' '
  })

/** Control characters, and those that turn what follows around, have no place in a line. */
const NOT_SHOWN = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\p{Cs}]+/gu

/** One line of plain text. Only as much is looked at as could be shown. */
const line = (text: string | undefined, most: number): string =>
  firstCodePoints(
    decodeEntities((text ?? '').slice(0, 8 * most))
      .replace(NOT_SHOWN, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    most,
  )

/** The text of a page in the encoding that its answer or its beginning names; UTF-8 where nobody says, or says something odd. */
export function decodePage(bytes: Buffer, contentType: string): string {
  const named =
    /charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(contentType)?.[1] ??
    /<meta[^>]{1,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(
      bytes.subarray(0, 2048).toString('latin1'),
    )?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}
