import type { TSchema } from 'typebox'
import { OPERATIONS } from './index.ts'
import type { Operation } from './operation.ts'

/** A tool as clients of the Model Context Protocol are told of it. */
export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations: {
    title: string
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}
type ObjectSchema = {
  type: 'object'
  properties: Record<string, unknown>
  required?: string[]
  additionalProperties?: false
}

/** In which part of the operation's input an argument of the tool goes. */
export type Place = 'params' | 'query' | 'body'
const PLACES: readonly Place[] = ['params', 'query', 'body']

export type Tool = { definition: ToolDefinition; operation: Operation; places: ReadonlyMap<string, Place> }

/** Operations that are no tools. */
const WITHOUT_TOOL: ReadonlySet<string> = new Set([
  'createOrganization', // whoever calls a tool has a bot already
  'appendToMessage', // a call brings a whole text, so there is nothing to stream
  'finishMessage',
  'markDelivered', // what is read is delivered, and an assistant reads
])

/** Where the reference speaks of what only requests can do: of forms, and of streaming. */
const OWN_TEXTS: Record<string, { title: string; description: string; without?: readonly string[] }> = {
  sendMessage: {
    title: 'Send a message',
    description:
      'Sends a text into a topic. Mentions are written as `<@profileId>`; who is mentioned must be in the topic.',
    without: ['streaming'],
  },
  readUpdates: {
    title: 'Wait for events',
    description:
      'What happened in the topics of the bot: messages, reactions, members. Answers at once when there is something new, else waits up to `timeout` seconds. Pass `nextOffset` of the answer as the next `offset`: that confirms everything before it. Without an `offset` it goes on after what was confirmed.',
  },
}

/** A tool for each operation of the bot API that makes sense as one, in the order of the reference. */
export const TOOLS: readonly Tool[] = OPERATIONS.filter(({ id }) => !WITHOUT_TOOL.has(id)).map(toolOf)

function toolOf(operation: Operation): Tool {
  const { id, method, summary, description, isIdempotent } = operation
  const own = OWN_TEXTS[id]
  const title = own?.title ?? summary
  const { inputSchema, places } = inputOf(operation, own?.without ?? [])
  const outputSchema = outputOf(operation)
  const definition: ToolDefinition = {
    name: nameOf(id),
    title,
    description: own?.description ?? [`${summary}.`, description].filter(Boolean).join(' '),
    inputSchema,
    ...(outputSchema && { outputSchema }),
    annotations: {
      title,
      readOnlyHint: method === 'GET',
      destructiveHint: method !== 'GET' && method !== 'POST',
      idempotentHint: isIdempotent ?? method !== 'POST',
      // Everything happens in one organization.
      openWorldHint: false,
    },
  }
  return { definition, operation, places }
}

/** `listTopics` is called `list_topics`. */
function nameOf(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Params, query and body side by side: their names do not collide. */
function inputOf(operation: Operation, without: readonly string[]) {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  const places = new Map<string, Place>()
  for (const place of PLACES) {
    const schema = operation[place] && objectOf(operation[place])
    if (!schema) continue
    for (const [name, property] of Object.entries(schema.properties)) {
      if (places.has(name)) throw new Error(`${operation.id} takes ${name} twice`)
      if (without.includes(name)) continue
      places.set(name, place)
      properties[name] = property
    }
    required.push(...(schema.required ?? []))
  }
  const inputSchema: ObjectSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  return { inputSchema, places }
}

/** Where an operation has several answers they have the same form. */
function outputOf({ success }: Operation): ObjectSchema | undefined {
  const schema = Object.values(success).find((answer) => answer.schema !== undefined)?.schema
  return schema && objectOf(schema)
}

/** Without the texts of our own refusals, which are nobody else's. */
function objectOf(schema: TSchema): ObjectSchema {
  return JSON.parse(JSON.stringify(schema, (key, value) => (key === 'x-errors' ? undefined : value)))
}
