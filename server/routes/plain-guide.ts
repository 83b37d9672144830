/** Resolves the target of a link in a guide; undefined where it leads nowhere that is served. */
export type ResolveLink = (target: string) => string | undefined

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? '')

const HEADING = /^(#{1,6}) (.*)$/
const ITEM = /^( *)(?:[-*]|(\d+)\.) (.*)$/
const FENCE = '```'
const COMMENT = '<!--'
/** A picture as HTML, which pages without scripts leave out. */
const PICTURE = '<picture'

/** The anchor of a heading, as GitHub forms it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

/** Writes the Markdown of a guide as HTML: headings, paragraphs, lists, tables and code are what guides have. */
export function guideHtml(markdown: string, resolve: ResolveLink): string {
  const lines = markdown.split('\n')
  const html: string[] = []
  let at = 0
  const line = () => lines[at] ?? ''
  const isPlain = () =>
    line().trim() !== '' &&
    !HEADING.test(line()) &&
    !ITEM.test(line()) &&
    !line().startsWith(FENCE) &&
    !line().startsWith('|')

  /** Lines of a paragraph, joined. */
  function text(): string {
    const words = [line().trim()]
    at += 1
    while (at < lines.length && isPlain()) {
      words.push(line().trim())
      at += 1
    }
    return inline(words.join(' '), resolve)
  }

  function fence(indent: number): string {
    const code: string[] = []
    for (at += 1; at < lines.length && !line().trim().startsWith(FENCE); at += 1)
      code.push(line().slice(indent))
    at += 1
    return `<pre><code>${escapeHtml(code.join('\n'))}</code></pre>`
  }

  function table(): string {
    const rows: string[][] = []
    for (; at < lines.length && line().startsWith('|'); at += 1) rows.push(cellsOf(line()))
    const [head = [], , ...body] = rows
    const row = (cells: string[], tag: string) =>
      `<tr>${cells.map((cell) => `<${tag}>${inline(cell, resolve)}</${tag}>`).join('')}</tr>`
    return `<table>${row(head, 'th')}${body.map((cells) => row(cells, 'td')).join('')}</table>`
  }

  /** Items of one depth; what is indented further belongs to the item before it. */
  function list(): string {
    const [, indent = '', number] = ITEM.exec(line()) ?? []
    const depth = indent.length
    const tag = number === undefined ? 'ul' : 'ol'
    const items: string[] = []
    while (at < lines.length) {
      const [, spaces, numbered, rest] = ITEM.exec(line()) ?? []
      if (spaces?.length !== depth || rest === undefined) break
      if ((numbered === undefined) !== (number === undefined)) break
      lines[at] = rest
      items.push(`${text()}${inner(depth)}`)
    }
    return `<${tag}>${items.map((item) => `<li>${item}</li>`).join('')}</${tag}>`
  }

  function inner(depth: number): string {
    const parts: string[] = []
    while (at < lines.length) {
      const next = line().trim() === '' ? (lines[at + 1] ?? '') : line()
      const spaces = next.length - next.trimStart().length
      if (next.trim() === '' || spaces <= depth) break
      if (line().trim() === '') at += 1
      if (line().trim().startsWith(FENCE)) parts.push(fence(spaces))
      else parts.push(ITEM.test(line()) ? list() : `<p>${text()}</p>`)
    }
    if (line().trim() === '' && ITEM.exec(lines[at + 1] ?? '')?.[1]?.length === depth) at += 1
    return parts.join('')
  }

  while (at < lines.length) {
    const [, marks, heading] = HEADING.exec(line()) ?? []
    if (line().trim() === '') at += 1
    else if (line().startsWith(PICTURE)) {
      while (at < lines.length && line().trim() !== '') at += 1
    } else if (line().startsWith(COMMENT)) {
      while (at < lines.length && !line().includes('-->')) at += 1
      at += 1
    } else if (marks !== undefined && heading !== undefined) {
      const tag = `h${marks.length}`
      html.push(`<${tag} id="${escapeHtml(anchorOf(heading))}">${inline(heading, resolve)}</${tag}>`)
      at += 1
    } else if (line().startsWith(FENCE)) html.push(fence(0))
    else if (line().startsWith('|')) html.push(table())
    else if (ITEM.test(line())) html.push(list())
    else html.push(`<p>${text()}</p>`)
  }
  return html.join('\n')
}

/** Cells of a row; a `|` behind a backslash or inside of code is text. */
function cellsOf(row: string): string[] {
  const cells: string[] = []
  let cell = ''
  let isCode = false
  for (let at = 1; at < row.length; at += 1) {
    const letter = row[at] ?? ''
    if (letter === '\\' && row[at + 1] === '|') {
      cell += '|'
      at += 1
    } else if (letter === '|' && !isCode) {
      cells.push(cell.trim())
      cell = ''
    } else {
      if (letter === '`') isCode = !isCode
      cell += letter
    }
  }
  return cells
}

/** Writes code, links and emphasis of one line of text. */
function inline(text: string, resolve: ResolveLink): string {
  let html = ''
  let at = 0
  while (at < text.length) {
    const rest = text.slice(at, at + 2)
    const part =
      (rest.startsWith('`') && between(text, at, '`', '`')) ||
      (rest === '**' && between(text, at, '**', '**')) ||
      (rest.startsWith('*') && !rest.endsWith(' ') && between(text, at, '*', '*')) ||
      undefined
    const link = rest.startsWith('[') || rest === '![' ? linkAt(text, at) : undefined
    if (link) {
      const target = link.isPicture ? undefined : resolve(link.target)
      const shown = inline(link.text, resolve)
      html += target === undefined ? shown : `<a href="${escapeHtml(target)}">${shown}</a>`
      at = link.end
    } else if (part) {
      const tag = rest.startsWith('`') ? 'code' : rest === '**' ? 'strong' : 'em'
      html += `<${tag}>${tag === 'code' ? escapeHtml(part.text) : inline(part.text, resolve)}</${tag}>`
      at = part.end
    } else {
      html += escapeHtml(text[at] ?? '')
      at += 1
    }
  }
  return html
}

function between(text: string, at: number, open: string, close: string) {
  const begin = at + open.length
  const end = text.indexOf(close, begin)
  return end > begin ? { text: text.slice(begin, end), end: end + close.length } : undefined
}

function linkAt(text: string, at: number) {
  const isPicture = text[at] === '!'
  const middle = text.indexOf('](', at)
  const end = text.indexOf(')', middle)
  if (middle < 0 || end < 0) return undefined
  const shown = text.slice(at + (isPicture ? 2 : 1), middle)
  if (shown.includes('[')) return undefined
  return { text: shown, target: text.slice(middle + 2, end), end: end + 1, isPicture }
}
