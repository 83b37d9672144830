import { optionsOrExitCode } from '../bench/parts/command-line.ts'
import { promisesOf } from '../test/support/promised.ts'
import { Judge } from './checks.ts'
import { sendHostileContent } from './content.ts'
import { type OpenApi, type Operation, operationsOf } from './document.ts'
import { Fuzzer } from './fuzzer.ts'
import { type Options, readOptions, USAGE } from './options.ts'
import { describeFinding, describeStatuses } from './report.ts'
import { type Material, planRequest } from './requests.ts'
import { type FuzzedServer, startFuzzedServer } from './server.ts'
import { type Place, type Stage, setStage } from './stage.ts'
import { changedTables, fingerprint, settledFingerprint } from './tenants.ts'
import { walkThroughAccounts } from './walk.ts'

/** Requests under way at the same time. */
const LANES = 16
/** Requests before the stage is set up again: destroyed things come back, and a replay starts at the current act. */
const ACT = 2_500
/** Requests after which the organization's settings are restored. */
const HEAL_AFTER = 100
/** Limit of the server's peak memory. */
const MEMORY_LIMIT_MB = 900
const MAX_FINDINGS = 20
const MAX_MINUTES = 60
/** Requests after which every operation must have succeeded, with those for what chance has left out. */
const ENOUGH_FOR_ALL = 1_000
/** Requests for each operation that chance has left out, again for those that are left out still. */
const LATE_REQUESTS = 30
const LATE_ROUNDS = 4
/** May go without a success: an invitation is sent again after a minute at the earliest. */
const SELDOM_SUCCESSFUL = ['inviteAgain']

