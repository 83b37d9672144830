import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startIdentityProvider } from '../test/support/identity-provider.ts'
import { promisesOf } from '../test/support/promised.ts'
import { startServerProcess, stop } from '../test/support/server-process.ts'
import { Judge } from './checks.ts'
import { type OpenApi, type Operation, operationsOf } from './document.ts'
import { Fuzzer } from './fuzzer.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { describeFinding, describeStatuses } from './report.ts'
import { type Material, planRequest } from './requests.ts'
import { type Place, type Stage, setStage, walkThroughAccounts } from './stage.ts'
import { changedTables, fingerprint, settledFingerprint } from './tenants.ts'

/** Requests under way at the same time. */
const LANES = 16
/** The stage is set anew after so many: what they have destroyed is there again, and a replay need not begin at the first. */
const ACT = 2_500
/** Settings of the organization are put back after so many. */
const HEAL_AFTER = 100
/** What the server may take at its peak, of all that is thrown at it. */
const MEMORY_LIMIT_MB = 900
const MAX_FINDINGS = 20
/** May go without a success in a run: an invitation is sent again after a minute at the earliest. */
const SELDOM_SUCCESSFUL = ['inviteAgain']
const MAX_MINUTES = 60

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  let options: Options | undefined
  try {
    options = readOptions(args)
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
    return 2
  }
  if (!options) {
    console.log(USAGE)
    return 0
  }
  console.log(`seed ${options.seed}`)
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-fuzz-'))
  const receiver = createServer((request, response) =>
    request.resume().on('end', () => response.end()),
  ).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const provider = await startIdentityProvider()
  const server = await startServerProcess({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'warn',
    AGENT_SIGNUP: 'on',
    ORG_UNIT_CHANGES_PER_MINUTE: '0',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    TRUST_PROXY: '127.0.0.1',
    OIDC_ISSUER: provider.url,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
  })
  try {
    const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
    return await fuzz(options, {
      url: server.url,
      pid: server.process.pid ?? 0,
      dataDir,
      receiverUrl,
      output: server.output,
    })
  } finally {
    await stop(server.process)
    receiver.closeAllConnections()
    receiver.close()
    await provider.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

type Running = { url: string; pid: number; dataDir: string; receiverUrl: string; output(): string }

async function fuzz(options: Options, server: Running): Promise<number> {
  const { url, dataDir, receiverUrl } = server
  const document: OpenApi = JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
  const operations = operationsOf(document)
  const judge = new Judge(promisesOf(document))
  const fuzzer = new Fuzzer(url, judge, operations)
  const place: Place = { fuzzer, dataDir, receiverUrl }
  const setupToken = /\/setup#([\w-]+)/.exec(server.output())?.[1] ?? ''
  await walkThroughAccounts(place, setupToken)
  const marker = `kestrel${options.seed.toString(36)}`
  const foreign = await setStage(place, marker, marker)
  judge.watchFor({ ids: idsOf(foreign), marker })
  const before = await settledFingerprint(dataDir, foreign.organizationId)

  const chosen = operations.filter(
    ({ id }) => options.operations.length === 0 || options.operations.includes(id),
  )
  const started = performance.now()
  const first = options.replay === undefined ? 0 : Math.floor(options.replay / ACT) * ACT
  const last = options.replay === undefined ? options.requests : options.replay + 1
  for (let from = first; from < last && goesOn(fuzzer, started); from += ACT) {
    const stage = await setStage(place, `fuzz-${from}`, `osprey${from}`)
    judge.secrets.push(...stage.secrets)
    const material = { operations: chosen, ...stage, foreign: foreign.pool }
    await act(fuzzer, stage, material, options.seed, from, Math.min(from + ACT, last), started)
  }
  const seconds = (performance.now() - started) / 1000

  const problems = fuzzer.findings.map((finding) => describeFinding(finding, options.seed, url))
  problems.push(...(await lookAround(server, judge, await peakMegabytes(server.pid))))
  const changed = changedTables(before, await fingerprint(dataDir, foreign.organizationId))
  if (changed.length > 0) problems.push(`rows of the foreign organization changed: ${changed.join(', ')}`)
  const unreached = options.replay === undefined ? missing(chosen, fuzzer) : []
  if (options.operations.length === 0 && unreached.length > 0 && options.requests >= 10_000)
    problems.push(`never succeeded: ${unreached.join(', ')}`)
  for (const problem of problems) console.log(`\n${problem}`)
  console.log(
    `\n${fuzzer.sent} requests in ${seconds.toFixed(0)} s to ${chosen.length} operations, ${chosen.length - unreached.length} with success; ` +
      `peak memory ${(await peakMegabytes(server.pid)).toFixed(0)} MB; ${describeStatuses(fuzzer)}`,
  )
  console.log(`${fuzzer.sent - fuzzer.findings.length} passed, ${problems.length} failed`)
  if (options.keep && problems.length > 0) await new Promise(() => {})
  fuzzer.end()
  return problems.length > 0 ? 1 : 0
}

const goesOn = ({ findings }: Fuzzer, started: number): boolean =>
  findings.length < MAX_FINDINGS && performance.now() - started < MAX_MINUTES * 60_000

async function act(
  fuzzer: Fuzzer,
  stage: Stage,
  material: Material,
  seed: number,
  from: number,
  to: number,
  started: number,
): Promise<void> {
  let number = from
  let healing: Promise<void> | undefined
  // What goes wrong while healing is a finding already, or is put right the next time.
  const heal = () => {
    healing ??= stage
      .heal()
      .catch(() => {})
      .finally(() => {
        healing = undefined
      })
    return healing
  }
  const lane = async () => {
    while (number < to && goesOn(fuzzer, started)) {
      const planned = planRequest(seed, number, material)
      number += 1
      const result = await fuzzer.exchange(planned, stage.pool)
      const { caller, isValid } = planned
      const isSignedOut = typeof result !== 'string' && result.status === 401 && isValid && caller.isSound
      if (isSignedOut || planned.number % HEAL_AFTER === 0) await heal()
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
}

function idsOf({ pool, organizationId }: Stage): Set<string> {
  const ids = new Set<string>([organizationId])
  for (const resource of [
    'topic',
    'message',
    'task',
    'poll',
    'label',
    'member',
    'bot',
    'orgUnit',
    'delivery',
    'session',
  ]) {
    for (const known of pool.all(resource)) {
      const id = known[`${resource}Id`]?.replace(/^b@/, '')
      if (id !== undefined) ids.add(id)
    }
  }
  return ids
}

/** What must hold of the server itself after all of it. */
async function lookAround({ url, output }: Running, judge: Judge, megabytes: number): Promise<string[]> {
  const problems: string[] = []
  const health = await fetch(`${url}/health/ready`)
  if (health.status !== 200) problems.push(`/health/ready answers ${health.status}`)
  const lines = output().split('\n')
  const failed = lines.filter((line) => line.includes('request failed') || /"level":(50|60)/.test(line))
  problems.push(...failed.slice(0, MAX_FINDINGS).map((line) => `in the log: ${line.slice(0, 2000)}`))
  if (judge.secrets.some((secret) => output().includes(secret))) problems.push('a secret is in the log')
  if (megabytes > MEMORY_LIMIT_MB) problems.push(`the server took ${megabytes.toFixed(0)} MB`)
  return problems
}

/** Not a number where there is no /proc. */
async function peakMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

const missing = (operations: readonly Operation[], { succeeded }: Fuzzer): string[] =>
  operations.map(({ id }) => id).filter((id) => !succeeded.has(id) && !SELDOM_SUCCESSFUL.includes(id))
