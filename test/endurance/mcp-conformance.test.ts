import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oauthBot, organization } from '../support/cast.ts'
import { startTestParley, type TestParley } from '../support/parley.ts'

const run = promisify(execFile)

/** The protocol's own suite, and the Node that this version of it needs. */
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12'
const NODE = 'node@22'

type Check = { scenario: string; id: string; status: string; errorMessage?: string }
/** Checks that fail for one reason. */
type Reason = { scenarios: RegExp; message: RegExp }

/** Why checks fail. Any other failure is a fault of Parley. */
const REASONS: Record<string, Reason> = {
  'the suite calls tools that a server has for the suite alone': {
    scenarios: /^(tools-call-|elicitation-|json-schema-|input-required-|server-stateless$)/,
    message:
      /Unknown tool: test_|Tool 'json_schema_2020_12_tool' not found|the diagnostic tool 'test_|^Prerequisite failed|^Expected InputRequiredResult/,
  },
  'the suite asks for prompts that a server has for the suite alone': {
    scenarios: /^(prompts-get-|completion-complete$|input-required-result-non-tool-request$)/,
    message: /Unknown prompt: test_/,
  },
  'the suite reads resources that a server has for the suite alone': {
    scenarios: /^resources-(read|templates-read)/,
    message: /Resource not found/,
  },
  'no tool of Parley repeats arguments in headers': {
    scenarios: /^http-custom-header-/,
    message: /no tool with x-mcp-header/,
  },
  'Parley has no sessions, so it has nobody to send logs and changes to (`read_updates` has the changes)': {
    scenarios: /^(logging-set-level|tools-call-with-logging|resources-(un)?subscribe)$/,
    message: /Method not found/,
  },
}

let server: TestParley
let folder: string
let url: URL

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-conformance-'))
  await run('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', SUITE, NODE])
  server = await startTestParley()
  const { credentials } = await oauthBot(server, await organization(server), 'Assistant')
  // The suite sends no credentials.
  server.app.server.prependListener('request', ({ headers }) => {
    headers.authorization = `Bearer ${credentials.token}`
  })
  url = new URL('/mcp', server.url)
  url.hostname = 'localhost'
  server.parley.config.baseUrl = url.origin
}, 120_000)
afterAll(async () => {
  await server?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

it.each([
  [
    '2025-11-25',
    ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection'],
  ],
  [
    '2026-07-28',
    [
      ...['tools-list', 'resources-list', 'prompts-list', 'dns-rebinding-protection', 'caching'],
      ...['http-header-validation', 'sep-2164-resource-not-found', 'server-sse-multiple-streams'],
      ...['input-required-result-unsupported-methods', 'input-required-result-validate-input'],
    ],
  ],
])('revision %s fails the official suite only for named reasons', async (revision, passing) => {
  const checks = await checksOf(revision)
  const failed = checks.filter(({ status }) => status === 'FAILURE')
  expect(failed.filter((check) => reasonOf(check) === undefined)).toEqual([])

  const doubted = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
  const doubtful = new Set(doubted.map(({ scenario }) => scenario))
  const passed = checks.filter(({ status, scenario }) => status === 'SUCCESS' && !doubtful.has(scenario))
  expect(new Set(passed.map(({ scenario }) => scenario))).toEqual(new Set(passing))

  const reasons = Object.keys(REASONS).map((reason) => {
    const count = failed.filter((check) => reasonOf(check) === reason).length
    return `${count} since ${reason}`
  })
  const successes = checks.filter(({ status }) => status === 'SUCCESS').length
  console.log([`${revision}: ${successes} checks passed, ${failed.length} failed:`, ...reasons].join('\n'))
})

const reasonOf = ({ scenario, errorMessage = '' }: Check): string | undefined =>
  Object.entries(REASONS).find(
    ([, { scenarios, message }]) => scenarios.test(scenario) && message.test(errorMessage),
  )?.[0]

async function checksOf(revision: string): Promise<Check[]> {
  const modules = join(folder, 'node_modules')
  const suite = join(modules, '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
  const results = join(folder, revision)
  const options = ['--suite', 'all', '--spec-version', revision, '--output-dir', results]
  // The suite ends with 1 where a check failed.
  await run(join(modules, 'node', 'bin', 'node'), [suite, 'server', '--url', url.href, ...options]).catch(
    (error: unknown) => expect(error).toMatchObject({ code: 1 }),
  )
  const folders = await readdir(results)
  const checks = folders.map(async (name) => {
    const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, '')
    const found: Check[] = JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8'))
    return found.map((check) => ({ ...check, scenario }))
  })
  return (await Promise.all(checks)).flat()
}
