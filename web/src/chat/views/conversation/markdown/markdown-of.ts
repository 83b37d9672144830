import { parseMarkdown } from '../../../../../../contract/markdown/parse.ts'
import type { Markdown } from '../../../../../../contract/markdown/tree.ts'

const CACHED_MESSAGES = 1000

const cache = new Map<string, Markdown>()

/** The tree of a message; made once for each version of it, and dropped with the least recently shown. */
export function markdownOf(message: { id: string; updatedAt: number; text: string }): Markdown {
  const key = `${message.id} ${message.updatedAt}`
  const known = cache.get(key)
  const markdown = known ?? parseMarkdown(message.text)
  cache.delete(key)
  cache.set(key, markdown)
  const [oldest] = cache.keys()
  if (cache.size > CACHED_MESSAGES && oldest !== undefined) cache.delete(oldest)
  return markdown
}
