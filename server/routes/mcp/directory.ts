import { listMembers } from '../../../contract/members.ts'
import type { Operation } from '../../../contract/operation.ts'
import { search } from '../../../contract/search.ts'
import { listTopics } from '../../../contract/topics.ts'
import { Refusal } from '../../errors.ts'
import type { McpContext } from './context.ts'

/** A topic or member, as far as it is chosen by its name. */
export type Named = { id: string; name: string }

const LISTED = 100

/** Topics that the caller is in whose name has this text, those that begin with it first. */
export const findTopics = (context: McpContext, text: string): Promise<Named[]> =>
  find(context, text, { list: listTopics, field: 'topics' })

export const findMembers = (context: McpContext, text: string): Promise<Named[]> =>
  find(context, text, { list: listMembers, field: 'members' })

type Source = { list: Operation; field: 'topics' | 'members' }
type Found = { id: string; name: string | { text: string }[] }

/** The first page of the list, and what search finds beyond it. */
async function find(context: McpContext, text: string, { list, field }: Source): Promise<Named[]> {
  const wanted = text.trim().toLowerCase()
  const listed = await read(context, list, { limit: LISTED })
  const isMore = listed.hasMore === true && wanted !== '' && context.isPermitted(search)
  const searched = isMore ? await read(context, search, { q: wanted, limit: 1 }) : {}
  const found: Found[] = [...Object(listed[field] ?? []), ...Object(searched[field] ?? [])]
  const named = new Map(found.map(({ id, name }) => [id, { id, name: nameOf(name) }]))
  return [...named.values()]
    .filter(({ id, name }) => id.startsWith(wanted) || name.toLowerCase().includes(wanted))
    .sort((one, other) => rank(other, wanted) - rank(one, wanted))
}

const nameOf = (name: Found['name']): string =>
  typeof name === 'string' ? name : name.map(({ text }) => text).join('')

const rank = ({ name }: Named, wanted: string): number => {
  const known = name.toLowerCase()
  return known === wanted ? 2 : Number(known.startsWith(wanted))
}

/** The answer of an operation that reads; nothing where the caller may not. */
async function read(
  context: McpContext,
  operation: Operation,
  query: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (!context.isPermitted(operation)) return {}
  try {
    const { payload } = await context.perform(operation, { params: {}, query, body: {} })
    return JSON.parse(payload.toString())
  } catch (error) {
    if (error instanceof Refusal && error.status === 400) return {} // a text that is no search
    throw error
  }
}
