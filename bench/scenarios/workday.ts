import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../server/db/sql.ts'
import { type Backstage, type Bot, makeBots, makeWebhookBots, openBackstage } from '../parts/cast.ts'
import type { Child } from '../parts/child.ts'
import type { Server } from '../parts/server.ts'
import { type Company, makeCompany } from '../parts/workday.ts'
import type { Polls } from '../processes/polls.ts'
import type { Receivers } from '../processes/receivers.ts'
import type { Workers, WorkersOutcome } from '../processes/workers.ts'
import type { Context, Figure, Scenario } from '../scenario.ts'

/** Numbers of people that are tried, one after the other. `BENCH_PEOPLE="200 1000"` names others. */
const STEPS = [500, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000]
const STEPS_QUICK = [200, 400]
const BOTS = { polling: 20, webhook: 20, streaming: 10 }
/** Time until those who have just come are nothing special any more: their streams are open, and each page was opened once. */
const SETTLE_SECONDS = 20
const MEASURED_SECONDS = 20
const QUICK_SECONDS = 5
/** Number of statements that a run names, by their time and by their count. */
const TOLD_STATEMENTS = 12
/** Processes that play the people. */
const PLAYERS = 2

/** Bounds that a step must keep: of Mattermost's published model, and of ours. */
const MARKS = {
  theirs: { averageMs: 100, p99: 2000, errors: 0.00025 },
  ours: { averageMs: 50, p99: 250, errors: 0.00025 },
} as const

type Use = { serverCpu: number; databaseCpu: number; serverMB: number; databaseMB: number }
type Step = { people: number; outcome: WorkersOutcome } & Use

export const workday: Scenario = {
  name: 'workday',
  title:
    "People at work, by the weights of Mattermost's load model, each with a live stream, and 50 bots: how many this machine carries",
  target: { 'our marks': { valueAtLeast: 5000 }, 'their marks': { valueAtLeast: 5000 } },
  async run(context) {
    const all: Figure[][] = []
    for (let number = 1; number <= context.runs; number++) all.push(await runOnce(context))
    return all
  },
}

async function runOnce(context: Context): Promise<Figure[]> {
  const server = await context.startServer()
  const backstage = await openBackstage(server)
  context.onEnd(backstage.close)
  const receivers = context.startProcess<Receivers>('receivers')
  const polls = context.startProcess<Polls>('polls')
  const players = Array.from({ length: PLAYERS }, () => context.startProcess<Workers>('workers'))
  const named = process.env.BENCH_PEOPLE?.split(' ').map(Number)
  const steps = named ?? (context.quick ? STEPS_QUICK : STEPS)

  const [polling, streaming] = [
    await makeBots(backstage, BOTS.polling),
    await makeBots(backstage, BOTS.streaming),
  ]
  const called = await makeWebhookBots(backstage, await receivers.ask('open', { count: BOTS.webhook }))
  const bots = [...streaming, ...polling, ...called]
  context.say(`making ${Math.max(...steps)} people, their topics and ${bots.length} bots`)
  const company = await makeCompany(backstage, Math.max(...steps), bots)
  await polls.ask('park', { port: server.port, bots: polling })
  await players[0]?.ask('answer', { port: server.port, bots: answeringIn(company, streaming) })

  await backstage.db.query(sql`create extension if not exists pg_stat_statements`)

  const measured: Step[] = []
  let there = 0
  for (const people of steps) {
    await comeToWork(players, server, company, there, people)
    there = people
    await sleep((context.quick ? QUICK_SECONDS : SETTLE_SECONDS) * 1000)
    await backstage.db.query(sql`select pg_stat_statements_reset()`)
    const step = await measureStep(players, server, people, context.quick ? QUICK_SECONDS : MEASURED_SECONDS)
    measured.push(step)
    context.say(inWords(step))
    for (const sample of step.outcome.samples) context.say(`  ${sample}`)
    if (!isWithin(step.outcome, MARKS.theirs)) break
  }
  for (const line of await costliestStatements(backstage)) context.say(line)
  await polls.ask('check', null)
  for (const player of players) await player.ask('leave', null)
  return figuresOf(measured)
}

/** Each streaming bot writes in the topic of a department that it is in. */
const answeringIn = ({ departmentTopics }: Company, bots: readonly Bot[]) =>
  bots.flatMap((credentials, index) => {
    const topicId = departmentTopics[index % departmentTopics.length]
    return topicId === undefined ? [] : [{ topicId, credentials }]
  })

async function comeToWork(
  players: readonly Child<Workers>[],
  { port }: Server,
  { orgId, workers }: Company,
  from: number,
  to: number,
): Promise<void> {
  const coming = workers.slice(from, to)
  await Promise.all(
    players.map((player, index) =>
      player.ask('add', {
        port,
        orgId,
        workers: coming.filter((_, number) => number % players.length === index),
      }),
    ),
  )
}

async function measureStep(
  players: readonly Child<Workers>[],
  server: Server,
  people: number,
  seconds: number,
): Promise<Step> {
  const [serverBefore, databaseBefore] = [await server.cpuSeconds(), await server.databaseUse()]
  const since = performance.now()
  const outcomes = await Promise.all(players.map((player) => player.ask('measure', { seconds })))
  const lasted = (performance.now() - since) / 1000
  const [serverAfter, databaseAfter] = [await server.cpuSeconds(), await server.databaseUse()]
  return {
    people,
    outcome: together(outcomes),
    serverCpu: (serverAfter - serverBefore) / lasted,
    databaseCpu: (databaseAfter.cpuSeconds - databaseBefore.cpuSeconds) / lasted,
    serverMB: (await server.memory()).now / 2 ** 20,
    databaseMB: databaseAfter.memory / 2 ** 20,
  }
}

