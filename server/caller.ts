import type { Scope } from '../contract/scopes.ts'

/** Who acts. Queries and actions take it as their first argument and reach data through it. */
export type Caller = {
  orgId: string
  profileId: string
  /** Where a person's assistant acts for them. */
  assistant?: { id: string; name: string }
  /** What its token allows, where it acts by one. */
  scopes?: ReadonlySet<Scope> | undefined
}

/** What a message tells of who wrote it for its sender. */
export const byAssistant = ({ assistant }: Caller): { assistant?: { name: string } } =>
  assistant ? { assistant: { name: assistant.name } } : {}

/** Where a request comes from: its network address, and what the browser calls itself. */
export type Client = { address: string; userAgent: string }

/** The browser that sent a request, before it is known who uses it: where it is, and what its cookies hold. */
export type Visitor = {
  client: Client
  /** Of the session that it was given. */
  sessionToken: string | undefined
  /** That somebody has signed in with it before; see `auth/known-browsers.ts`. */
  knownBrowserToken: string | undefined
}
