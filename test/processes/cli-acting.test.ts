import { writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { visitor } from '../support/people.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'

const NOBODY = '00000000-0000-4000-8000-000000000000'

let parley: CommandLine
let beside: { DATA_DIR: string }
let url: string
let org: string
let inviteToken: string
let ada: string
let bot: { botId: string; apiKey: string; apiSecret: string }
let receiver: Receiver

/** Sets up Ada, a bot and a running server that may send webhooks to this machine. */
beforeAll(async () => {
  parley = await openCommandLine()
  beside = { DATA_DIR: await migratedFolder('parley-cli-acting-') }
  receiver = await startReceiver()
  const server = await parley.start({
    ...beside,
    PORT: '0',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
  })
  url = server.said.address ?? ''
  const made = await parley.json(
    ['org', 'create', '--name', 'Mill', '--admin-email', 'bo@example.com'],
    beside,
  )
  org = made.organizationId ?? ''
  inviteToken = made.inviteUrl?.split('#')[1] ?? ''
  const person = ['--name', 'Ada', '--email', 'ada@example.com', '--status', 'Active']
  ada = (await parley.json(['member', 'add', '--org', org, ...person], beside)).profileId ?? ''
  bot = Object(
    await parley.json(['bot', 'create', '--org', org, '--name', 'Bo', '--credential', 'static'], beside),
  )
})
afterAll(async () => {
  await parley?.close()
  await receiver?.close()
  await rm(beside.DATA_DIR, { recursive: true, force: true, maxRetries: 5 })
})

const read = async (path: string) => Object((await call(url, bot, 'GET', path)).body)
const createTopic = async (...options: string[]) =>
  (
    await parley.json(
      ['topic', 'create', '--org', org, '--members', `${ada},${bot.botId}`, ...options],
      beside,
    )
  ).topicId ?? ''
const send = (topic: string, ...options: string[]) =>
  parley.json(['message', 'send', '--org', org, '--topic', topic, '--from', ada, ...options], beside)
const refused = async (args: string[]) => {
  const { code, stderr } = await parley.run(args, beside)
  return [code, stderr.split('\n')[0]]
}

describe('acting as a person', () => {
  it('creates topics, announcements and direct messages that the bot can read', async () => {
    const topic = await read(`/v2/topics/${await createTopic('--name', 'News', '--announcement', 'true')}`)
    expect(topic).toMatchObject({ name: 'News', type: 'topic', properties: ['announcement'] })
    expect([...topic.memberIds].sort()).toEqual([ada, bot.botId].sort())
    expect(await read(`/v2/topics/${await createTopic('--type', 'dm')}`)).toMatchObject({
      name: 'Ada',
      type: 'dm',
    })
  })

  it('refuses topics that make no sense', async () => {
    const args = ['topic', 'create', '--org', org, '--members']
    expect(await refused([...args, ada])).toEqual([1, 'A topic needs a name: --name TEXT.'])
    expect(await refused([...args, ada, '--type', 'dm'])).toEqual([
      1,
      'A direct message has two members: --members A,B.',
    ])
    expect(await refused([...args, NOBODY, '--name', 'X'])).toEqual([1, 'Invalid member'])
  })

  it('sends texts, places and contacts, and a waiting bot gets them at once', async () => {
    const topic = await createTopic('--name', 'Chat')
    const { nextOffset } = await read('/v2/updates?limit=100')
    const waiting = read(`/v2/updates?timeout=30&offset=${nextOffset}`)
    const { messageId } = await send(topic, '--text', 'hello')
    expect((await waiting).updates).toMatchObject([
      { data: { message: { id: messageId, text: 'hello', senderId: ada } } },
    ])
    const place = await send(topic, '--location', '52.52,-13.405')
    expect(await read(`/v2/messages/${place.messageId}`)).toMatchObject({
      type: 'location',
      location: { latitude: '52.52', longitude: '-13.405' },
    })
    const contact = await send(topic, '--contact', 'Grace')
    expect(await read(`/v2/messages/${contact.messageId}`)).toMatchObject({
      type: 'contact',
      contact: { name: 'Grace' },
    })
  })

  it('sends a file with a caption, whatever it is called, and refuses one that is missing or empty', async () => {
    const topic = await createTopic('--name', 'Files')
    const file = (name: string, content: string) => {
      writeFileSync(join(beside.DATA_DIR, name), content)
      return join(beside.DATA_DIR, name)
    }
    const { messageId } = await send(
      topic,
      '--file',
      file('plan.txt', 'first this, then that'),
      '--text',
      'Plan',
    )
    await eventually(() => read(`/v2/messages/${messageId}`)).toMatchObject({ type: 'file', text: 'Plan' })
    const { attachmentDetails } = await read(`/v2/messages/${messageId}`)
    expect(attachmentDetails).toMatchObject([{ name: 'plan.txt', size: 21 }])
    expect(await (await fetch(attachmentDetails[0].url)).text()).toBe('first this, then that')

    const refusedFile = (path: string) =>
      refused(['message', 'send', '--org', org, '--topic', topic, '--from', ada, '--file', path])
    expect(await refusedFile('/nowhere')).toEqual([1, 'There is no file at /nowhere.'])
    const empty = file('empty', '')
    expect(await refusedFile(empty)).toEqual([1, `${empty} is empty.`])
    const misnamed = await send(topic, '--file', file('page.png', '<p>'))
    await eventually(() => read(`/v2/messages/${misnamed.messageId}`)).toMatchObject({ type: 'file' })
  })

  it('refuses to send nothing, two things, or into a topic that the person is not in', async () => {
    const topic = await createTopic('--name', 'Chat')
    const args = ['message', 'send', '--org', org, '--topic', topic, '--from', ada]
    const one = 'Say one thing: --text TEXT, --file PATH, --location LAT,LONG or --contact NAME.'
    expect(await refused(args)).toEqual([2, one])
    expect(await refused([...args, '--text', 'a', '--contact', 'b'])).toEqual([2, one])
    expect((await refused([...args, '--location', '91,0']))[0]).toBe(2)
    const elsewhere = ['message', 'send', '--org', org, '--topic', NOBODY, '--from', ada, '--text', 'a']
    expect(await refused(elsewhere)).toEqual([1, 'Topic not found'])
  })

  it('creates org units, and closes polls', async () => {
    const options = [
      '--name',
      'Millers',
      '--tag',
      'millers',
      '--type',
      'Team',
      '--members',
      `${ada},${bot.botId}`,
    ]
    const { orgUnitId } = await parley.json(['org-unit', 'create', '--org', org, ...options], beside)
    expect(await read(`/v2/org-units/${orgUnitId}`)).toMatchObject({
      name: 'Millers',
      tag: 'millers',
      type: 'Team',
    })
    expect(await refused(['org-unit', 'create', '--org', org, ...options])).toEqual([1, 'tag already exists'])

    const topicId = await createTopic('--name', 'Votes')
    const body = { topicId, question: 'Tea?', options: ['yes', 'no'], selectionType: 'single' }
    const poll = Object((await call(url, bot, 'POST', '/v2/polls', { body })).body)
    expect(await parley.json(['poll', 'close', '--poll', poll.id], beside)).toEqual({
      pollId: poll.id,
      status: 'closed',
    })
    const vote = await call(url, bot, 'POST', `/v2/polls/${poll.id}/votes`, {
      body: { optionId: poll.options[0].id },
    })
    expect([vote.status, vote.body]).toEqual([400, 'poll is closed'])
    expect((await refused(['poll', 'close', '--poll', NOBODY]))[0]).toBe(1)
  })
})

describe('looking at events', () => {
  it('shows the latest of a bot', async () => {
    const topic = await createTopic('--name', 'Seen')
    await send(topic, '--text', 'look at me')
    const { events } = Object(
      await parley.json(['events', 'tail', '--bot', bot.botId, '--count', '1'], beside),
    )
    expect(events).toMatchObject([
      { eventType: 'message.created', data: { message: { text: 'look at me' } } },
    ])
    const { stdout } = await parley.run(['events', 'tail', '--bot', bot.botId, '--count', '1'], beside)
    expect(stdout).toMatch(/^\d{4}-\d\d-\d\dT.* {2}message\.created .*look at me/)
  })

  it('lists deliveries, shows their attempts and sends them again', async () => {
    const set = ['--delivery', 'webhook', '--webhook-url', receiver.url]
    const hook = Object(
      await parley.json(
        ['bot', 'create', '--org', org, '--name', 'Hook', '--credential', 'static', ...set],
        beside,
      ),
    )
    const args = ['topic', 'create', '--org', org, '--name', 'Hooked', '--members', `${ada},${hook.botId}`]
    const { topicId = '' } = await parley.json(args, beside)
    await send(topicId, '--text', 'deliver me')
    const [, message] = await receiver.has(2)
    const list = () =>
      parley.json(['deliveries', 'list', '--bot', hook.botId, '--state', 'delivered'], beside)
    await eventually(async () => Object(await list()).deliveries.length).toBe(2)
    const [delivery] = Object(await list()).deliveries
    expect(delivery.id).toBe(message?.headers['x-service-delivery-id'])
    const show = ['deliveries', 'show', '--bot', hook.botId, '--delivery', delivery.id]
    expect(await parley.json(show, beside)).toMatchObject({
      state: 'delivered',
      history: [{ outcome: 'ok', status: 200 }],
    })

    await parley.json(['deliveries', 'replay', '--bot', hook.botId, '--delivery', delivery.id], beside)
    const [, , again] = await receiver.has(3)
    expect(again?.headers['x-service-delivery-id']).toBe(delivery.id)
    expect(await refused(['deliveries', 'replay', '--bot', hook.botId])).toEqual([
      2,
      'Say what to send again: --delivery ID, or --from TIME.',
    ])
    expect((await refused(['deliveries', 'show', '--bot', hook.botId, '--delivery', NOBODY]))[0]).toBe(1)

    const further = await addAddress(hook.botId)
    expect(await parley.json(['bot', 'addresses', '--bot', hook.botId], beside)).toEqual({
      botId: hook.botId,
      webhookUrl: receiver.url,
      addresses: [{ id: further, url: `${receiver.url}/further` }],
    })
    const { stdout } = await parley.run(['bot', 'addresses', '--bot', hook.botId], beside)
    expect(stdout).toMatch(new RegExp(`^ *first +${receiver.url}\n *${further} +${receiver.url}/further\n`))
    expect((await parley.run(['bot', 'addresses', '--bot', bot.botId], beside)).stdout).toContain(
      'has no address',
    )

    const there = ['--bot', hook.botId, '--address', further]
    const listed = async () => Object(await parley.json(['deliveries', 'list', ...there], beside)).deliveries
    expect(await listed(), 'what was before it').toEqual([])
    await send(topicId, '--text', 'to both')
    await receiver.has(5)
    await eventually(async () => (await listed()).length).toBe(1)
    const since = new Date(0).toISOString()
    const replayed = await parley.json(['deliveries', 'replay', ...there, '--from', since], beside)
    expect(Number(replayed.replayed)).toBeGreaterThan(0)
    expect(await parley.json(['deliveries', 'resume', ...there], beside)).toEqual({ botId: hook.botId })
    const unknown = ['--bot', hook.botId, '--address', `w@${NOBODY}`]
    for (const command of [['list'], ['resume'], ['replay', '--from', since]]) {
      const [code, said] = await refused(['deliveries', ...command, ...unknown])
      expect([code, said]).toEqual([1, expect.stringContaining(`no further address w@${NOBODY}`)])
    }
  })

  /** Adds an address as an admin does in the console. */
  async function addAddress(botId: string): Promise<string> {
    const admin = visitor(url)
    const accepted = { token: inviteToken, name: 'Bo', password: 'four plain words here' }
    expect((await admin.post('/people/invitations/accept', accepted)).status).toBe(200)
    const made = await admin.post(
      `/people/organizations/${org}/bots/${encodeURIComponent(botId)}/addresses`,
      {
        url: `${receiver.url}/further`,
      },
    )
    expect(made.status, made.text).toBe(201)
    return Object(made.body).address.id
  }
})
