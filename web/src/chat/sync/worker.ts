import { browserHub } from './browser-hub.ts'
import type { ToHub } from './protocol.ts'

/** The shared worker: one for all tabs of this browser, alive as long as one of them is open. */
const hub = browserHub()

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return
  const [port] = event.ports
  if (!port) return
  hub.connect({
    post: (message) => port.postMessage(message),
    listen: (hear) => {
      port.onmessage = ({ data }: MessageEvent<ToHub>) => hear(data)
    },
  })
})
