import { type ChildProcess, execFile, fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { DataFolderInUse, lockDataFolder } from '../../server/postgres/data-folder.ts'

const PROJECT = fileURLToPath(new URL('../..', import.meta.url))
const SERVER = { command: 'parley start', temporary: false }
const COMMAND = { command: 'parley backup', temporary: true }
const QUICK = { patienceMs: 300, retryMs: 5, beatMs: 50, quietMs: 400 }
const RACERS = 12
const ROUNDS = 12
const isRoot = process.getuid?.() === 0

/** Tries to take the folder on command, reports the result, and gives it back on command. */
const RACER = `
  import { lockDataFolder } from './server/postgres/data-folder.js'
  let lock
  process.on('message', async ({ dataDir, temporary, release }) => {
    if (release) await lock.release()
    else lock = await lockDataFolder(dataDir, { command: 'parley start', temporary }).catch((error) => {
      process.send(error.name + ': ' + error.message)
    })
    if (release || lock) process.send(release ? 'released' : 'taken')
  })
  process.send('ready')`

let parent: string
let dataDir: string
let number = 0
const children: ChildProcess[] = []

beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'parley-test-'))
  await chmod(parent, 0o755)
  await compile(join(parent, 'compiled'))
})

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

afterAll(() => rm(parent, { recursive: true, force: true }))

test('the folder is made, taken and given back', async () => {
  dataDir = freshFolder()
  const lock = await lockDataFolder(dataDir, SERVER)

  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  const record = JSON.parse(await readFile(join(dataDir, 'parley.pid'), 'utf8'))
  expect(record).toMatchObject({ pid: process.pid, command: 'parley start', temporary: false })
  await lock.release()
  await lock.release()
  expect(await readdir(dataDir)).toEqual([])
})

test('a second server learns who runs and what to do', async () => {
  dataDir = freshFolder()
  const racer = await startRacer()
  expect(await ask(racer, { dataDir, temporary: false })).toBe('taken')

  const refused = lockDataFolder(dataDir, SERVER)
  await expect(refused).rejects.toThrow(DataFolderInUse)
  await expect(refused).rejects.toThrow(
    `Parley is already running on ${dataDir} (process ${racer.pid}). Stop it first (kill ${racer.pid}), or give this one its own DATA_DIR.`,
  )
  await expect(refused).rejects.toMatchObject({ pid: racer.pid, command: 'parley start' })

  expect(await ask(racer, { release: true })).toBe('released')
  await (await lockDataFolder(dataDir, SERVER)).release()
})

test('a command that uses the folder for a moment is waited for', async () => {
  dataDir = freshFolder()
  const command = await lockDataFolder(dataDir, COMMAND)
  let taken = false
  const server = lockDataFolder(dataDir, SERVER).then((lock) => {
    taken = true
    return lock
  })
  await sleep(150)
  expect(taken).toBe(false)
  await command.release()
  await (await server).release()
})

test('a command that does not end is not waited for endlessly', async () => {
  dataDir = freshFolder()
  const command = await lockDataFolder(dataDir, COMMAND)
  const refused = lockDataFolder(dataDir, SERVER, QUICK)
  await expect(refused).rejects.toThrow(
    /"parley backup" \(process \d+\) is still using .* stop it \(kill \d+\)/,
  )
  await command.release()
})

test('a holder that was killed is succeeded at once', async () => {
  dataDir = freshFolder()
  const racer = await startRacer()
  await ask(racer, { dataDir, temporary: false })
  await kill(racer)
  expect(existsSync(join(dataDir, 'parley.pid'))).toBe(true)

  const lock = await lockDataFolder(dataDir, SERVER)
  expect(await readdir(dataDir)).toEqual(['parley.pid'])
  await lock.release()
})

test('a process number that now belongs to another program is not believed', async () => {
  dataDir = freshFolder()
  const own = await ownRecord()
  await leaveRecord('parley.pid', { ...own, startedAt: 'earlier', token: 'a' })
  await (await lockDataFolder(dataDir, SERVER)).release()

  await leaveRecord('parley.pid', { ...own, token: 'b' })
  await expect(lockDataFolder(dataDir, SERVER)).rejects.toThrow(DataFolderInUse)
})

test('a damaged record stops no server', async () => {
  dataDir = freshFolder()
  await mkdir(dataDir)
  for (const text of ['', '1234', '{"pid":']) {
    await writeFile(join(dataDir, 'parley.pid'), text)
    await (await lockDataFolder(dataDir, SERVER)).release()
  }
})