/** Statements of the last step that took the database most time, and the most frequent ones: each wakes a process. */
async function costliestStatements({ db }: Backstage): Promise<string[]> {
  const rows = await db.query<{ ms: number; calls: number; text: string }>(sql`
    select total_exec_time::integer as ms, calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 110) as text
    from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
    order by total_exec_time desc`)
  const told = new Set(rows.slice(0, TOLD_STATEMENTS))
  for (const row of rows.toSorted((one, other) => other.calls - one.calls).slice(0, TOLD_STATEMENTS))
    told.add(row)
  const all = rows.reduce((sum, { calls }) => sum + calls, 0)
  return [
    `${all} statements in the last step`,
    ...[...told].map(({ ms, calls, text }) => `  ${ms} ms in ${calls} calls: ${text}`),
  ]
}

/** Adds up the outcomes of several players; the worst of percentiles counts, so that adding never flatters. */
function together(outcomes: readonly WorkersOutcome[]): WorkersOutcome {
  const sum = (pick: (outcome: WorkersOutcome) => number) =>
    outcomes.reduce((total, outcome) => total + pick(outcome), 0)
  const worst = (pick: (outcome: WorkersOutcome) => number) => Math.max(...outcomes.map(pick))
  const requests = sum((outcome) => outcome.requests)
  return {
    requests,
    errors: sum(({ errors }) => errors),
    samples: outcomes.flatMap(({ samples }) => samples).slice(0, 5),
    averageMs: sum((outcome) => outcome.averageMs * outcome.requests) / Math.max(1, requests),
    p50: worst(({ p50 }) => p50),
    p99: worst(({ p99 }) => p99),
    maxMs: worst(({ maxMs }) => maxMs),
    byAction: actionsOf(outcomes),
    frames: sum(({ frames }) => frames),
    toldP50: worst(({ toldP50 }) => toldP50),
    toldP99: worst(({ toldP99 }) => toldP99),
    cpu: sum(({ cpu }) => cpu),
  }
}

function actionsOf(outcomes: readonly WorkersOutcome[]): WorkersOutcome['byAction'] {
  const all: WorkersOutcome['byAction'] = {}
  for (const [name, { count, averageMs, p99 }] of outcomes.flatMap(({ byAction }) =>
    Object.entries(byAction),
  )) {
    const before = all[name] ?? { count: 0, averageMs: 0, p99: 0 }
    const sum = before.count + count
    all[name] = {
      count: sum,
      averageMs: (before.averageMs * before.count + averageMs * count) / sum,
      p99: Math.max(before.p99, p99),
    }
  }
  return all
}

const isWithin = (
  { averageMs, p99, errors, requests }: WorkersOutcome,
  marks: (typeof MARKS)[keyof typeof MARKS],
): boolean => averageMs < marks.averageMs && p99 < marks.p99 && errors <= marks.errors * requests

function inWords({ people, outcome, serverCpu, databaseCpu, serverMB, databaseMB }: Step): string {
  const { requests, averageMs, p99, errors, toldP99, cpu } = outcome
  const slowest = Object.entries(outcome.byAction)
    .sort(([, one], [, other]) => other.averageMs - one.averageMs)
    .slice(0, 5)
    .map(([name, own]) => `${name} ${own.averageMs.toFixed(1)}`)
    .join(', ')
  return `${people} people: ${requests} requests, average ${averageMs.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, ${errors} errors, told p99 ${toldP99.toFixed(0)} ms; cores: server ${serverCpu.toFixed(2)}, database ${databaseCpu.toFixed(2)}, players ${cpu.toFixed(2)}; MB: server ${serverMB.toFixed(0)}, database ${databaseMB.toFixed(0)}; slowest: ${slowest}`
}

function figuresOf(steps: readonly Step[]): Figure[] {
  const [first] = steps
  const last = steps.at(-1)
  if (!first || !last) throw new Error('nothing was measured')
  const carried = (marks: (typeof MARKS)[keyof typeof MARKS]) => {
    const broken = steps.findIndex(({ outcome }) => !isWithin(outcome, marks))
    return steps[(broken === -1 ? steps.length : broken) - 1]
  }
  const most = (name: string, marks: (typeof MARKS)[keyof typeof MARKS]): Figure => {
    const step = carried(marks)
    return {
      name,
      unit: 'people',
      better: 'more',
      value: step?.people ?? 0,
      details: step ? { ...detailsOf(step) } : {},
    }
  }
  const growth = (pick: (step: Step) => number) =>
    last.people === first.people ? 0 : ((pick(last) - pick(first)) / (last.people - first.people)) * 1000
  return [
    most('our marks', MARKS.ours),
    most('their marks', MARKS.theirs),
    {
      name: 'a thousand more',
      unit: 'of a core',
      better: 'less',
      value: growth(({ serverCpu, databaseCpu }) => serverCpu + databaseCpu),
      details: {
        server: growth(({ serverCpu }) => serverCpu),
        database: growth(({ databaseCpu }) => databaseCpu),
        players: growth(({ outcome }) => outcome.cpu),
        serverMB: growth(({ serverMB }) => serverMB),
      },
    },
  ]
}

const detailsOf = ({ outcome, serverCpu, databaseCpu, serverMB, databaseMB }: Step) => ({
  averageMs: outcome.averageMs,
  p99: outcome.p99,
  toldP99: outcome.toldP99,
  requests: outcome.requests,
  errors: outcome.errors,
  serverCpu,
  databaseCpu,
  playersCpu: outcome.cpu,
  serverMB,
  databaseMB,
})