/** Returns the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  const options = optionsOrExitCode(() => readOptions(args), USAGE)
  if (typeof options === 'number') return options
  console.log(`seed ${options.seed}`)
  const server = await startFuzzedServer(options.seed)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => void server.end().finally(() => process.exit(130)))
  try {
    return await fuzz(options, server)
  } finally {
    await server.end()
  }
}

async function fuzz(options: Options, server: FuzzedServer): Promise<number> {
  const document: OpenApi = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text())
  const all = operationsOf(document).filter(({ id }) => !server.signOn.absent.includes(id))
  const unknown = options.operations.find((name) => !all.some(({ id }) => id === name))
  if (unknown !== undefined) {
    console.error(`There is no operation "${unknown}"; /openapi.json has their names as operationId.`)
    return 2
  }
  const chosen = all.filter(({ id }) => options.operations.length === 0 || options.operations.includes(id))
  const judge = new Judge(promisesOf(document))
  const fuzzer = new Fuzzer(server.url, judge, all)
  const started = performance.now()
  const problems: string[] = []
  try {
    problems.push(...(await sendAll(options, chosen, server, fuzzer, judge)))
  } catch (error) {
    problems.push(`it could not go on: ${error instanceof Error ? error.message : error}`)
  }
  problems.unshift(...fuzzer.findings.map((finding) => describeFinding(finding, options.seed, server)))
  problems.push(...(await lookAround(server, judge)))
  const isComplete = options.replay === undefined && options.requests >= ENOUGH_FOR_ALL
  const missing = isComplete ? withoutSuccess(chosen, fuzzer) : []
  if (missing.length > 0) problems.push(`never succeeded: ${missing.map(({ id }) => id).join(', ')}`)
  for (const problem of problems) console.log(`\n${problem}`)
  const seconds = (performance.now() - started) / 1000
  console.log(
    `\n${fuzzer.sent} requests in ${seconds.toFixed(0)} s; ${fuzzer.succeeded.size} of ${all.length} operations succeeded; ` +
      `peak memory ${(await server.peakMegabytes()).toFixed(0)} MB; ${describeStatuses(fuzzer)}`,
  )
  console.log(`${fuzzer.sent - fuzzer.findings.length} passed, ${problems.length} failed`)
  if (options.keep && problems.length > 0) await new Promise(() => {})
  fuzzer.end()
  return problems.length > 0 ? 1 : 0
}

/** Sends the requests of the options; returns faults beyond single answers. */
async function sendAll(
  { seed, requests, replay, limitMs, operations: chosen }: Options,
  operations: readonly Operation[],
  server: FuzzedServer,
  fuzzer: Fuzzer,
  judge: Judge,
): Promise<string[]> {
  const { dataDir, receiverUrl } = server
  const place: Place = { fuzzer, dataDir, receiverUrl }
  await walkThroughAccounts(place, /\/setup#([\w-]+)/.exec(server.output())?.[1] ?? '')
  await server.signOn.signIn(fuzzer)
  const marker = `kestrel${seed.toString(36)}`
  const foreign = await setStage(place, marker, marker)
  judge.watchFor({ ids: idsOf(foreign), marker })
  const before = await settledFingerprint(dataDir, foreign.organizationId)

  const deadline = performance.now() + MAX_MINUTES * 60_000
  const goesOn = () => fuzzer.findings.length < MAX_FINDINGS && performance.now() < deadline
  const first = replay === undefined ? 0 : Math.floor(replay / ACT) * ACT
  const last = replay === undefined ? requests : replay + 1
  for (let from = first; from < last && goesOn(); from += ACT) {
    const stage = await setStage(place, `fuzz-${from}`, `osprey${from}`)
    judge.secrets.push(...stage.secrets)
    const material = { operations, ...stage, foreign: foreign.pool }
    await act(fuzzer, stage, material, { seed, from, to: Math.min(from + ACT, last), goesOn })
  }
  let next = last
  for (let round = 0; replay === undefined && last >= ENOUGH_FOR_ALL && round < LATE_ROUNDS; round++) {
    const late = withoutSuccess(operations, fuzzer)
    if (late.length === 0 || !goesOn()) break
    const stage = await setStage(place, `fuzz-late-${round}`, `ospreylate${round}`)
    judge.secrets.push(...stage.secrets)
    const material = { operations: late, ...stage, foreign: foreign.pool }
    const to = next + late.length * LATE_REQUESTS
    await act(fuzzer, stage, material, { seed, from: next, to, goesOn })
    next = to
  }
  const isOfAll = replay === undefined && chosen.length === 0
  const problems = isOfAll && goesOn() ? await tryContent(place, server, judge, { seed, limitMs }) : []
  const changed = changedTables(before, await fingerprint(dataDir, foreign.organizationId))
  return [
    ...problems,
    ...(changed.length > 0 ? [`rows of the foreign organization changed: ${changed.join(', ')}`] : []),
    ...(goesOn() ? [] : ['it stopped early: too many findings, or too long']),
  ]
}

async function tryContent(
  place: Place,
  server: FuzzedServer,
  judge: Judge,
  bounds: Pick<Options, 'seed' | 'limitMs'>,
): Promise<string[]> {
  const stage = await setStage(place, 'fuzz-content', 'ospreycontent')
  judge.secrets.push(...stage.secrets)
  return sendHostileContent({ fuzzer: place.fuzzer, server, stage, ...bounds })
}

type Span = { seed: number; from: number; to: number; goesOn(): boolean }

async function act(
  fuzzer: Fuzzer,
  stage: Stage,
  material: Material,
  { seed, from, to, goesOn }: Span,
): Promise<void> {
  let number = from
  let healing: Promise<void> | undefined
  // A failure while healing is a finding already, or is put right the next time.
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
    while (number < to && goesOn()) {
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

/** Checks the server itself at the end. */
async function lookAround({ url, output, peakMegabytes }: FuzzedServer, judge: Judge): Promise<string[]> {
  const problems: string[] = []
  const health = await fetch(`${url}/health/ready`)
  if (health.status !== 200) problems.push(`/health/ready answers ${health.status}`)
  const log = output()
  const failed = log.split('\n').filter((line) => /request failed|"level":(50|60)/.test(line))
  problems.push(...failed.slice(0, MAX_FINDINGS).map((line) => `in the log: ${line.slice(0, 2000)}`))
  if (judge.secrets.some((secret) => log.includes(secret))) problems.push('a secret is in the log')
  const megabytes = await peakMegabytes()
  if (megabytes > MEMORY_LIMIT_MB) problems.push(`the server took ${megabytes.toFixed(0)} MB`)
  return problems
}

const withoutSuccess = (operations: readonly Operation[], { succeeded }: Fuzzer): Operation[] =>
  operations.filter(({ id }) => !succeeded.has(id) && !SELDOM_SUCCESSFUL.includes(id))
