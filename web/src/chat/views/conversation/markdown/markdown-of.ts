import { parseMarkdown } from '../../../../../../contract/markdown/parse.ts'
import type { Markdown } from '../../../../../../contract/markdown/tree.ts'

const CACHED_MESSAGES = 1000

const cache = new Map<string, { text: string; markdown: Markdown }>()

/**
 * The tree of a message; made once for each of its texts, and dropped with the least recently shown. A text can change
 * without a new time of change: a program of the company masks what this page shows as it was written.
 */
export function markdownOf({ id, text }: { id: string; text: string }): Markdown {
  const known = cache.get(id)
  const markdown = known?.text === text ? known.markdown : parseMarkdown(text)
  cache.delete(id)
  cache.set(id, { text, markdown })
  const [oldest] = cache.keys()
  if (cache.size > CACHED_MESSAGES && oldest !== undefined) cache.delete(oldest)
  return markdown
}
