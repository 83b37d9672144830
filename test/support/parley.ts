import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { pino } from 'pino'
import { inject } from 'vitest'
import { buildApp } from '../../server/app.ts'
import { type Config, readConfig } from '../../server/config.ts'
import { newUuid } from '../../server/ids.ts'
import { openParley, type Parley } from '../../server/parley.ts'
import { createOnCluster, removeOnCluster } from './cluster.ts'
import { TEMPLATE } from './template.ts'

export const SECRET_KEY = 'a key for tests, long enough to be one'

/** How many nodes answer in turns. The gate has one: `NODES=3 npm test` looks for answers that depend on which node gives them. */
const NODES = Number(process.env.NODES ?? 1)

/** Hashes that are made and compared quickly: the cost of a real one is not what most tests are about. */
const CHEAP = { N: 2 ** 10, r: 8, p: 1 }

/** A whole Parley on a database of its own, listening on a free port of loopback. */
export type TestParley = {
  parley: Parley
  app: FastifyInstance
  url: string
  /** Moves the clock of this server, which keeps running. */
  clock: { ahead: number }
  logLines: string[]
  /** A second node on the same database. */
  secondNode(settings?: Partial<Config>, machine?: Machine): Promise<TestParley>
  close(): Promise<void>
}

/** A machine whose clock differs from that of the database: the node goes by the database's, as it does outside of tests. */
export type Machine = { clockAheadMs: number }

export async function startTestParley(
  settings: Partial<Config> = {},
  pool: pg.PoolConfig = {},
): Promise<TestParley> {
  const cluster = inject('cluster')
  const database = `test_${newUuid().replaceAll('-', '')}`
  // Copies files: the default, through the write-ahead log, takes half as much CPU time again.
  if (cluster) await createOnCluster(cluster, database)
  else await administer(`create database ${database} template ${TEMPLATE} strategy file_copy`)
  const server = cluster?.[0] ?? inject('postgres')
  const connection = { ...server, ...pool, database }
  const node = await startNode(connection, settings)
  const spread = NODES > 1 ? await spreadOverNodes(node, connection, settings) : undefined
  return {
    ...node,
    ...(spread && { url: spread.url }),
    async close() {
      await spread?.close()
      await node.close()
      if (cluster) await removeOnCluster(cluster, database)
      else await administer(`drop database ${database} with (force)`)
    },
  }
}

/** A node on a database that is there already. */
export async function startNode(
  connection: pg.ClientConfig,
  settings: Partial<Config> = {},
  machine?: Machine,
  { clock, logLines }: Pick<TestParley, 'clock' | 'logLines'> = { clock: { ahead: 0 }, logLines: [] },
): Promise<TestParley> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-node-'))
  const config: Config = {
    ...readConfig({
      DATA_DIR: settings.dataDir ?? dataDir,
      SECRET_KEY,
      PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      PERSON_RATE_LIMIT_PER_MINUTE: '0',
      AGENT_SIGNUP: 'on', // most tests need no set-up first
      AGENT_SIGNUP_PER_MINUTE: '0',
      GROUP_LIMIT: process.env.GROUP_LIMIT,
      DRAIN_MS: '0',
      QUEUE_MS: '0', // a machine that is busy with other tests is no overload
    }),
    passwordCost: CHEAP,
    ...settings,
  }
  const log = pino({ level: 'debug' }, { write: (line: string) => logLines.push(line) })
  const clocks = machine
    ? { systemClock: () => Date.now() + machine.clockAheadMs }
    : { clock: () => Date.now() + clock.ahead }
  const parley = await openParley({ config, connection, log, ...clocks })
  const app = buildApp(parley)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  config.baseUrl = url
  const others: TestParley[] = []
  return {
    parley,
    app,
    url,
    clock,
    logLines,
    async secondNode(other = {}, otherMachine) {
      const node = await startNode(connection, { ...settings, ...other }, otherMachine)
      others.push(node)
      return node
    },
    async close() {
      for (const other of others) await other.close()
      await app.close()
      await parley.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/**
 * Hands each connection to the next of several nodes, as the kernel does with the processes of `WORKERS`; a connection
 * carries one request, so that the nodes take turns.
 */
async function spreadOverNodes(
  first: TestParley,
  connection: pg.ClientConfig,
  settings: Partial<Config>,
): Promise<{ url: string; close(): Promise<void> }> {
  const { dataDir } = first.parley.config
  const further: TestParley[] = []
  while (further.length < NODES - 1)
    further.push(await startNode(connection, { roles: ['api'], ...settings, dataDir }, undefined, first))
  const nodes = [first, ...further]
  for (const { app } of nodes) app.server.maxRequestsPerSocket = 1
  let last = 0
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    last += 1
    const { port } = new URL(nodes[last % NODES]?.url ?? first.url)
    const behind = connect(Number(port), '127.0.0.1')
    for (const [one, other] of [
      [socket, behind],
      [behind, socket],
    ] as const) {
      open.add(one)
      one.on('error', () => other.destroy()).on('close', () => open.delete(one) && other.destroySoon())
      one.pipe(other)
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('a port')
  const url = `http://127.0.0.1:${address.port}`
  for (const { parley } of nodes) parley.config.baseUrl = url
  return {
    url,
    async close() {
      server.close()
      for (const socket of open) socket.destroy()
      for (const node of further) await node.close()
    },
  }
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgres'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
