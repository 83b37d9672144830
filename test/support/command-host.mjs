// Runs commands of the program one after the other in this process, which loads the program once. command-line.ts starts it.
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { buildIfStale } from '../../bin/build.mjs'

const LOOK_EVERY_MS = 5
/** How long what a command used may take to be closed. */
const PATIENCE_MS = 5000
const SIGNALS = ['SIGINT', 'SIGTERM']

const { main } = await import(pathToFileURL(`${await buildIfStale()}/parley.js`).href)
const resources = () => process.getActiveResourcesInfo().sort().join(', ')

/** Output of the running command. */
let written
for (const name of ['stdout', 'stderr'])
  process[name].write = (text) => {
    written[name] += text
    return true
  }

async function run({ id, args, environment }) {
  written = { stdout: '', stderr: '' }
  for (const name of Object.keys(process.env)) delete process.env[name]
  Object.assign(process.env, environment)
  await main(args)
  const code = process.exitCode ?? 0
  process.exitCode = undefined
  for (const signal of SIGNALS) process.removeAllListeners(signal)
  process.send({ id, result: { code, ...written }, leftOpen: await findLeftOpen() })
}

/** Returns the open handles that would keep the process of a command from ending: those that this process does not have while it waits. */
async function findLeftOpen() {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(LOOK_EVERY_MS))
    if (resources() === idle) return undefined
  return resources()
}

let last = Promise.resolve()
process.on('disconnect', () => process.exit())
process.on('message', (asked) => {
  last = last.then(() => run(asked))
})
await sleep(LOOK_EVERY_MS)
const idle = resources()
process.send('ready')
