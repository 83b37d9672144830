import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { link, mkdir, open, readdir, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { hasCode, OperatorError } from '../errors.ts'
import { explainFolderFailure } from './failures.ts'

/**
 * Ours alone. If root runs PostgreSQL as another user, that user has to pass through; only Linux leads there without asking
 * (embedded/cluster.ts).
 */
export const DATA_FOLDER_MODE = process.platform !== 'linux' && process.getuid?.() === 0 ? 0o711 : 0o700

const LOCK = 'parley.pid'
const TIMING = {
  /** An operator's command holds the database briefly, so it is worth waiting. */
  patienceMs: 30_000,
  retryMs: 50,
  /** A holder in another container cannot be seen; it shows that it lives by touching its record. Five missed: dead. */
  beatMs: 2_000,
  quietMs: 10_000,
}
const LEFTOVER_AFTER_MS = 60_000

/**
 * `startedAt` distinguishes the holder from a later process with its number; `place` says where that number is valid.
 */
type Holder = {
  pid: number
  startedAt: string
  place: string
  command: string
  temporary: boolean
  token: string
}
type Found = Holder & { path: string }

export class DataFolderInUse extends OperatorError {
  override name = 'DataFolderInUse'
  readonly pid: number
  readonly command: string
  readonly temporary: boolean

  constructor(dataDir: string, holder: Holder, elsewhere: boolean) {
    super(
      elsewhere
        ? `${dataDir} is in use by "${holder.command}" in another container or on another machine (process ${holder.pid} there). Stop it first, or give this one its own DATA_DIR.`
        : holder.temporary
          ? `"${holder.command}" (process ${holder.pid}) is still using ${dataDir}. Wait until it has ended, or stop it (kill ${holder.pid}).`
          : `Parley is already running on ${dataDir} (process ${holder.pid}). Stop it first (kill ${holder.pid}), or give this one its own DATA_DIR.`,
    )
    this.pid = holder.pid
    this.command = holder.command
    this.temporary = holder.temporary
  }
}

/** Takes the data folder for this process, and makes it where there is none. Only one process holds it, whatever crashes. */
export async function lockDataFolder(
  dataDir: string,
  holder: { command: string; temporary: boolean },
  timing = TIMING,
): Promise<{ release(): Promise<void> }> {
  try {
    await mkdir(dataDir, { recursive: true, mode: DATA_FOLDER_MODE })
    return await waitAndTake(dataDir, holder, timing)
  } catch (error) {
    throw await explainFolderFailure(error, dataDir)
  }
}

async function waitAndTake(
  dataDir: string,
  { command, temporary }: { command: string; temporary: boolean },
  timing: typeof TIMING,
): Promise<{ release(): Promise<void> }> {
  const place = await thisPlace()
  const startedAt = (await startOf(process.pid)) ?? 'unknown'
  const record: Holder = { pid: process.pid, startedAt, place, command, temporary, token: randomUUID() }

  const deadline = Date.now() + timing.patienceMs
  for (;;) {
    const other = (await findLiveHolder(dataDir, timing)) ?? (await takeOrFindHolder(dataDir, record, timing))
    if (other === undefined) return hold(dataDir, record, timing.beatMs)
    if (!other.temporary || Date.now() > deadline) {
      throw new DataFolderInUse(dataDir, other, other.place !== place)
    }
    await sleep(timing.retryMs)
  }
}

function hold(dataDir: string, record: Holder, beatMs: number): { release(): Promise<void> } {
  const path = join(dataDir, LOCK)
  const beat = setInterval(() => {
    const now = new Date()
    utimes(path, now, now).catch(() => {})
  }, beatMs).unref()
  return {
    async release() {
      clearInterval(beat)
      if ((await readRecord(path))?.token === record.token) await rm(path, { force: true })
    },
  }
}

/**
 * Returns undefined if the folder is ours now. A free folder is taken by linking our record to `parley.pid`, which only
 * one process can do. A dead holder is succeeded by linking it to `parley.pid.after-<its token>`, which again only one
 * can do, and then replacing `parley.pid`; a successor that dies in between is itself succeeded in the same way. Tokens
 * are never used twice, so a slow process that won the right to succeed a long-replaced holder notices on its second
 * look.
 */
async function takeOrFindHolder(
  dataDir: string,
  record: Holder,
  timing: typeof TIMING,
): Promise<Holder | undefined> {
  const draft = join(dataDir, `${LOCK}.${record.token}`)
  await writeRecord(draft, record)
  try {
    for (;;) {
      const last = await lastInLine(dataDir)
      if (last !== undefined && (await isAlive(last, timing))) return last
      if (last === undefined) {
        if (await linkIfFree(draft, join(dataDir, LOCK))) return undefined
        continue
      }
      const succession = successionOf(dataDir, last)
      if (!(await linkIfFree(draft, succession))) continue
      if ((await lastInLine(dataDir))?.token === record.token) {
        await rename(draft, join(dataDir, LOCK))
        await rm(succession)
        await removeLeftovers(dataDir)
        return undefined
      }
      await rm(succession)
    }
  } finally {
    await rm(draft, { force: true })
  }
}

const successionOf = (dataDir: string, holder: Holder) => join(dataDir, `${LOCK}.after-${holder.token}`)

async function lastInLine(dataDir: string): Promise<Found | undefined> {
  let last = await readRecord(join(dataDir, LOCK))
  while (last !== undefined) {
    const next = await readRecord(successionOf(dataDir, last))
    if (next === undefined) return last
    last = next
  }
  return undefined
}

async function findLiveHolder(dataDir: string, timing: typeof TIMING): Promise<Holder | undefined> {
  const last = await lastInLine(dataDir)
  return last !== undefined && (await isAlive(last, timing)) ? last : undefined
}

async function isAlive(holder: Found, { quietMs, retryMs }: typeof TIMING): Promise<boolean> {
  if (holder.pid === NO_PROCESS) return false
  if (holder.place === (await thisPlace())) return (await startOf(holder.pid)) === holder.startedAt
  const lastBeat = await beatOf(holder.path)
  const silence = Math.min(Math.max(Date.now() - lastBeat, 0), quietMs)
  const deadline = performance.now() + quietMs - silence
  while (performance.now() < deadline) {
    await sleep(retryMs)
    const beat = await beatOf(holder.path)
    if (beat !== lastBeat) return beat > 0
  }
  return false
}

const beatOf = (path: string) =>
  stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )

