import { readConfig } from './config.ts'
import { createLog } from './log.ts'
import { type RunningServer, startServer } from './main.ts'
import { Channel, type ProcessMessage } from './processes/channel.ts'

/*
 * A further process that answers requests on the port of the first one (processes/further.ts), which says when to stop.
 */

const config = readConfig(process.env)
const log = createLog(config)
const fail = (cause: unknown, message: string) => {
  log.fatal({ err: cause instanceof Error ? cause : new Error(String(cause)) }, message)
  process.exit(1)
}
process.on('uncaughtException', (error) => fail(error, 'an error that nobody caught; stopping'))
process.on('unhandledRejection', (reason) => fail(reason, 'a failure that nobody handled; stopping'))
// A terminal and some supervisors send these to every process.
process.on('SIGINT', () => {}).on('SIGTERM', () => {})
// A process that outlives the first one would keep the port.
process.on('disconnect', () => process.exit(1))

let server: Promise<RunningServer> | undefined
let accepts = false
const channel = new Channel(
  (message, handle) => void process.send?.(message, handle, {}, () => {}),
  async () => {
    const running = await server
    return running ? [await running.parley.siblings.ownMetrics()] : []
  },
)
process.on('message', (message: ProcessMessage, handle) => {
  channel.hear(message)
  void follow(message, Object(handle))
})

async function follow(message: ProcessMessage, listener: object): Promise<void> {
  if (message.kind === 'start') {
    const { number, baseUrl, connection } = message
    const otherMetrics = () => channel.askForMetrics()
    server = startServer(config, (reason) => fail(reason, 'the database is lost; stopping'), {
      number,
      listener,
      baseUrl,
      connection,
      otherMetrics,
      onListening: () => {
        accepts = true
      },
    })
    return
  }
  // A process that still starts has accepted no connection; the others accept those that wait.
  if (message.kind === 'stop' && !accepts) process.exit(0)
  const running = await server
  if (message.kind === 'drain') running?.parley.draining.announce()
  if (message.kind !== 'stop') return
  await running?.stopAccepting()
  channel.tell({ kind: 'not accepting' })
  await running?.stop()
  process.exit(0)
}
