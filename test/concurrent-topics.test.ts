import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import type { Answer } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson, visitor } from './support/people.ts'
import { openStream } from './support/stream.ts'
import { countOf } from './support/thorough.ts'

/** How often each change is made while others write. */
const ROUNDS = countOf(2, 12)
/** Writers of the busy organization: they keep flushes under way, so that messages of others wait and share one. */
const BUSY_WRITERS = 6

/** Changes of one topic or of one bot leave messages into other topics alone: each of them is accepted. */
describe.each([1, 2])('with %i node(s), while another organization is busy', (nodes) => {
  let server: TestParley
  let urls: string[]
  let crowd: { stop(): Promise<void> }
  let admin: TestPerson
  let writer: StaticTestBot
  let other: StaticTestBot
  let topicIds: string[]

  beforeAll(async () => {
    server = await startTestParley()
    const second = nodes === 2 ? [await server.secondNode()] : []
    urls = [server, ...second].map(({ url }) => url)
    crowd = await startCrowd(server, urls)
    const orgId = await organization(server, 'Quiet company')
    admin = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
    writer = await staticBot(server, orgId, 'Writer')
    other = await staticBot(server, orgId, 'Other')
    topicIds = [await newTopic(), await newTopic()]
  })
  afterAll(async () => {
    await crowd.stop()
    await server.close()
  })

  const newTopic = async (): Promise<string> => {
    const { status, text, body } = await writer.post('/v2/topics', {
      name: 'Topic',
      members: [other.id, admin.profileId],
    })
    expect(status, text).toBe(201)
    return Object(body).id
  }
  /** Sends a message of each bot into each of these topics at the same time, through every node. */
  const writeInto = (...ids: string[]): Promise<Answer[]> =>
    Promise.all(
      urls.flatMap((url) =>
        ids.flatMap((topicId) =>
          [writer, other].map((bot) => at(url, bot).post('/v2/messages', { topicId, text: 'Hello' })),
        ),
      ),
    )
  const inConsole = (path: string) => `/people/organizations/${writer.orgId}${path}`

  /**
   * Writes into topics that stay as they are while `change` is under way, and after it: first into one alone, so that a node has read
   * that one only, then into both. `change` is called with the numbers from 0.
   */
  async function writeBeside(change: (number: number) => Promise<Answer>): Promise<void> {
    const answers: Answer[] = []
    const changes: Answer[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const [first = ''] = topicIds
      const [changed, written] = await Promise.all([change(2 * round), writeInto(first)])
      answers.push(...written, ...(await writeInto(first)))
      changes.push(changed, await change(2 * round + 1))
      answers.push(...(await writeInto(...topicIds)))
    }
    expect(tally(changes)).toEqual({ 200: changes.length })
    expect(tally(answers)).toEqual({ 201: answers.length })
  }

  it('accepts messages into a topic and into one that was just created', async () => {
    const answers: Answer[] = []
    for (let round = 0; round < ROUNDS; round++) {
      answers.push(...(await writeInto(...topicIds)))
      const created = await newTopic()
      answers.push(...(await writeInto(...topicIds, created)))
    }
    expect(tally(answers)).toEqual({ 201: answers.length })
  })

  it('accepts messages while members of another topic come and go', async () => {
    const elsewhere = await newTopic()
    const guest = await staticBot(server, writer.orgId, 'Guest')
    const change = { memberIds: [guest.id] }
    await writeBeside((number) =>
      number % 2 === 0
        ? writer.post(`/v2/topics/${elsewhere}/members`, change)
        : writer.delete(`/v2/topics/${elsewhere}/members`, change),
    )
  })

  it('accepts messages of bots that are being renamed', async () => {
    await writeBeside((number) =>
      admin.patch(inConsole(`/bots/${other.id}`), { name: `Other, name ${number}` }),
    )
  })

  it('accepts messages while another topic is archived and brought back', async () => {
    const elsewhere = await newTopic()
    await writeBeside((number) =>
      admin.patch(inConsole(`/topics/${elsewhere}`), { archived: number % 2 === 0 }),
    )
  })
})

it('tells a live stream at another node of messages into two topics at once, after a bot was renamed', async () => {
  const server = await startTestParley()
  const beside = await server.secondNode()
  const orgId = await organization(server)
  const admin = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  const bot = await staticBot(server, orgId, 'Writer')
  const topicIds: string[] = []
  for (let number = 0; number <= ROUNDS; number++) {
    const { body } = await bot.post('/v2/topics', { name: `Topic ${number}`, members: [admin.profileId] })
    topicIds.push(Object(body).id)
  }
  const [known = '', ...unknown] = topicIds
  const stream = await openStream(visitor(beside.url, admin.cookies), orgId)
  await stream.next(({ event }) => event === 'reset')
  const heard = (text: string) => stream.next(({ data }) => Object(data).message?.text === text)
  const write = (topicId: string, text: string) => bot.post('/v2/messages', { topicId, text })
  const texts: string[] = []
  for (const [round, topicId] of unknown.entries()) {
    await write(known, `Before ${round}`)
    await heard(`Before ${round}`)
    await admin.patch(`/people/organizations/${orgId}/bots/${bot.id}`, { name: `Name ${round}` })
    const first = write(known, `First ${round}`) // nothing is under way: it is written at once, and the second one after it
    const answers = await Promise.all([first, write(topicId, `Second ${round}`)])
    expect(tally(answers)).toEqual({ 201: 2 })
    texts.push(`First ${round}`, `Second ${round}`)
  }
  await write(known, 'Witness')
  await heard('Witness')
  const told = new Set(stream.seen.map(({ data }) => Object(data).message?.text))
  expect(texts.filter((text) => !told.has(text))).toEqual([])
  stream.close()
  await server.close()
})

/** Bots that write without a pause until they are stopped, in an organization of their own. */
async function startCrowd(server: TestParley, urls: readonly string[]): Promise<{ stop(): Promise<void> }> {
  const orgId = await organization(server, 'Busy company')
  let isOver = false
  const writing = Array.from({ length: BUSY_WRITERS }, async (_, number) => {
    const bot = await staticBot(server, orgId, `Writer ${number}`)
    const { body } = await bot.post('/v2/topics', { name: `Topic ${number}`, members: [] })
    for (let message = 0; !isOver; message++) {
      const url = urls[message % urls.length] ?? ''
      await at(url, bot).post('/v2/messages', { topicId: Object(body).id, text: `Message ${message}` })
    }
  })
  return {
    async stop() {
      isOver = true
      await Promise.all(writing)
    },
  }
}

/** Counts of each status; refusals by their text. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, text } of answers) {
    const name = status < 400 ? String(status) : `${status} ${text}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
