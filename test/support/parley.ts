import { mkdtemp, rm } from 'node:fs/promises'
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
  const node = await startNode({ ...server, ...pool, database }, settings)
  return {
    ...node,
    async close() {
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
): Promise<TestParley> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-node-'))
  const config: Config = {
    ...readConfig({
      DATA_DIR: dataDir,
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
  const clock = { ahead: 0 }
  const logLines: string[] = []
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

async function administer(statement: string): Promise<void> {
  const client = new pg.Client(inject('postgres'))
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
