import { code, firstLine, line, link } from './markdown.ts'
import { firstText, textAt } from './payload.ts'

/** One commit of a push, as GitHub and GitLab both describe it. */
export function commit(value: unknown): string {
  const id = link(code(textAt(value, 'id').slice(0, 7)), textAt(value, 'url'))
  const author = line(firstText(value, 'author.name', 'author.username'), 60)
  return `- ${id} ${firstLine(textAt(value, 'message'))}${author === '' ? '' : ` (${author})`}`
}

/** Whether an id of a commit says that there is none: before a branch was made, or after it was deleted. */
export const isNoCommit = (id: string): boolean => /^0+$/.test(id)
