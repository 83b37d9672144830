// Says again what people say. Run it with the credentials of a static-key bot in polling mode:
//
//   PARLEY_URL=http://127.0.0.1:8080 PARLEY_API_KEY=… PARLEY_API_SECRET=… node examples/echo-by-polling.mjs
//
// The offset is kept in a file, so that a restart goes on where it stopped. It is written after the work is done:
// a crash in between repeats an event and loses none, and echo() makes a repeat harmless.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { echo } from './echo.mjs'
import { connect } from './parley-client.mjs'

const OFFSET_FILE = process.env.OFFSET_FILE ?? 'echo.offset'
const parley = connect()
const me = await parley('GET', '/v2/members/me')
let offset = await readFile(OFFSET_FILE, 'utf8').catch(() => undefined)
console.log(`${me.name} listens.`)

for (;;) {
  try {
    const { updates, nextOffset } = await parley(
      'GET',
      `/v2/updates?timeout=30${offset ? `&offset=${offset}` : ''}`,
    )
    for (const { updateId, eventType, data } of updates)
      await echo(parley, { id: updateId, type: eventType, data })
    offset = nextOffset
    await writeFile(`${OFFSET_FILE}.new`, offset)
    await rename(`${OFFSET_FILE}.new`, OFFSET_FILE)
  } catch (error) {
    if (error.status === 409 && /offset/.test(error.message)) {
      offset = undefined // away for longer than events are kept: go on with the oldest there is
      continue
    }
    console.error(`${error.message}; trying again`)
    await sleep(1000)
  }
}
