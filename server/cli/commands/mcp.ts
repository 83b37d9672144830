import { command } from '../command.ts'
import { UsageError } from '../errors.ts'
import { bridge } from '../mcp-bridge.ts'
import { readCredentials } from '../mcp-credentials.ts'

export const mcp = command({}, async () => {
  const baseUrl = readAddress(process.env.PARLEY_URL)
  const credentials = readCredentials(process.env, baseUrl)
  const path = pathOf(process.env.PARLEY_TOOLS)
  await bridge({ baseUrl, path, credentials, input: process.stdin, output: process.stdout })
  return { json: {}, lines: [] }
}, [
  'For assistants that start a program rather than open an address: messages of the Model Context Protocol',
  'come in by standard input, a line each, and the answers of the server go out by standard output.',
  '',
  'Settings, from the environment alone:',
  '',
  '  PARLEY_URL                               Address of the server, such as https://chat.example.com',
  '  PARLEY_CLIENT_ID, PARLEY_CLIENT_SECRET   Credentials of a bot with OAuth',
  '  PARLEY_API_KEY, PARLEY_API_SECRET        Or those of a bot with a static key',
  '  PARLEY_TOKEN                             Or an access token, which ends within an hour',
  '  PARLEY_TOOLS                             Toolsets to list, such as messages,tasks; `all` for every tool',
])

const pathOf = (tools: string | undefined): string =>
  tools ? `/mcp?tools=${encodeURIComponent(tools)}` : '/mcp'

function readAddress(given: string | undefined): string {
  const address = given && URL.canParse(given) ? new URL(given) : undefined
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new UsageError('PARLEY_URL must be the address of the server, such as https://chat.example.com.')
  return address.href.replace(/\/+$/, '')
}
