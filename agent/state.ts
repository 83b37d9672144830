import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Records that are kept of each kind; the oldest go first. */
const MAX_RECORDS = 2000

/** The agent's session of a thread, and the newest message that the agent has been told. */
export type KeptSession = { sessionId: string; seen: string }

/** A request that was given to the agent: its answers and questions in Parley, to end them after a crash. */
export type Turn = { answers: string[]; questions: string[]; isDone: boolean }

/** Sessions and requests, in a file that outlives the program. */
export type State = {
  /** The path of the bot's position in the log of events. */
  readonly positionFile: string
  readonly sessions: Kept<KeptSession>
  readonly turns: Kept<Turn>
  /** Lets another process have the folder. */
  close(): Promise<void>
}
export type Kept<Value> = {
  get(key: string): Value | undefined
  /** Resolves when a crash of the program cannot lose it any more. */
  set(key: string, value: Value): Promise<void>
  delete(key: string): Promise<void>
  entries(): [string, Value][]
}

/** Opens the state in a folder that is for one process at a time. */
export async function openState(folder: string): Promise<State> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const lock = join(folder, 'lock')
  await takeLock(lock)
  await writeFile(join(folder, '.gitignore'), '*\n')
  const file = join(folder, 'state.json')
  const read = await readState(file)
  const sessions = new Map<string, KeptSession>(Object.entries(Object(read.sessions)))
  const turns = new Map<string, Turn>(Object.entries(Object(read.turns)))
  let saving: Promise<void> | undefined
  let isChanged = false

  async function writeAll(): Promise<void> {
    while (isChanged) {
      isChanged = false
      const content = { sessions: Object.fromEntries(sessions), turns: Object.fromEntries(turns) }
      await writeFile(`${file}.new`, JSON.stringify(content), { mode: 0o600 })
      await rename(`${file}.new`, file)
    }
  }

  function save(): Promise<void> {
    isChanged = true
    saving ??= writeAll().finally(() => {
      saving = undefined
    })
    return saving
  }

  const kept = <Value>(map: Map<string, Value>): Kept<Value> => ({
    get: (key) => map.get(key),
    set(key, value) {
      map.delete(key)
      map.set(key, value)
      const [oldest] = map.keys()
      if (map.size > MAX_RECORDS && oldest !== undefined) map.delete(oldest)
      return save()
    },
    async delete(key) {
      if (map.delete(key)) await save()
    },
    entries: () => [...map],
  })

  return {
    positionFile: join(folder, 'position'),
    sessions: kept(sessions),
    turns: kept(turns),
    async close() {
      await saving
      await rm(lock, { force: true })
    },
  }
}

async function readState(file: string): Promise<{ sessions?: unknown; turns?: unknown }> {
  try {
    return Object(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (Object(error).code === 'ENOENT') return {}
    throw new Error(`${file} cannot be read. Delete it to begin without the sessions so far.`)
  }
}

async function takeLock(lock: string): Promise<void> {
  for (const isRetry of [false, true]) {
    try {
      const file = await open(lock, 'wx', 0o600)
      await file.writeFile(String(process.pid))
      await file.close()
      return
    } catch (error) {
      if (Object(error).code !== 'EEXIST') throw error
    }
    const holder = Number(await readFile(lock, 'utf8').catch(() => ''))
    if (isRetry || (holder > 0 && isRunning(holder)))
      throw new Error(`Process ${holder} uses this folder already. If it is not an agent, delete ${lock}.`)
    await rm(lock, { force: true })
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return Object(error).code === 'EPERM'
  }
}
