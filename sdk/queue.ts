import type { WebhookEvent } from './api.ts'

/**
 * The store of webhook events that were answered and are not handled yet. Write your own for a database: three
 * functions. `add` must not resolve before the event would outlast a crash.
 */
export type EventQueue = {
  /** The events that are kept, the oldest first. Called once, before anything else. */
  read(): Promise<WebhookEvent[]>
  add(event: WebhookEvent): Promise<void>
  remove(event: WebhookEvent): Promise<void>
}

const FILE = /^\d{17}\.json$/
/** An unfinished file of a process that was killed; its event was never answered. */
const DRAFT = /^\d{17}\.json\.new$/

/**
 * Keeps events in a folder of the bot's own, each in a file: on the disk before the server gets its answer, and gone
 * once it is handled. A folder belongs to one process at a time.
 */
export function fileQueue(folder: string): EventQueue {
  const files = new Map<string, string>()
  let last = 0

  /** Names sort in the order of arrival, also after a restart. */
  function nextName(): string {
    last = Math.max(Date.now() * 1000, last + 1)
    return `${String(last).padStart(17, '0')}.json`
  }

  return {
    async read() {
      const { mkdir, readdir, readFile, rm } = await import('node:fs/promises')
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const found = await readdir(folder)
      for (const name of found.filter((one) => DRAFT.test(one))) await rm(`${folder}/${name}`)
      const names = found.filter((name) => FILE.test(name)).sort()
      last = Number(names.at(-1)?.slice(0, 17) ?? 0)
      const events: WebhookEvent[] = []
      for (const name of names) {
        const event: WebhookEvent = JSON.parse(await readFile(`${folder}/${name}`, 'utf8'))
        files.set(event.id, name)
        events.push(event)
      }
      return events
    },
    async add(event) {
      const { open, rename } = await import('node:fs/promises')
      const name = nextName()
      const draft = `${folder}/${name}.new`
      const file = await open(draft, 'w', 0o600)
      try {
        await file.writeFile(JSON.stringify(event))
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(draft, `${folder}/${name}`)
      files.set(event.id, name)
    },
    async remove(event) {
      const { rm } = await import('node:fs/promises')
      const name = files.get(event.id)
      if (name !== undefined) await rm(`${folder}/${name}`, { force: true })
      files.delete(event.id)
    },
  }
}
