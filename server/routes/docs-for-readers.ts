import { createHash } from 'node:crypto'
import { posix } from 'node:path'
import type { Guides } from './guides.ts'
import { escapeHtml, guideHtml } from './plain-guide.ts'

const INDEX = 'docs/README.md'
/** The first cell of a row in the index's table of pages: a link to the page. */
const LINK_CELL = /^\[([^[\]]+)\]\(([\w-]+)\.md\)$/
const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.6 system-ui,sans-serif;max-width:48rem;margin:auto;padding:1rem}li>p{margin:.25rem 0}pre{overflow:auto;padding:.75rem;background:#8882}table{display:block;overflow:auto;border-collapse:collapse}td,th{border:1px solid #8886;padding:.25rem .5rem;text-align:left;vertical-align:top}'
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64')

/** Headers of the guides without scripts: nothing is loaded but their own style. */
export const PLAIN_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-cache',
}

type Page = { title: string; path: string; about: string }

const pagesIn = ({ texts }: Guides): Page[] =>
  (texts.get(INDEX) ?? '').split('\n').flatMap((line) => {
    const [, link = '', about = ''] = line.split('|').map((cell) => cell.trim())
    const [, title, file] = LINK_CELL.exec(link) ?? []
    if (title === undefined || file === undefined) return []
    return [{ title, path: `docs/${file}.md`, about: about.replaceAll('`', '') }]
  })

const rawUrl = (baseUrl: string, path: string): string => `${baseUrl}/docs/raw/${path}`

/** The list of all pages with their addresses as Markdown, in the form of llmstxt.org. */
export function llmsText(guides: Guides, baseUrl: string): string {
  const pages = pagesIn(guides)
  const listed = new Set([INDEX, ...pages.map(({ path }) => path)])
  const others = guides.guides.filter(({ path }) => !listed.has(path))
  return [
    '# Parley',
    '',
    '> A team messaging server where bots and people are members alike. Bots speak plain HTTP and JSON; assistants the Model Context Protocol.',
    '',
    `This server is ${baseUrl}. Paths below \`/v2\` belong to it, and so does \`/mcp\`.`,
    '',
    '## Begin here',
    '',
    `- [The bot API](${rawUrl(baseUrl, INDEX)}): the first ten minutes, and how to read the other pages`,
    `- [OpenAPI](${baseUrl}/openapi.json): every operation with its fields, refusals and examples`,
    `- [All of these pages in one file](${baseUrl}/llms-full.txt)`,
    '',
    '## Pages',
    '',
    ...pages.map(({ title, path, about }) => `- [${title}](${rawUrl(baseUrl, path)}): ${about}`),
    '',
    '## Optional',
    '',
    ...others.map(({ name, path }) => `- [${name}](${rawUrl(baseUrl, path)})`),
    '',
  ].join('\n')
}

/** The pages about the API, one after the other. */
export function llmsFullText(guides: Guides, baseUrl: string): string {
  return [INDEX, ...pagesIn(guides).map(({ path }) => path)]
    .flatMap((path) => {
      const text = guides.texts.get(path)
      return text === undefined ? [] : [`<!-- ${rawUrl(baseUrl, path)} -->\n\n${text.trim()}\n`]
    })
    .join('\n')
}

/** A guide as a page without scripts; undefined if there is none of this name. */
export function plainGuide(guides: Guides, name: string): string | undefined {
  const guide = guides.guides.find((known) => known.name === name)
  const text = guide && guides.texts.get(guide.path)
  if (!guide || text === undefined) return undefined
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${escapeHtml(title)} - Parley</title><style>${STYLE}</style></head><body>`,
    `<nav><a href="/docs/plain">All pages</a> · <a href="/docs/raw/${guide.path}">Markdown</a> · <a href="/openapi.json">OpenAPI</a></nav>`,
    `<main>${guideHtml(text, linkFrom(guides, guide.path))}</main></body></html>`,
  ].join('\n')
}

/** Links lead to other guides, to files as text, or out of Parley. */
const linkFrom =
  (guides: Guides, from: string) =>
  (target: string): string | undefined => {
    if (/^(https?:|#)/.test(target)) return target
    if (/^[a-z]+:/i.test(target)) return undefined
    const [file = '', anchor] = target.split('#')
    const path = posix.join(posix.dirname(from), file)
    const guide = guides.guides.find((known) => known.path === path)
    if (guide) return `/docs/plain/${guide.name}${anchor === undefined ? '' : `#${anchor}`}`
    return guides.texts.has(path) ? `/docs/raw/${path}` : undefined
  }
