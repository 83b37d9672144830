import { once } from 'node:events'
import { WebSocket } from 'undici'

/** Makes a server process listen for `openInspector`. */
export const INSPECTED = { NODE_OPTIONS: '--inspect=127.0.0.1:0' }

/** Reads the memory of a server process from outside. */
export type Inspector = {
  /** Bytes in use after garbage collection: the heap, and the buffers beside it. */
  memoryInUse(): Promise<number>
  close(): void
}

/** `output`: the process's output at its start. */
export async function openInspector(output: string): Promise<Inspector> {
  const url = /Debugger listening on (ws:\S+)/.exec(output)?.[1]
  if (!url) throw new Error('the process must be started with INSPECTED')
  const socket = new WebSocket(url)
  await once(socket, 'open')
  let calls = 0
  const call = async (method: string, params: object = {}): Promise<unknown> => {
    calls += 1
    const id = calls
    socket.send(JSON.stringify({ id, method, params }))
    for (;;) {
      const [{ data }] = await once(socket, 'message')
      const answer = JSON.parse(String(data))
      if (answer.id === id) return answer.result
    }
  }
  return {
    async memoryInUse() {
      await call('HeapProfiler.collectGarbage')
      const expression = '(({ heapUsed, external }) => heapUsed + external)(process.memoryUsage())'
      const { result } = Object(await call('Runtime.evaluate', { expression, returnByValue: true }))
      return Number(result.value)
    },
    close: () => socket.close(),
  }
}
