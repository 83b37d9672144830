import { ask, requestApproval } from '../../../contract/mcp-questions.ts'
import type { Place, Tool } from '../../../contract/tools.ts'
import { Refusal, refusal } from '../../errors.ts'
import type { McpContext } from './context.ts'
import { CODES, isObject, RpcError } from './json-rpc.ts'
import { taskOf } from './tasks.ts'
import { toolRefusal, toolResult } from './tool-results.ts'

/** Tools that wait for people: a client that takes tasks gets one at once. */
const ASKING: ReadonlySet<string> = new Set([ask.id, requestApproval.id])

const atOnce = ({ params, query, body }: Record<Place, Record<string, unknown>>) => ({
  params,
  query,
  body: { ...body, timeout: 0 },
})

/** Tools of the toolsets that the caller's scopes or permission allow. */
export function listTools({ listed, isPermitted }: McpContext, { cursor }: Record<string, unknown>): object {
  if (cursor !== undefined) throw new RpcError(CODES.invalidParams, 'invalid cursor')
  const permitted = listed.filter(({ operation }) => isPermitted(operation))
  return { tools: permitted.map(({ definition }) => definition) }
}

/** A refusal of an operation is a result too: the assistant reads it, and can do better. */
export async function callTool(context: McpContext, params: Record<string, unknown>): Promise<object> {
  const { name, arguments: given = {} } = params
  const tool = context.tools.find(({ definition }) => definition.name === name)
  if (!tool) throw new RpcError(CODES.invalidParams, `Unknown tool: ${String(name).slice(0, 100)}`)
  if (!isObject(given)) throw new RpcError(CODES.invalidParams, 'arguments must be an object')
  try {
    const input = inputOf(tool, given)
    if (!context.takesTasks || !ASKING.has(tool.operation.id))
      return toolResult(await context.perform(tool.operation, input))
    return await taskOf(context, await context.perform(tool.operation, atOnce(input)))
  } catch (error) {
    // A caller with invalid credentials is refused as on admission.
    if (error instanceof Refusal && error.status !== 401) return toolRefusal(error)
    throw error
  }
}

function inputOf({ definition, places }: Tool, given: Record<string, unknown>) {
  const input: Record<Place, Record<string, unknown>> = { params: {}, query: {}, body: {} }
  for (const [name, value] of Object.entries(given)) {
    const place = places.get(name)
    if (!place) {
      const known = Object.keys(definition.inputSchema.properties).join(', ') || 'none'
      throw refusal('tool_argument_unknown', { name: JSON.stringify(name.slice(0, 100)), known })
    }
    input[place][name] = value
  }
  return input
}
