import type { Role } from '../contract/operation.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Authority } from './db/authority.ts'

/** The acting profile. Queries and actions take it as their first argument and reach data through it. */
export type Caller = {
  orgId: string
  profileId: string
  /** The role of a person; bots have none. */
  role?: Role | null | undefined
  assistant?: { id: string; name: string }
  /** The token's scopes, if the caller has a token. */
  scopes?: ReadonlySet<Scope> | undefined
  /** The right by which they act; undefined for the server itself and for operators. */
  authority?: Authority<Caller> | undefined
}

/** The assistant that wrote a message for its sender, as stored in the message. */
export const byAssistant = ({ assistant }: Caller): { assistant?: { name: string } } =>
  assistant ? { assistant: { name: assistant.name } } : {}

/** Whether the caller sees only their own topics, and the members of those. */
export const isGuest = ({ role }: Pick<Caller, 'role'>): boolean => role === 'guest'

/** The origin of a request: its network address, and the browser's name for itself. */
export type Client = { address: string; userAgent: string }

/** The browser that sent a request, before its person is known: its address, and its cookies. */
export type Visitor = {
  client: Client
  sessionToken: string | undefined
  /** The token of a browser in which a person has signed in before; see `auth/known-browsers.ts`. */
  knownBrowserToken: string | undefined
}
