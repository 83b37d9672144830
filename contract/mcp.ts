import { Type } from 'typebox'
import { header, IDEMPOTENCY_PARAMETER, LIMITED_ANSWER } from './openapi-parts.ts'
import { refusalHeaders, UNFINISHED } from './openapi-refusals.ts'
import { type RefusalKey, textOfKey } from './refusals/index.ts'

const Version = Type.Literal('2.0')
const Id = Type.Union([Type.Integer(), Type.String()])

const RpcError = Type.Object({
  jsonrpc: Version,
  id: Type.Optional(Id),
  error: Type.Object({
    code: Type.Integer({ description: 'An error code of JSON-RPC, or of the protocol' }),
    message: Type.String(),
    data: Type.Optional(Type.Unknown()),
  }),
})

/** A refusal that comes before the caller is known is a plain text, as in the rest of the API. */
const Refused = Type.Union([RpcError, Type.String()])

/** A refusal in the form of JSON-RPC; messages of the protocol's own errors stand beside the declared texts. */
const failure = (
  description: string,
  code: number,
  listed: readonly RefusalKey[],
  { headers = {}, messages = [] }: { headers?: object; messages?: readonly string[] } = {},
) => ({
  description,
  headers: { ...refusalHeaders(listed), ...headers },
  content: {
    'application/json': {
      schema: Refused,
      examples: Object.fromEntries(
        [...listed.map((key) => [key, textOfKey(key)]), ...messages.map((message) => [message, message])].map(
          ([name, message]) => [name, { value: { jsonrpc: '2.0', error: { code, message } } }],
        ),
      ),
    },
  },
})

/** How the reference describes the Model Context Protocol: messages of JSON-RPC, whose methods the protocol itself describes. */
export const callMcp = {
  operationId: 'callMcp',
  tags: ['Assistants (MCP)'],
  summary: 'Send a message of the Model Context Protocol',
  description:
    'One message of JSON-RPC 2.0 in each request, by Streamable HTTP, with the credentials of a bot or the token of a person’s assistant. Operations of bots are tools: `sendMessage` is `send_message`, and `tools/list` has all that the caller may use. Who asks for progress while something takes long is answered with a stream of events, whose last one is the answer.',
  security: [{ staticKey: [] }, { oauth: [] }],
  parameters: [IDEMPOTENCY_PARAMETER],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: Type.Object({
          jsonrpc: Version,
          id: Type.Optional(Id),
          method: Type.String({
            description:
              'The method, such as `tools/list`, `tools/call`, `resources/list` or `resources/read`',
          }),
          params: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        }),
        example: {
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'list_topics', arguments: { limit: 10 } },
        },
      },
    },
  },
  responses: {
    200: {
      description: 'The result, or why there is none; what an operation refuses is a result with `isError`',
      headers: LIMITED_ANSWER,
      content: {
        'application/json': {
          schema: Type.Union([
            Type.Object({ jsonrpc: Version, id: Id, result: Type.Record(Type.String(), Type.Unknown()) }),
            RpcError,
          ]),
          example: { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"topics":[]}' }] } },
        },
        'text/event-stream': { schema: { type: 'string' }, example: 'event: message\ndata: {}\n\n' },
      },
    },
    202: { description: 'A message that needs no answer was accepted', headers: LIMITED_ANSWER },
    400: failure(
      'The message cannot be understood',
      -32600,
      ['mcp_message_invalid', 'malformed_request', ...UNFINISHED],
      {
        messages: [
          'the body must be JSON in UTF-8',
          'send one message in each request',
          'content type must be application/json',
        ],
      },
    ),
    401: failure('No valid credentials', -32000, ['unauthorized'], {
      headers: { 'X-Auth-Error': header('XAuthError'), 'WWW-Authenticate': header('WWWAuthenticate') },
    }),
    403: failure('The request comes from the page of another server', -32000, ['foreign_origin']),
    404: failure('The method is unknown, in revisions that say so with a status', -32601, [
      'mcp_method_unknown',
    ]),
    429: failure('Too many requests', -32000, ['rate_limited', 'concurrency_limited', 'connections_limited']),
    500: failure('Something went wrong on the server; the request id names it in the log', -32603, [
      'internal_error',
    ]),
    503: failure('The server is busy; repeat the request later', -32000, [
      'server_busy',
      'connections_full',
      'temporarily_unavailable',
    ]),
    507: failure('The disk of the server is full', -32000, ['disk_full']),
  },
}
