import type { TabPort, ToHub, ToTab } from './protocol.ts'

/** The hub of this browser: a shared worker, or what there is instead, which is loaded only then. */
export function connectHub(): TabPort {
  let post: ((message: ToHub) => void) | undefined
  let listener: (message: ToTab) => void = () => {}
  const hear = (message: ToTab) => listener(message)

  async function fallBack(): Promise<void> {
    post = undefined
    const { hubWithoutWorker } = await import('./fallback.ts')
    const port = hubWithoutWorker()
    port.listen(hear)
    post = port.post
    hear({ type: 'hello' })
  }

  try {
    const worker = new SharedWorker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: 'parley-chat',
    })
    worker.addEventListener('error', () => void fallBack())
    worker.port.onmessage = ({ data }: MessageEvent<ToTab>) => hear(data)
    post = (message) => worker.port.postMessage(message)
  } catch {
    void fallBack()
  }
  return {
    post: (message) => post?.(message),
    listen: (given) => {
      listener = given
    },
  }
}
