import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newUuid } from '../../server/ids.ts'
import { type Answer, call } from '../support/client.ts'
import { form } from '../support/forms.ts'
import { photo, plain, stripes } from '../support/samples.ts'
import { type ServerProcess, startServerProcess, stopAll } from '../support/server-process.ts'

const UPLOADS = 150
const HOSTILE = 20
/** How many times longer a neighbour's slowest uploads may take beside the attack. */
const PATIENCE = 3

type Sender = { topicId: string; credentials: { apiKey: string; apiSecret: string } }

let dataDir: string
let server: ServerProcess
let ada: Sender
let mallory: Sender
let picture: Buffer

// A server for each, as people run it: the leftover work of an attack is not part of the next one's quiet.
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-images-'))
  server = await startServerProcess({ DATA_DIR: dataDir, AGENT_SIGNUP: 'on' })
  ;[ada, mallory] = [await signUp('Ada Labs'), await signUp('Mallory')]
  picture = await photo(await stripes(1200, 900))
})
afterEach(async () => {
  await stopAll()
  await rm(dataDir, { recursive: true, force: true })
})

const signup = (companyName = 'Mallory') => ({
  companyName,
  humanEmail: `${newUuid()}@example.com`,
  companySize: 1,
  industry: 'Noise',
  botName: 'Sender',
})

async function signUp(companyName: string): Promise<Sender> {
  const { body } = await call(server.url, undefined, 'POST', '/v2/agentic/organization/create', {
    body: signup(companyName),
  })
  const { credentials, channelId } = Object(body)
  return { topicId: channelId, credentials }
}

function upload({ topicId, credentials }: Sender, content: Buffer): Promise<Answer> {
  const { body, contentType } = form({ topicId }, [{ content }])
  return call(server.url, credentials, 'POST', '/v2/messages', {
    body,
    headers: { 'content-type': contentType },
  })
}

/** The slowest but one in a hundred and fifty, in ms: a single pause of the machine tells nothing. */
async function p99OfUploads(): Promise<number> {
  const times: number[] = []
  for (let sent = 0; sent < UPLOADS; sent++) {
    const began = performance.now()
    const answer = await upload(ada, picture)
    expect(answer.status, answer.text).toBe(200)
    times.push(performance.now() - began)
  }
  return times.sort((one, other) => one - other)[Math.ceil(UPLOADS * 0.99) - 1] ?? 0
}

/** Keeps twenty of these requests running while `work` runs. */
async function beside<Result>(attack: () => Promise<unknown>, work: () => Promise<Result>): Promise<Result> {
  let goesOn = true
  const attackers = Array.from({ length: HOSTILE }, async () => {
    while (goesOn) await attack()
  })
  try {
    return await work()
  } finally {
    goesOn = false
    await Promise.all(attackers)
  }
}

async function compare(what: string, statuses: number[], attack: () => Promise<Answer>): Promise<void> {
  const answers = new Map<number, number>()
  await p99OfUploads() // everything is loaded
  const quiet = await p99OfUploads()
  const attacked = await beside(async () => {
    const { status } = await attack()
    answers.set(status, (answers.get(status) ?? 0) + 1)
  }, p99OfUploads)
  expect([...answers.keys()].sort(), 'the attack is what it was meant to be').toEqual(statuses)
  const figures = `${quiet.toFixed(0)} ms quiet, ${attacked.toFixed(0)} ms beside ${[...answers].join('; ')}`
  console.log(`${what}: p99 of a neighbour's upload ${figures}`)
  expect(attacked).toBeLessThan(PATIENCE * quiet)
}

describe("a neighbour's upload", () => {
  it('beside twenty AVIFs of 16 megapixels, as many as are taken', async () => {
    const content = await plain(4000, 4000).avif({ effort: 0 }).toBuffer()
    await compare('20 AVIFs at the limit', [200], () => upload(mallory, content))
  })

  it('beside twenty logos of 100 megapixels, and of the most that is taken', async () => {
    const huge = await sharp({
      create: { width: 10_000, height: 10_000, channels: 3, background: '#3366cc' },
    })
      .png()
      .toBuffer()
    const allowed = await plain(4096, 4096).png({ progressive: true }).toBuffer()
    let sent = 0
    await compare('20 logos', [201, 400], () => {
      const content = ++sent % 2 === 0 ? huge : allowed
      const { body, contentType } = form(signup(), [{ content }], { metaPart: 'metadata' })
      const headers = { 'content-type': contentType }
      return call(server.url, undefined, 'POST', '/v2/agentic/organization/create', { body, headers })
    })
  })
})
