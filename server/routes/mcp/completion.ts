import type { McpContext } from './context.ts'
import { findMembers, findTopics, type Named } from './directory.ts'
import { CODES, isObject, RpcError } from './json-rpc.ts'
import { requirePrompt } from './prompts.ts'
import { TEMPLATES } from './resources.ts'

/** The most that the protocol lets an answer have. */
const VALUES = 100
const LONGEST = 200

/** Suggests topics and members for the arguments of prompts and addresses of resources. */
export async function complete(context: McpContext, params: Record<string, unknown>): Promise<object> {
  const { ref, argument } = params
  if (
    !isObject(ref) ||
    !isObject(argument) ||
    typeof argument.name !== 'string' ||
    typeof argument.value !== 'string'
  )
    throw new RpcError(CODES.invalidParams, 'ref and argument are required')
  const values = await suggestionsFor(context, ref, argument.name, argument.value.slice(0, LONGEST))
  return {
    completion: { values: values.slice(0, VALUES), total: values.length, hasMore: values.length > VALUES },
  }
}

async function suggestionsFor(
  context: McpContext,
  ref: Record<string, unknown>,
  name: string,
  value: string,
): Promise<string[]> {
  if (ref.type === 'ref/prompt') {
    const prompt = requirePrompt(context, ref.name)
    if (!prompt.arguments.some((each) => each.name === name)) throw unknown(name)
    if (name === 'topic') return namesOf(await findTopics(context, value))
    if (name === 'member') return namesOf(await findMembers(context, value))
    return []
  }
  if (ref.type !== 'ref/resource') throw new RpcError(CODES.invalidParams, 'ref is of an unknown type')
  const template = TEMPLATES.find(({ uriTemplate }) => uriTemplate === ref.uri)
  if (!template?.uriTemplate.includes(name)) throw unknown(name)
  if (name !== 'topicId') return []
  return (await findTopics(context, value)).map(({ id }) => id)
}

/** Names, and ids where two have the same name. */
const namesOf = (found: readonly Named[]): string[] =>
  found.map(({ id, name }) => (found.filter((other) => other.name === name).length > 1 ? id : name))

const unknown = (name: string) =>
  new RpcError(CODES.invalidParams, `there is no argument ${JSON.stringify(name.slice(0, 100))}`)