async function linkIfFree(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  }
}

/**
 * Removes files of crashed attempts. Attempts take seconds at most, so nothing of this age is still in use. A file that is gone
 * is no leftover: another attempt may be about to use its name.
 */
async function removeLeftovers(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(`${LOCK}.`)) continue
    const path = join(dataDir, name)
    const beat = await beatOf(path)
    if (beat > 0 && Date.now() - beat > LEFTOVER_AFTER_MS) await rm(path, { force: true })
  }
}

async function writeRecord(path: string, record: Holder): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(`${JSON.stringify(record)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Undefined if there is no such file. An unreadable record (a full disk, a hand-made file) counts as left by a dead
 * process.
 */
async function readRecord(path: string): Promise<Found | undefined> {
  try {
    const text = await readFile(path, 'utf8')
    const { ino, mtimeMs } = await stat(path)
    return { ...(parseRecord(text) ?? unreadable(`${ino}-${mtimeMs}`)), path }
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

const NO_PROCESS = 0
const unreadable = (token: string): Holder => ({
  pid: NO_PROCESS,
  startedAt: '',
  place: '',
  command: 'unknown',
  temporary: true,
  token,
})

function parseRecord(text: string): Holder | undefined {
  try {
    const record: unknown = JSON.parse(text)
    return isHolder(record) ? record : undefined
  } catch {
    return undefined
  }
}

const HOLDER_TYPES: Record<keyof Holder, string> = {
  pid: 'number',
  startedAt: 'string',
  place: 'string',
  command: 'string',
  temporary: 'boolean',
  token: 'string',
}

function isHolder(record: unknown): record is Holder {
  if (typeof record !== 'object' || record === null) return false
  const fields = new Map<string, unknown>(Object.entries(record))
  return Object.entries(HOLDER_TYPES).every(([name, type]) => typeof fields.get(name) === type)
}

/** The scope in which process numbers are comparable: since this boot, in this container. */
async function thisPlace(): Promise<string> {
  if (process.platform !== 'linux') return process.platform
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${boot.trim()} ${namespace}`
}

/** The start of a process in the system's own format; undefined if it has ended, even as a zombie. */
async function startOf(pid: number): Promise<string | undefined> {
  try {
    if (process.platform === 'linux') {
      // `pid (name) state ...`; the name may hold anything, also brackets. The start is field 22, the state field 3.
      const line = await readFile(`/proc/${pid}/stat`, 'utf8')
      const fields = line.slice(line.lastIndexOf(')') + 2).split(' ')
      return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
    }
    const environment = { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], {
      env: environment,
    })
    const [, state, start] = /^(\S+)\s+(.+?)\s*$/.exec(stdout) ?? []
    return state === undefined || state.startsWith('Z') ? undefined : start
  } catch {
    return undefined
  }
}
