import { OPERATIONS } from './index.ts'
import { ask, requestApproval, waitForAnswer } from './mcp-questions.ts'
import type { Operation } from './operation.ts'
import { MIRRORED } from './people/mirrored.ts'
import { waitForUpdates } from './people/waiting.ts'
import { briefInput, briefOutput, type ObjectSchema } from './tool-schemas.ts'

/** A tool as listed for clients of the Model Context Protocol. */
export type ToolDefinition = {
  name: string
  title: string
  description: string
  inputSchema: ObjectSchema
  outputSchema?: ObjectSchema
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/** The part of the operation's input that an argument of the tool belongs to. */
export type Place = 'params' | 'query' | 'body'
const PLACES: readonly Place[] = ['params', 'query', 'body']

export type Tool = { definition: ToolDefinition; operation: Operation; places: ReadonlyMap<string, Place> }

const WITHOUT_TOOL: ReadonlySet<string> = new Set([
  'createOrganization', // callers of a tool have a bot already
  'listPrompts', // a program sets them when it starts
  'setPrompts',
  'appendToMessage', // a call brings a whole text, so there is nothing to stream
  'setProgress',
  'finishMessage',
  'tellWorking', // an assistant that works calls tools, and has an answer in the end
  'markDelivered', // a read message is delivered, and an assistant reads
])

/** Texts in place of those of the reference that speak of forms or of streaming, which only requests can do. */
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
      'Returns events of the bot’s topics: messages, reactions, members. Answers at once if there is something new, else waits up to `timeout` seconds. Pass `nextOffset` of the answer as the next `offset`: that confirms everything before it. Without an `offset` it continues after what was confirmed.',
  },
}

type OwnTexts = typeof OWN_TEXTS

/** A tool for each operation of the bot API that makes sense as one, in the order of the reference. */
export const TOOLS: readonly Tool[] = [
  ...OPERATIONS.filter(({ id }) => !WITHOUT_TOOL.has(id)),
  ask,
  requestApproval,
  waitForAnswer,
].map((operation) => toolOf(operation, OWN_TEXTS))

/** Tools of an assistant that acts for a person: the operations of conversations that people have too. */
const FOR_PEOPLE: ReadonlySet<string> = new Set([
  ...MIRRORED.map(({ id }) => id),
  'listTopics',
  'readTopic',
  'listMessages',
  'readContext',
  'listMembers',
  'readMe',
  'readMember',
  'createTopic',
  'listEmoji',
])

/** Texts in place of those of the reference that speak of bots, or of operations that only bots have. */
const PEOPLE_TEXTS: OwnTexts = {
  listTopics: {
    title: 'List topics',
    description: 'The topics that the person is in, the newest first, with their direct messages.',
  },
  createTopic: {
    title: 'Create a topic',
    description: 'Acts in the name of the person, who becomes a member. Everyone in `members` gets an event.',
    without: ['externalId'],
  },
  readUpdates: { title: 'Wait for events', description: waitForUpdates.description },
  readMe: { title: 'Read the person’s profile', description: 'The person for whom you act.' },
  sendMessage: {
    title: 'Send a message',
    description:
      'Sends a text into a topic, in the name of the person. Everybody sees that you wrote it for them. Mentions are written as `<@profileId>`; who is mentioned must be in the topic.',
    without: ['streaming', 'actions'],
  },
  editMessage: {
    title: 'Edit a message',
    description: 'Replaces the text of a message that the person has sent.',
    without: ['actions'],
  },
}

export const PEOPLE_TOOLS: readonly Tool[] = [
  waitForUpdates,
  ...OPERATIONS.filter(({ id }) => FOR_PEOPLE.has(id) && !WITHOUT_TOOL.has(id)),
].map((operation) => toolOf(operation, PEOPLE_TEXTS))

function toolOf(operation: Operation, texts: OwnTexts): Tool {
  const { id, method, summary, description, isIdempotent } = operation
  const own = texts[id]
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
      readOnlyHint: method === 'GET',
      destructiveHint: method !== 'GET' && method !== 'POST',
      idempotentHint: isIdempotent ?? method !== 'POST',
      // Tools act within one organization.
      openWorldHint: false,
    },
  }
  return { definition, operation, places }
}

/** Names `listTopics` as `list_topics`. */
function nameOf(id: string): string {
  return id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Merges params, query and body: their names do not collide. */
function inputOf(operation: Operation, without: readonly string[]) {
  const properties: Record<string, unknown> = {}
  const required: string[] = []
  const places = new Map<string, Place>()
  for (const place of PLACES) {
    const { properties: taken = {}, required: needed = [] } = Object(operation[place])
    for (const [name, property] of Object.entries(taken)) {
      if (places.has(name)) throw new Error(`${operation.id} takes ${name} twice`)
      if (without.includes(name)) continue
      places.set(name, place)
      properties[name] = briefInput(property)
    }
    required.push(...needed)
  }
  const inputSchema: ObjectSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  return { inputSchema, places }
}

/** All answers of an operation have the same form. */
function outputOf({ success }: Operation): ObjectSchema | undefined {
  const schema = Object.values(success).find((answer) => answer.schema !== undefined)?.schema
  return schema && briefOutput(schema)
}
