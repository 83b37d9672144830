import type { Operation } from './operation.ts'

/** Toolsets of the Model Context Protocol, each with the tags of its operations in the reference. */
const TAGS: Record<string, readonly string[]> = {
  messages: ['Messages', 'Reactions'],
  questions: ['Questions'],
  topics: ['Topics', 'Labels'],
  tasks: ['Tasks'],
  polls: ['Polls'],
  members: ['Members', 'Org units', 'Groups'],
  search: ['Search'],
  events: ['Events'],
  scheduled: ['Scheduled messages'],
  bot: ['Commands', 'Storage', 'Usage'],
}

/** Tools that are listed where an address names no toolset: every conversation of an assistant carries the list. */
const DEFAULTS: ReadonlySet<string> = new Set([
  'readUpdates',
  'listTopics',
  'sendMessage',
  'listMessages',
  'addReaction',
  'createTask',
  'listMembers',
  'search',
  'ask',
  'requestApproval',
  'waitForAnswer',
])

export const TOOLSETS: readonly string[] = ['default', ...Object.keys(TAGS), 'all']

/** Whether a tool belongs to one of these toolsets. */
export function isInToolsets(
  names: ReadonlySet<string>,
  { id, tag }: Pick<Operation, 'id' | 'tag'>,
): boolean {
  if (names.has('all')) return true
  if (names.has('default') && DEFAULTS.has(id)) return true
  return Object.entries(TAGS).some(([name, tags]) => names.has(name) && tags.includes(tag))
}

/** The toolsets in `messages,tasks`; the first that does not exist where there is one. */
export function toolsetsIn(given: string): { names: ReadonlySet<string>; unknown?: string } {
  const names = given.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !TOOLSETS.includes(name))
  return { names: new Set(names), ...(unknown !== undefined && { unknown }) }
}
