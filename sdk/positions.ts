import type { Client } from './client.ts'
import { ParleyError } from './client.ts'

/** The store of a bot's position. Write your own for a database: two functions. */
export type Positions = {
  read(): Promise<string | undefined>
  write(position: string): Promise<void>
}

/** Keeps the position in a file that is replaced as a whole: a crash leaves the old one or the new one. */
export function filePositions(path: string): Positions {
  return {
    async read() {
      const { readFile } = await import('node:fs/promises')
      return readFile(path, 'utf8').catch((error: { code?: string }) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
    },
    async write(position) {
      const { rename, writeFile } = await import('node:fs/promises')
      await writeFile(`${path}.new`, position)
      await rename(`${path}.new`, path)
    },
  }
}

/** Keeps the position in the bot's storage on the server: no local file, but one more request for each event. */
export function storedPositions(parley: Client, key = 'position'): Positions {
  return {
    async read() {
      const stored = await parley.readStorage({ params: { key } }).catch((error: unknown) => {
        if (error instanceof ParleyError && error.status === 404) return undefined
        throw error
      })
      return typeof stored?.value === 'string' ? stored.value : undefined
    },
    async write(position) {
      await parley.writeStorage({ params: { key }, body: { value: position } })
    },
  }
}
