/** Permissions that an OAuth token can have. The text is what an admin reads when choosing. */
export const SCOPES = {
  'channel:list': 'List the topics the bot is in',
  'channel:read': 'Read a topic and its labels',
  'channel:write': 'Create and change topics, their members and labels',
  'direct:open': 'Open direct messages with people who share a topic with it, where an admin allows it',
  'message:read': 'Read messages',
  'message:send': 'Send messages',
  'group:mention': 'Mention everyone in a topic, people who are present, and groups',
  'message:write': 'Edit and delete own messages, mark messages delivered and read',
  'reaction:write': 'Add and remove own reactions',
  'task:read': 'Read tasks',
  'task:write': 'Create, change and delete tasks',
  'poll:write': 'Create polls, vote and retract votes',
  'member:read': 'Read members and org units',
  'member:write': 'Change the members of org units',
  'search:read': 'Search what the bot can see',
  'updates:read': 'Receive events by long polling',
  'storage:read': 'Read what the bot keeps for itself',
  'storage:write': 'Write and delete what the bot keeps for itself',
} as const

export type Scope = keyof typeof SCOPES

export function isScope(value: string): value is Scope {
  return Object.hasOwn(SCOPES, value)
}

export const ALL_SCOPES = Object.keys(SCOPES).filter(isScope)

/** Scopes that a person can give to an assistant: all are about what people do in conversations. */
export const PERSON_SCOPES = [
  'channel:list',
  'channel:read',
  'channel:write',
  'message:read',
  'message:send',
  'message:write',
  'reaction:write',
  'task:read',
  'task:write',
  'poll:write',
  'member:read',
  'search:read',
] as const satisfies readonly Scope[]
export type PersonScope = (typeof PERSON_SCOPES)[number]

const personScopes: ReadonlySet<string> = new Set(PERSON_SCOPES)
export const isPersonScope = (value: string): value is PersonScope => personScopes.has(value)
