import { anchorOf } from '../../../../contract/markdown/guides.ts'
import { type DocsContent, guidePath, operationPath } from './content.ts'

/** Something that can be found: a guide, a section of one, an operation or an event. */
export type Entry = {
  kind: 'guide' | 'section' | 'operation'
  /** The order of entries that match equally well. */
  rank: number
  id: string
  name: string
  /** The title of the guide, or the path of the operation. */
  note: string
  method: string | undefined
  /** The searched text in lower case: first the name, then everything else. */
  words: string
  text: string
  to: string
}

const MAX_FOUND = 24
/** How nearly every path of the people's API begins. */
const IN_ORGANIZATION = '/people/organizations/{organizationId}'

export function indexOf({ guides, operations }: DocsContent): Entry[] {
  const ofOperations = operations.map(
    ({ id, kind, summary, method, path, description, scope = '', tag, bodies }): Entry => ({
      kind: 'operation',
      rank: kind === 'people' ? 0 : 2,
      id,
      name: summary,
      note: path.replace(IN_ORGANIZATION, '…'),
      method,
      words: `${summary} ${path} ${id}`.toLowerCase(),
      text: [description, scope, tag, ...bodies.flatMap(({ schema }) => Object.keys(schema.properties ?? {}))]
        .join(' ')
        .toLowerCase(),
      to: operationPath(id),
    }),
  )
  const ofGuides = guides.flatMap(({ name, title, text }) => {
    const [head = '', ...sections] = text.split(/^## /m)
    const guide: Entry = {
      kind: 'guide',
      rank: 3,
      id: name,
      name: title,
      note: '',
      method: undefined,
      words: title.toLowerCase(),
      text: head.toLowerCase(),
      to: guidePath(name),
    }
    const parts = sections.map((section): Entry => {
      const [heading = '', ...rest] = section.split('\n')
      const plain = heading.replaceAll('`', '')
      return {
        kind: 'section',
        rank: 1,
        id: `${name}#${anchorOf(plain)}`,
        name: plain,
        note: title,
        method: undefined,
        words: `${plain} ${title}`.toLowerCase(),
        text: rest.join('\n').toLowerCase(),
        to: guidePath(name, anchorOf(plain)),
      }
    })
    return [guide, ...parts]
  })
  return [...ofGuides, ...ofOperations]
}

/** The entries in which every word occurs, best first. */
export function find(entries: readonly Entry[], typed: string): Entry[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry)
}

/** A word counts most where it begins the name, less inside of it, least in the text. 0 where one is missing. */
function scoreOf({ rank, words: named, text }: Entry, words: readonly string[]): number {
  let score = rank
  for (const word of words) {
    const at = named.indexOf(word)
    if (at === 0) score += 12
    else if (at > 0 && /[\s/(]/.test(named.charAt(at - 1))) score += 9
    else if (at > 0) score += 6
    else if (text.includes(word)) score += 1
    else return 0
  }
  return score
}
