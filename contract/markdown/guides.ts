import type { Inline } from './tree.ts'

/** The anchor of a heading, as GitHub forms it. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

export const plainText = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => ('children' in node ? plainText(node.children) : 'text' in node ? node.text : ''))
    .join('')

/** The text of a guide without remarks for tests and without pictures, which GitHub alone shows. */
export const shownText = (text: string): string =>
  text.replace(/^(?:<!--[\s\S]*?-->|!\[.*\]\(.*\)|<picture>[\s\S]*?<\/picture>)\n/gm, '')
