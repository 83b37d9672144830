import { listMessages, readMessage } from '../../../contract/messages.ts'
import type { Operation } from '../../../contract/operation.ts'
import { listTopics, readTopic } from '../../../contract/topics.ts'
import { Refusal } from '../../errors.ts'
import type { WireAnswer } from '../../idempotency/kept-answers.ts'
import type { McpContext } from './context.ts'
import { CODES, RpcError } from './json-rpc.ts'

type Template = {
  uriTemplate: `parley://${string}`
  name: string
  title: string
  description: string
  operation: Operation
}

const JSON_TYPE = 'application/json'

const topicTemplate: Template = {
  uriTemplate: 'parley://topics/{topicId}',
  name: 'topic',
  title: 'A topic',
  description: 'Name, description and members',
  operation: readTopic,
}
const messagesTemplate: Template = {
  uriTemplate: 'parley://topics/{topicId}/messages{?limit,cursor}',
  name: 'topic-messages',
  title: 'Messages of a topic',
  description: 'The newest first. `nextCursor` of a page is the `cursor` of the next one',
  operation: listMessages,
}
export const TEMPLATES: readonly Template[] = [
  topicTemplate,
  messagesTemplate,
  {
    uriTemplate: 'parley://messages/{messageId}',
    name: 'message',
    title: 'A message',
    description: 'Text, sender, files and reactions',
    operation: readMessage,
  },
]

export function listTemplates({ isPermitted }: McpContext, { cursor }: Record<string, unknown>): object {
  if (cursor !== undefined) throw new RpcError(CODES.invalidParams, 'invalid cursor')
  const permitted = TEMPLATES.filter(({ operation }) => isPermitted(operation))
  return {
    resourceTemplates: permitted.map(({ operation, ...described }) => ({
      ...described,
      mimeType: JSON_TYPE,
    })),
  }
}

/** The caller's topics and their messages, in the pages of `GET /v2/topics`. */
export async function listResources(
  context: McpContext,
  { cursor }: Record<string, unknown>,
): Promise<object> {
  const { isPermitted } = context
  if (!isPermitted(listTopics)) return { resources: [] }
  const query = cursor === undefined ? {} : { cursor }
  const answer = await context
    .perform(listTopics, { params: {}, query, body: {} })
    .catch((error: unknown) => refuse(error))
  const { topics, nextCursor }: { topics: ListedTopic[]; nextCursor?: string } = JSON.parse(
    answer.payload.toString(),
  )
  const readable = [topicTemplate, messagesTemplate].filter(({ operation }) => isPermitted(operation))
  return {
    resources: topics.flatMap((topic) => readable.map((template) => resourceOf(template, topic))),
    ...(nextCursor !== undefined && { nextCursor }),
  }
}

type ListedTopic = { id: string; name: string; description: string }

const resourceOf = (template: Template, { id, name, description }: ListedTopic) => ({
  uri: template.uriTemplate.replace('{topicId}', id).replace(/\{.*$/, ''),
  name,
  title: template === messagesTemplate ? `${name}: messages` : name,
  ...(description !== '' && { description }),
  mimeType: JSON_TYPE,
})

export async function readResource(context: McpContext, { uri }: Record<string, unknown>): Promise<object> {
  if (typeof uri !== 'string') throw new RpcError(CODES.invalidParams, 'uri is required')
  const found = TEMPLATES.map((template) => match(template, uri)).find((matched) => matched !== undefined)
  if (!found) throw unknownResource('Resource not found', uri)
  const { operation, params, query } = found
  const answer = await context
    .perform(operation, { params, query, body: {} })
    .catch((error: unknown) => refuse(error, uri))
  return { contents: [{ uri, mimeType: JSON_TYPE, text: answer.payload.toString() }] }
}

/** The parameters in a URI, if it fits this template. */
function match({ uriTemplate, operation }: Template, uri: string) {
  const path = uriTemplate.replace(/\{\?.*\}$/, '').replace(/\{(\w+)\}/g, '(?<$1>[^/?#]+)')
  const found = new RegExp(`^${path}(?<search>\\?[^#]*)?$`).exec(uri)
  if (!found) return undefined
  const { search = '', ...params } = found.groups ?? {}
  return { operation, params, query: Object.fromEntries(new URLSearchParams(search)) }
}

const unknownResource = (message: string, uri: string) =>
  new RpcError(CODES.resourceNotFound, message, { uri: uri.slice(0, 1000) })

/** A refusal of the operation, in the codes of the protocol. */
function refuse(error: unknown, uri?: string): WireAnswer {
  if (!(error instanceof Refusal)) throw error
  const { status, message } = error
  if (status === 404 && uri !== undefined) throw unknownResource(message, uri)
  throw new RpcError(status === 400 ? CODES.invalidParams : CODES.refused, message, { status })
}
