import { anchorOf, plainText, shownText } from '../../../../contract/markdown/guides.ts'
import type { Block } from '../../../../contract/markdown/tree.ts'
import type { Operation } from './operations.ts'

export type Guide = {
  /** Name in the address. */
  name: string
  /** Path in the project. A guide's links are relative to it. */
  path: string
  text: string
  title: string
}

export type DocsContent = {
  guides: readonly Guide[]
  /** Paths of files that guides link to. */
  files: readonly string[]
  operations: readonly Operation[]
}

/** Guides by group, in the order of the list. Those that no group names are about the inside of Parley, and come last. */
export const GUIDE_GROUPS = {
  begin: [
    'bot-api',
    'authentication',
    'sdk',
    'sdk-python',
    'chat-sdk',
    'errors-and-limits',
    'agents',
    'coding-agents',
  ],
  say: [
    'topics',
    'messages',
    'search',
    'later',
    'streaming',
    'buttons',
    'questions',
    'commands',
    'files',
    'reactions',
    'labels',
  ],
  work: ['tasks', 'polls', 'members', 'org-units', 'groups', 'storage', 'organizations'],
  hear: ['events', 'incoming-webhooks', 'mcp', 'rehearsals', 'bots-in-check', 'moving-in'],
  people: ['chat', 'notifications', 'console', 'records', 'chat-api'],
  run: [
    'start',
    'operations',
    'changes',
    'import',
    'people',
    'scim',
    'audit-events',
    'message-check',
    'secret-key',
    'security',
    'reporting',
    'performance',
    'scaling',
  ],
} as const
export type GuideGroup = keyof typeof GUIDE_GROUPS | 'inside'

export function groupsOf(guides: readonly Guide[]): [group: GuideGroup, guides: Guide[]][] {
  const named = Object.entries(GUIDE_GROUPS).map(([group, names]): [GuideGroup, Guide[]] => [
    group as keyof typeof GUIDE_GROUPS,
    names.flatMap((name) => guides.find((guide) => guide.name === name) ?? []),
  ])
  const grouped = new Set(named.flatMap(([, members]) => members))
  return [...named, ['inside', guides.filter((guide) => !grouped.has(guide))]]
}

export const guidePath = (name: string, anchor?: string): string =>
  `/docs/guides/${name}${anchor === undefined ? '' : `#${anchor}`}`
export const operationPath = (id: string): string => `/docs/api/${id}`
export const filePath = (path: string): string => `/docs/files/${path}`

export const headingsIn = (blocks: readonly Block[]) =>
  blocks.flatMap((block) =>
    block.kind === 'heading' && block.level > 1
      ? [{ level: block.level, text: plainText(block.children), anchor: anchorOf(plainText(block.children)) }]
      : [],
  )

/** A guide's text below its title. */
export const bodyOf = ({ text }: Guide): string => shownText(text).replace(/^\s*# .*\n/, '')

/** The target of a guide's link within these docs; undefined if there is none. */
export function linkTarget(from: string, link: string, { guides, files }: DocsContent): string | undefined {
  if (/^(?:https?|mailto):/.test(link)) return link
  const [path = '', anchor] = link.split('#')
  if (path === '') return `#${anchor}`
  const target = joined(from, path)
  const guide = guides.find((candidate) => candidate.path === target)
  if (guide) return guidePath(guide.name, anchor)
  const isThere = files.some((file) => file === target || file.startsWith(`${target}/`))
  return isThere ? filePath(target) : undefined
}

function joined(from: string, path: string): string {
  const parts = from.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** The section of a guide that describes an operation: it has a line such as `POST /v2/topics` · scope … */
export function sectionAbout({ method, path }: Operation, guides: readonly Guide[]): string | undefined {
  for (const guide of guides) {
    const at = guide.text.indexOf(`\n\`${method} ${path}\` · `)
    if (at < 0) continue
    const heading = [...guide.text.slice(0, at).matchAll(/^## (.*)$/gm)].at(-1)?.[1]
    return guidePath(guide.name, heading === undefined ? undefined : anchorOf(heading.replaceAll('`', '')))
  }
  return undefined
}
