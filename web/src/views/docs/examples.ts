import type { Operation, Parameter, Schema } from './operations.ts'

/* Programs that make a request, in words that can be run as they stand: test/docs-pages.test.ts runs them. */

export const EXAMPLE_LANGUAGES = { curl: 'curl', typescript: 'TypeScript', python: 'Python' } as const
export type ExampleLanguage = keyof typeof EXAMPLE_LANGUAGES
export type Credential = 'key' | 'oauth'

/** Pages that have fewer are still worth a look. */
const LIMIT = 20
/** A call that fits is written in one line. */
const LINE_LENGTH = 72

/** The environment that an example reads. */
export const variablesOf = ({ access }: Operation, credential: Credential): string[] => {
  if (access === 'none') return []
  if (access === 'session') return ['PARLEY_SESSION']
  return credential === 'key'
    ? ['PARLEY_API_KEY', 'PARLEY_API_SECRET']
    : ['PARLEY_CLIENT_ID', 'PARLEY_CLIENT_SECRET']
}

/** The libraries are for bots, and call what a bot with credentials calls. */
export const languagesOf = ({ kind, access, path }: Operation): ExampleLanguage[] =>
  kind === 'bot' && access === 'bot' && path.startsWith('/v2/') ? ['curl', 'typescript', 'python'] : ['curl']

export function exampleOf(
  operation: Operation,
  language: ExampleLanguage,
  origin: string,
  credential: Credential,
): string {
  if (language === 'curl') return curlExample(operation, origin, credential)
  return language === 'typescript'
    ? typescriptExample(operation, origin, credential)
    : pythonExample(operation, origin, credential)
}

type Input = { params: Record<string, unknown>; query: Record<string, unknown>; body: unknown }

function inputOf({ parameters, bodies }: Operation): Input {
  const valuesIn = (place: Parameter['in']) =>
    Object.fromEntries(
      parameters
        .filter(({ in: where, name, required }) => where === place && (required || name === 'limit'))
        .map(({ name, schema }) => [name, name === 'limit' ? LIMIT : exampleValue(schema)]),
    )
  return { params: valuesIn('path'), query: valuesIn('query'), body: bodies[0]?.example }
}

function exampleValue({ examples, enum: options, const: only, anyOf, type }: Schema): unknown {
  const value = examples?.[0] ?? options?.[0] ?? only
  if (value !== undefined) return value
  if (anyOf?.[0]) return exampleValue(anyOf[0])
  return type === 'integer' || type === 'number' ? 1 : 'example'
}

/** Path and query as they are sent: characters that a path may hold stay readable. */
function targetOf({ path }: Operation, { params, query }: Input): string {
  const inPath = (value: unknown) => encodeURIComponent(String(value)).replace(/%40|%3A/g, decodeURIComponent)
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => inPath(params[name]))
  const search = new URLSearchParams(
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)])),
  )
  return search.size > 0 ? `${filled}?${search}` : filled
}

// ---- curl ----

const shellQuoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
/** The flags of a command, one to a line. */
const command = (...parts: string[]): string => parts.filter((part) => part !== '').join(' \\\n  ')

function curlExample(operation: Operation, origin: string, credential: Credential): string {
  const input = inputOf(operation)
  const target = targetOf(operation, input)
  const [form] = operation.bodies.filter(({ type }) => type === 'application/x-www-form-urlencoded')
  if (form && operation.bodies.length === 1) return formExample(origin + target, Object(form.example))
  const { method } = operation
  const isSigned = operation.access === 'bot' && credential === 'key'
  const body = input.body === undefined ? undefined : JSON.stringify(input.body, null, 2)
  const address = isSigned && method === 'GET' ? `"${origin}$target"` : shellQuoted(origin + target)
  const request = command(
    `curl -sS ${method === 'GET' ? '' : `-X ${method} `}${address}`,
    ...credentialFlags(operation, origin, credential),
    body === undefined ? '' : "-H 'Content-Type: application/json'",
    body === undefined ? '' : `--data-raw ${isSigned ? '"$body"' : shellQuoted(body)}`,
  )
  if (operation.access !== 'bot') return request
  if (credential === 'oauth') return `${tokenCommand(origin)}\n\n${request}`
  const signed = method === 'GET' ? '$target' : body === undefined ? '' : '$body'
  const named =
    method === 'GET'
      ? `target=${shellQuoted(target)}\n`
      : body === undefined
        ? ''
        : `body=${shellQuoted(body)}\n`
  return `${named}now="$(date +%s)000"
signature=$(printf '%s' "$now.${signed}" |
  openssl dgst -sha256 -hmac "$PARLEY_API_SECRET" |
  sed 's/^.* //')

${request}`
}