test('a holder in another container is believed while it shows that it lives', async () => {
  dataDir = freshFolder()
  const elsewhere = { ...(await ownRecord()), place: 'another container', token: 'a' }
  const path = await leaveRecord('parley.pid', elsewhere)
  const beat = setInterval(() => utimes(path, new Date(), new Date()), QUICK.beatMs)
  await expect(lockDataFolder(dataDir, SERVER, QUICK)).rejects.toThrow(
    /another container or on another machine/,
  )
  clearInterval(beat)

  const silentSince = Date.now()
  const lock = await lockDataFolder(dataDir, SERVER, QUICK)
  expect(Date.now() - silentSince).toBeGreaterThan(QUICK.quietMs / 2)

  const before = await stat(path)
  await sleep(3 * QUICK.beatMs)
  expect((await stat(path)).mtimeMs).toBeGreaterThan(before.mtimeMs)
  await lock.release()
})

test('of many that start at once, exactly one gets the folder: free, left by the dead, or left by dead successors', async () => {
  dataDir = freshFolder()
  await mkdir(dataDir)
  const dead = { ...(await ownRecord()), startedAt: 'earlier' }
  let racers = await Promise.all(Array.from({ length: RACERS }, () => startRacer()))

  for (let round = 0; round < ROUNDS; round++) {
    if (round % 3 === 1) await leaveRecord('parley.pid', { ...dead, token: `${round}` })
    if (round % 3 === 2) {
      await leaveRecord('parley.pid', { ...dead, token: `${round}` })
      await leaveRecord(`parley.pid.after-${round}`, { ...dead, token: `${round}-successor` })
    }
    const answers = await Promise.all(racers.map((racer) => ask(racer, { dataDir, temporary: false })))
    const winners = racers.filter((_, index) => answers[index] === 'taken')
    expect(winners).toHaveLength(1)
    expect(
      answers.filter((answer) => answer.startsWith('DataFolderInUse: Parley is already running')),
    ).toHaveLength(racers.length - 1)
    const [winner] = winners
    if (winner === undefined) continue
    if (round % 4 === 0) {
      await kill(winner)
      racers = racers.filter((racer) => racer !== winner)
    } else await ask(winner, { release: true })
  }
})

test('commands that start at once take turns', async () => {
  dataDir = freshFolder()
  const racers = await Promise.all(Array.from({ length: 5 }, () => startRacer()))
  let inside = 0
  await Promise.all(
    racers.map(async (racer) => {
      expect(await ask(racer, { dataDir, temporary: true })).toBe('taken')
      inside += 1
      expect(inside).toBe(1)
      await sleep(20)
      inside -= 1
      expect(await ask(racer, { release: true })).toBe('released')
    }),
  )
})

test('a folder that cannot be used is refused, with the way out', async () => {
  const file = join(parent, 'file')
  await writeFile(file, '')
  await expect(lockDataFolder(file, SERVER)).rejects.toThrow(/is not a folder. Set DATA_DIR to a folder/)
})

test.skipIf(!isRoot)('a folder of another user is refused, with the way out', async () => {
  dataDir = freshFolder()
  await mkdir(dataDir, { mode: 0o700 })
  const racer = await startRacer({ uid: 12_345, gid: 12_345 })
  expect(await ask(racer, { dataDir, temporary: false })).toMatch(/belong to user 0.*chown -R 12345/)
})

function freshFolder(): string {
  number += 1
  return join(parent, `data-${number}`)
}

/** The record of this process, to be changed and left behind. */
async function ownRecord(): Promise<Record<string, unknown>> {
  const folder = freshFolder()
  const lock = await lockDataFolder(folder, SERVER)
  const record: Record<string, unknown> = JSON.parse(await readFile(join(folder, 'parley.pid'), 'utf8'))
  await lock.release()
  return record
}

async function leaveRecord(name: string, record: Record<string, unknown>): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, name)
  await writeFile(path, JSON.stringify(record))
  return path
}

async function startRacer(user: { uid?: number; gid?: number } = {}): Promise<ChildProcess> {
  const racer = fork(join(parent, 'compiled', 'racer.js'), { ...user, execArgv: [] })
  children.push(racer)
  await answerOf(racer)
  return racer
}

async function kill(racer: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => racer.once('exit', resolve))
  racer.kill('SIGKILL')
  await ended
}

function ask(
  racer: ChildProcess,
  question: { dataDir?: string; temporary?: boolean; release?: boolean },
): Promise<string> {
  const answer = answerOf(racer)
  racer.send(question)
  return answer
}

const answerOf = (racer: ChildProcess) =>
  new Promise<string>((resolve) => racer.once('message', (text) => resolve(String(text))))

/** Node 20 does not run TypeScript: other processes run what the compiler makes of it. */
async function compile(folder: string): Promise<void> {
  await mkdir(folder)
  const options = { outDir: folder, rootDir: PROJECT, types: [], noCheck: true }
  const files = [join(PROJECT, 'server/postgres/data-folder.ts')]
  const config = {
    extends: join(PROJECT, 'tsconfig.json'),
    compilerOptions: options,
    include: [],
    files,
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await promisify(execFile)(join(PROJECT, 'node_modules', '.bin', 'tsc'), [
    '-p',
    join(folder, 'tsconfig.json'),
  ])
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'racer.js'), RACER)
}