function credentialFlags({ access, method }: Operation, origin: string, credential: Credential): string[] {
  if (access === 'none') return []
  if (access === 'session') {
    const cookie = origin.startsWith('https:') ? '__Host-parley_session' : 'parley_session'
    return [`-b "${cookie}=$PARLEY_SESSION"`, method === 'GET' ? '' : `-H 'Origin: ${origin}'`]
  }
  return credential === 'key'
    ? ['-H "Authorization: Bearer $PARLEY_API_KEY"', '-H "X-Timestamp: $now"', '-H "X-Signature: $signature"']
    : ['-H "Authorization: Bearer $token"']
}

const tokenCommand = (origin: string): string =>
  `token=$(curl -sS ${origin}/oauth/token -d grant_type=client_credentials \\
  --data-urlencode "client_id=$PARLEY_CLIENT_ID" \\
  --data-urlencode "client_secret=$PARLEY_CLIENT_SECRET" |
  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`

const formExample = (address: string, fields: Record<string, unknown>): string =>
  command(
    `curl -sS ${shellQuoted(address)}`,
    ...Object.entries(fields).map(([name, value]) => `--data-urlencode ${shellQuoted(`${name}=${value}`)}`),
  )

// ---- TypeScript ----

function typescriptExample(operation: Operation, origin: string, credential: Credential): string {
  const { params, query, body } = inputOf(operation)
  const input = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(body !== undefined && { body }),
  }
  const [id, secret] = credential === 'key' ? ['apiKey', 'apiSecret'] : ['clientId', 'clientSecret']
  const [idName, secretName] = variablesOf(operation, credential)
  const given = Object.keys(input).length > 0 ? scriptValue(input) : ''
  return `import { connect } from './parley.mjs'

const { ${idName}: ${id} = '', ${secretName}: ${secret} = '' } = process.env
const parley = connect({ url: '${origin}', ${id}, ${secret} })

const answer = await parley.${operation.id}(${given})
console.log(answer)`
}

function scriptValue(value: unknown, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (value === null || typeof value !== 'object') return String(value)
  const deeper = `${indent}  `
  const entries = Array.isArray(value)
    ? value.map((one) => scriptValue(one, deeper))
    : Object.entries(value).map(([name, one]) => {
        const label = /^[A-Za-z_]\w*$/.test(name) ? name : scriptValue(name)
        return `${label}: ${scriptValue(one, deeper)}`
      })
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  return enclosed(entries, open, close, indent, '  ')
}

/** Entries in one line where they fit, otherwise one to a line. */
function enclosed(entries: string[], open: string, close: string, indent: string, step: string): string {
  const inLine = `${open}${entries.join(', ')}${close}`
  if (entries.length === 0) return open.trim() + close.trim()
  if (inLine.length + indent.length <= LINE_LENGTH && !inLine.includes('\n')) return inLine
  const lines = entries.map((entry) => `${indent}${step}${entry},\n`)
  return `${open.trim()}\n${lines.join('')}${indent}${close.trim()}`
}

// ---- Python ----

/** Another name for `topicId`, which the methods have no use for. */
const PYTHON_ALIASES = ['channelID']
const PYTHON_KEYWORDS = [
  'from',
  'class',
  'import',
  'global',
  'pass',
  'in',
  'is',
  'as',
  'not',
  'and',
  'or',
  'def',
]

function pythonName(name: string): string {
  const word = name.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`)
  return PYTHON_KEYWORDS.includes(word) ? `${word}_` : word
}

function pythonExample(operation: Operation, origin: string, credential: Credential): string {
  const { params, query, body } = inputOf(operation)
  const named = { ...query, ...Object(body) }
  const given = [
    ...Object.values(params).map((value) => pythonValue(value, '    ')),
    ...Object.entries(named)
      .filter(([name]) => !PYTHON_ALIASES.includes(name))
      .map(([name, value]) => `${pythonName(name)}=${pythonValue(value, '    ')}`),
  ]
  const [id, secret] = credential === 'key' ? ['api_key', 'api_secret'] : ['client_id', 'client_secret']
  const [idName, secretName] = variablesOf(operation, credential)
  return `import os
from parley import Client

client = Client(
    "${origin}",
    ${id}=os.environ["${idName}"],
    ${secret}=os.environ["${secretName}"],
)

answer = client.${pythonName(operation.id)}${enclosed(given, '(', ')', '', '    ')}
print(answer)`
}

function pythonValue(value: unknown, indent = ''): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (value === null) return 'None'
  if (typeof value !== 'object') return JSON.stringify(value)
  const deeper = `${indent}    `
  const entries = Array.isArray(value)
    ? value.map((one) => pythonValue(one, deeper))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${pythonValue(one, deeper)}`)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
  return enclosed(entries, open, close, indent, '    ')
}
