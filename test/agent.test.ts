import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type AgentOptions, runAgent } from '../agent/run.ts'
import type { Message } from '../contract/message.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { eventually, eventuallyHolds } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { itAtNight } from './support/thorough.ts'

const AGENT = fileURLToPath(new URL('support/scripted-agent.mjs', import.meta.url))

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let base: string
let count = 0
const ends: (() => Promise<void>)[] = []

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  base = await mkdtemp(join(tmpdir(), 'parley-agent-'))
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})
afterAll(async () => {
  await server.close()
  await rm(base, { recursive: true, force: true })
})

type Coder = {
  bot: StaticTestBot
  folder: string
  log: string[]
  /** Runs the program until it is ended, with the same bot and folder each time. */
  run(changes?: Partial<AgentOptions>): Promise<{ end: () => Promise<void>; ready: string }>
  ledger(): Promise<string[]>
}

/** A bot for the scripted agent, with a folder of its own. */
async function coder(environment: NodeJS.ProcessEnv = {}): Promise<Coder> {
  count += 1
  const bot = await staticBot(server, orgId, `Coder ${count}`)
  const own = join(base, String(count))
  const folder = join(own, 'work')
  const log: string[] = []
  const ledger = join(own, 'ledger')
  await mkdir(folder, { recursive: true })
  return {
    bot,
    folder,
    log,
    async run(changes = {}) {
      const stopping = new AbortController()
      const { apiKey, apiSecret } = bot.credentials
      let ready: (line: string) => void = () => {}
      const isReady = new Promise<string>((resolve) => {
        ready = resolve
      })
      const running = runAgent({
        command: [process.execPath, AGENT],
        folder,
        isShared: false,
        approvers: 'asker',
        askers: undefined,
        passed: [],
        environment: {
          PATH: process.env.PATH ?? '',
          PARLEY_API_SECRET: apiSecret,
          AGENT_SESSIONS: join(own, 'sessions'),
          AGENT_LEDGER: ledger,
          ...environment,
        },
        credentials: { url: server.url, apiKey, apiSecret },
        onReady: (line) => ready(line),
        log: (line) => log.push(line),
        signal: stopping.signal,
        ...changes,
      })
      const end = async () => {
        stopping.abort()
        await running
      }
      ends.push(end)
      return { end, ready: await Promise.race([isReady, running.then(() => 'it ended')]) }
    },
    ledger: async () => (await readFile(ledger, 'utf8')).trim().split('\n'),
  }
}

/** A topic of Ada and Ben with the bot. */
async function topicWith({ bot }: Coder, name = 'Releases'): Promise<string> {
  const members = [ada.profileId, ben.profileId]
  return Object((await bot.post('/v2/topics', { name, members })).body).id
}
async function say(who: TestPerson, topicId: string, text: string, parentId?: string): Promise<string> {
  const {
    status,
    body,
    text: said,
  } = await chatOf(who).post('messages', {
    topicId,
    text,
    ...(parentId !== undefined && { parentId }),
  })
  expect(status, said).toBe(201)
  return Object(body).id
}
const mention = ({ bot }: Coder, text: string) => `<@${bot.id}> ${text}`
/** Messages of the bot in a thread that have ended, the oldest first. */
async function answersIn({ bot }: Coder, topicId: string, threadId?: string): Promise<Message[]> {
  const thread = threadId === undefined ? '' : `&threadId=${threadId}`
  const { body } = await bot.get(
    `/v2/topics/${topicId}/messages?senderId=${bot.id}&order=asc&limit=100${thread}`,
  )
  return Object(body).messages
}
async function answersTo(own: Coder, topicId: string, threadId: string, amount = 1): Promise<Message[]> {
  await eventually(async () => (await answersIn(own, topicId, threadId)).length).toBeGreaterThanOrEqual(
    amount,
  )
  return answersIn(own, topicId, threadId)
}
async function answerTo(own: Coder, topicId: string, threadId: string): Promise<Message> {
  const [first] = await answersTo(own, topicId, threadId)
  if (!first) throw new Error('there is no answer')
  return first
}
/** Messages of a topic that a person sees being written. */
const seenBy = async (who: TestPerson, topicId: string): Promise<Message[]> =>
  Object((await chatOf(who).get('streaming')).body)
    .streaming.map(({ message }: { message: Message }) => message)
    .filter((message: Message) => message.topicId === topicId)
async function written(who: TestPerson, topicId: string, text: string): Promise<Message> {
  await eventually(async () => (await seenBy(who, topicId)).map((message) => message.text)).toContain(text)
  const found = (await seenBy(who, topicId)).find((message) => message.text === text)
  if (!found) throw new Error('it has ended')
  return found
}
const stopIt = (who: TestPerson, { id }: Message) => chatOf(who).post(`streaming/${id}/stop`)
async function questionIn(own: Coder, topicId: string): Promise<Message> {
  const open = async () =>
    (await answersIn(own, topicId)).filter(({ actions }) => actions && !actions.outcome)
  await eventually(async () => (await open()).length).toBe(1)
  const [question] = await open()
  if (!question) throw new Error('there is no question')
  return question
}
async function press(who: TestPerson, messageId: string, elementId: string) {
  const { actions } = Object((await chatOf(who).get(`messages/${messageId}`)).body)
  return chatOf(who).post(`actions/${messageId}/press`, {
    actionsId: actions.id,
    hash: actions.hash,
    elementId,
  })
}

describe('a mention', () => {
  it('begins a session in a thread, whose answer streams, and goes on with it', async () => {
    const own = await coder()
    const { ready } = await own.run()
    expect(ready).toContain(`Connected as "Coder ${count}" (${own.bot.id}), with Scripted Agent 1.0.0`)
    const topicId = await topicWith(own)
    const first = await say(ada, topicId, mention(own, 'say Hello from the agent'))
    expect(await answerTo(own, topicId, first)).toMatchObject({
      text: 'Hello from the agent',
      parentId: first,
    })
    await say(ben, topicId, 'I think so too', first)
    await say(ada, topicId, mention(own, 'blocks'), first)
    const [, second] = await answersTo(own, topicId, first, 2)
    expect(JSON.parse(second?.text ?? '')).toEqual([
      'Said in this conversation before:\n\nBen: I think so too',
      'blocks',
    ])
    const ledger = await own.ledger()
    expect(ledger.filter((line) => line.startsWith('new'))).toHaveLength(2) // one of them to see the commands
    expect(ledger.filter((line) => line.startsWith('prompt'))).toEqual([
      'prompt say Hello from the agent',
      'prompt blocks',
    ])
    expect(existsSync(join(own.folder, topicId))).toBe(true)
  })

  it('of somebody else, a message without one, and what bots say are no requests', async () => {
    const own = await coder()
    await own.run({ askers: ['ada@example.com'] })
    const topicId = await topicWith(own)
    const other = await staticBot(server, orgId, 'Other bot')
    await own.bot.post(`/v2/topics/${topicId}/members`, { memberIds: [other.id] })
    await say(ada, topicId, 'say nothing to the agent')
    await other.post('/v2/messages', { topicId, text: mention(own, 'say what a bot wants') })
    const refused = await say(ben, topicId, mention(own, 'say what Ben wants'))
    expect((await answerTo(own, topicId, refused)).text).toContain('You may not give this agent work')
    const allowed = await say(ada, topicId, mention(own, 'say what Ada wants'))
    expect((await answerTo(own, topicId, allowed)).text).toBe('what Ada wants')
    const prompts = (await own.ledger()).filter((line) => line.startsWith('prompt'))
    expect(prompts).toEqual(['prompt say what Ada wants'])
  })

  it('is not needed in a direct message, which is one session', async () => {
    const own = await coder()
    await own.run()
    const { body } = await chatOf(ada).post('direct-messages', { memberIds: [own.bot.id] })
    const topicId: string = Object(body).id
    await say(ada, topicId, 'say one')
    await eventually(async () => (await answersIn(own, topicId)).map(({ text }) => text)).toEqual(['one'])
    await say(ada, topicId, 'blocks')
    await eventually(async () => (await answersIn(own, topicId)).at(-1)?.text).toBe('["blocks"]')
    expect((await answersIn(own, topicId)).map(({ parentId }) => parentId)).toEqual([undefined, undefined])
  })

  it('is answered beside one in another topic', async () => {
    const own = await coder()
    await own.run()
    const [one, other] = [await topicWith(own, 'One'), await topicWith(own, 'Other')]
    await say(ada, one, mention(own, 'wait'))
    const waiting = await written(ada, one, 'I am waiting.')
    const second = await say(ben, other, mention(own, 'say done'))
    expect((await answerTo(own, other, second)).text).toBe('done')
    expect((await stopIt(ada, waiting)).status).toBe(204)
  })
})

describe('an answer', () => {
  it('shows plans and tools as steps', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'plan'))
    const answer = await answerTo(own, topicId, asked)
    expect(answer.text).toBe('I have read it.\n\nAnd changed it.')
    expect(answer.steps).toEqual([
      { id: 'plan-1', title: 'Read', status: 'done' },
      { id: 'plan-2', title: 'Change', status: 'done' },
      { id: 'plan-3', title: 'Test', status: 'done' },
      { id: 'call-1', title: 'Open notes.md', status: 'done', details: 'notes.md:3', output: 'three lines' },
    ])
  })

  it('is cancelled by Stop, and keeps what was there', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'wait'))
    const waiting = await written(ben, topicId, 'I am waiting.')
    expect((await stopIt(ben, waiting)).status).toBe(204)
    await eventually(async () =>
      (await own.ledger()).filter((line) => line.startsWith('cancel')),
    ).toHaveLength(1)
    expect(await answerTo(own, topicId, asked)).toMatchObject({
      text: 'I am waiting.',
      stream: { status: 'stopped', stoppedBy: ben.profileId },
    })
    await say(ada, topicId, mention(own, 'say on we go'), asked)
    expect((await answersTo(own, topicId, asked, 2))[1]?.text).toBe('on we go')
    expect((await own.ledger()).filter((line) => line.startsWith('new'))).toHaveLength(2)
  })

  it('that is long goes on in further messages, and says where it is cut', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'long 60000'))
    const answers = await answersTo(own, topicId, asked, 5)
    expect(answers).toHaveLength(5)
    const texts = answers.map(({ text }) => text)
    expect(texts.map((text) => text.length).slice(0, 4)).toEqual([9500, 9500, 9500, 9500])
    expect(texts[4]).toMatch(/9\n\n_The answer was longer; the rest is not shown\._$/)
  })

  itAtNight('survives a flood of updates', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'flood 20000'))
    const answers = await answersTo(own, topicId, asked, 5)
    expect(answers.at(-1)?.steps).toHaveLength(30)
    expect(answers.map(({ text }) => text).join('')).toContain('the rest is not shown')
  })

  it('mentions nobody, however the agent cuts its text', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const pieces = ['Ask <', '@', ben.profileId.slice(0, 9), `${ben.profileId.slice(9)}>`, ' or List<@A> <']
    const asked = await say(ada, topicId, mention(own, `pieces ${JSON.stringify(pieces)}`))
    const answer = await answerTo(own, topicId, asked)
    expect(answer.text).toBe(`Ask @${ben.profileId} or List<@A> <`)
    expect(answer.mentions).toEqual([])
  })

  itAtNight(
    'of an agent that never ends is given up a while after Stop, and the thread goes on',
    async () => {
      const own = await coder()
      await own.run()
      const topicId = await topicWith(own)
      const asked = await say(ada, topicId, mention(own, 'stubborn'))
      await stopIt(ada, await written(ada, topicId, 'I go on.'))
      await say(ada, topicId, mention(own, 'blocks'), asked)
      const [, second] = await answersTo(own, topicId, asked, 2)
      expect(JSON.parse(second?.text ?? '')[0]).toContain(`Ada: @Coder ${count} stubborn`)
      expect(own.log.join('\n')).toContain('goes on in a new session')
    },
    30_000,
  )
})

describe('a permission', () => {
  it('is asked of the person who asked, and of nobody else', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ben, topicId, mention(own, 'permit Run **all** tests \u202eyltneis'))
    const question = await questionIn(own, topicId)
    expect(question).toMatchObject({
      parentId: asked,
      actions: { who: 'people', people: [ben.profileId], approval: true },
    })
    expect(question.text).toContain('Run ∗∗all∗∗ tests ⟨U+202E⟩yltneis')
    expect(question.text).toContain('"command": "npm test"')
    expect((await press(ada, question.id, 'option-1')).status).toBe(403)
    expect((await press(ben, question.id, 'option-1')).status).toBe(201)
    await eventually(async () => (await answersIn(own, topicId, asked)).map(({ text }) => text)).toContain(
      'The outcome is yes.',
    )
    await say(ben, topicId, mention(own, 'permit Again'), asked)
    const second = await questionIn(own, topicId)
    expect((await press(ben, second.id, 'option-2')).status).toBe(201)
    await eventually(async () => (await answersIn(own, topicId, asked)).map(({ text }) => text)).toContain(
      'The outcome is no.',
    )
  })

  it('is asked of those who were chosen, or refused where none of them is', async () => {
    const own = await coder()
    await own.run({ approvers: ['ada@example.com'] })
    const topicId = await topicWith(own)
    const asked = await say(ben, topicId, mention(own, 'permit Deploy'))
    const question = await questionIn(own, topicId)
    expect((await press(ben, question.id, 'option-1')).status).toBe(403)
    expect((await press(ada, question.id, 'option-1')).status).toBe(201)
    await eventually(async () => (await answersIn(own, topicId, asked)).map(({ text }) => text)).toContain(
      'The outcome is yes.',
    )
    const { body } = await own.bot.post('/v2/topics', { name: 'Without Ada', members: [ben.profileId] })
    const alone: string = Object(body).id
    const refused = await say(ben, alone, mention(own, 'permit Deploy'))
    const { text } = await answerTo(own, alone, refused)
    expect(text).toContain('Nobody who may approve is in this topic')
    expect(text).toContain('The outcome is no.')
  })

  it('is withdrawn by Stop, and the agent hears that it was cancelled', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    await say(ada, topicId, mention(own, 'permit Deploy'))
    const question = await questionIn(own, topicId)
    await eventually(async () => (await seenBy(ada, topicId)).map(({ steps }) => steps?.[0]?.title)).toEqual([
      'Deploy',
    ])
    const [waiting] = await seenBy(ada, topicId)
    expect((await stopIt(ada, Object(waiting))).status).toBe(204)
    await eventuallyHolds(async () => {
      const { actions } = Object((await chatOf(ada).get(`messages/${question.id}`)).body)
      expect(actions.outcome).toMatchObject({ status: 'withdrawn' })
    })
    expect((await press(ada, question.id, 'option-1')).status).toBe(409)
  })
})

describe('files', () => {
  it('are read and written in the folder of the topic alone', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const work = join(own.folder, topicId)
    await mkdir(work, { recursive: true })
    await writeFile(join(own.folder, 'secret.txt'), 'secret')
    await symlink(own.folder, join(work, 'up'))
    await symlink(join(own.folder, 'secret.txt'), join(work, 'link.txt'))
    await symlink(join(own.folder, 'new.txt'), join(work, 'dangling.txt'))
    const root = await say(ada, topicId, mention(own, 'write deep/er/notes.txt Hello'))
    expect((await answerTo(own, topicId, root)).text).toBe('Wrote deep/er/notes.txt.')
    expect(await readFile(join(work, 'deep/er/notes.txt'), 'utf8')).toBe('Hello')
    const tries: [string, string][] = [
      ['read deep/er/notes.txt', 'It says: Hello'],
      ['read ../secret.txt', 'out of reach'],
      ['read up/secret.txt', 'out of reach'],
      ['read link.txt', 'out of reach'],
      ['read ../.parley-agent/state.json', 'out of reach'],
      ['read /', 'not a file'],
      ['read missing.txt', 'Resource not found'],
      ['write ../new.txt x', 'out of reach'],
      ['write up/new.txt x', 'out of reach'],
      ['write up/made/new.txt x', 'out of reach'],
      ['write link.txt x', 'out of reach'],
      ['write dangling.txt x', 'cannot be opened'],
    ]
    for (const [index, [text, expected]] of tries.entries()) {
      await say(ada, topicId, mention(own, text), root)
      const answer = (await answersTo(own, topicId, root, index + 2)).at(-1)
      expect(answer?.text, text).toContain(expected)
    }
    expect(await readFile(join(own.folder, 'secret.txt'), 'utf8')).toBe('secret')
    expect(existsSync(join(own.folder, 'new.txt'))).toBe(false)
    expect(existsSync(join(own.folder, 'made'))).toBe(false)
  })

  it('of a shared folder are there for all topics, but not the records of the program', async () => {
    const own = await coder()
    await own.run({ isShared: true })
    const [one, other] = [await topicWith(own, 'One'), await topicWith(own, 'Other')]
    const first = await say(ada, one, mention(own, 'write notes.txt Hello'))
    expect((await answerTo(own, one, first)).text).toBe('Wrote notes.txt.')
    const second = await say(ada, other, mention(own, 'read notes.txt'))
    expect((await answerTo(own, other, second)).text).toBe('It says: Hello')
    const third = await say(ada, other, mention(own, 'write .parley-agent/state.json {}'))
    expect((await answerTo(own, other, third)).text).toContain('out of reach')
  })
})

describe('commands of the agent', () => {
  it('appear in the composer before the first mention, and reach the agent by its own names', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const commandsOf = async () =>
      Object((await chatOf(ada).get(`topics/${topicId}/commands`)).body).commands.map(
        ({ name, arguments: given }: { name: string; arguments: object[] }) => [name, given],
      )
    await eventually(commandsOf).toEqual([
      ['deploy', [{ name: 'input', description: 'version' }]],
      ['mcp-review', []],
    ])
    const first = await say(ada, topicId, '/deploy 1.4 to  production')
    expect((await answerTo(own, topicId, first)).text).toBe('You said: /deploy 1.4 to  production')
    const second = await say(ada, topicId, `/mcp-review <@${own.bot.id}> all of it`)
    expect((await answerTo(own, topicId, second)).text).toBe('You said: /mcp:Review all of it')
    const prompts = (await own.ledger()).filter((line) => line.startsWith('prompt'))
    expect(prompts, 'a command with a mention is one request').toHaveLength(2)
  })
})

describe('after an end', () => {
  it('of the program, a thread goes on in the same session, and nothing is said again', async () => {
    const own = await coder()
    const first = await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'say before'))
    await answerTo(own, topicId, asked)
    const waiting = await say(ada, topicId, mention(own, 'wait'))
    await written(ada, topicId, 'I am waiting.')
    await first.end()
    const broken = await answerTo(own, topicId, waiting)
    expect(broken.text).toBe(
      'I am waiting.\n\n_This answer was broken off: the program that runs the agent was ended. Mention it again to go on._',
    )
    expect(broken.stream?.status).toBe('failed')
    await say(ada, topicId, mention(own, 'say after'), asked)
    await own.run()
    expect((await answersTo(own, topicId, asked, 2)).map(({ text }) => text)).toEqual(['before', 'after'])
    const ledger = await own.ledger()
    expect(ledger.filter((line) => line.startsWith('load'))).toHaveLength(1)
    expect(ledger.filter((line) => line === 'prompt wait')).toHaveLength(1)
  })

  it('of an agent without sessions that last, a new one is told what came before', async () => {
    const own = await coder({ AGENT_SESSIONS: undefined })
    const first = await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'say before'))
    await answerTo(own, topicId, asked)
    await first.end()
    await own.run()
    await say(ben, topicId, mention(own, 'blocks'), asked)
    const [, second] = await answersTo(own, topicId, asked, 2)
    expect(JSON.parse(second?.text ?? '')).toEqual([
      `Said in this conversation before:\n\nAda: @Coder ${count} say before\nYou: before`,
      'blocks',
    ])
  })

  it('of the agent in an answer, the answer ends with a sentence, and the agent is started again', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, `die ${own.bot.credentials.apiSecret}`))
    const answer = await answerTo(own, topicId, asked)
    expect(answer).toMatchObject({
      text: 'Half of it\n\n_This answer was broken off: the agent ended unexpectedly. Mention it again to go on._',
      stream: { status: 'failed' },
    })
    await say(ada, topicId, mention(own, 'say here again'), asked)
    expect((await answersTo(own, topicId, asked, 2))[1]?.text).toBe('here again')
    const log = own.log.join('\n')
    expect(log).toContain('The agent ended with code 3. Starting it again in 0.5 s.')
    expect(log).toContain('agent: key unknown, ***')
    expect(log).not.toContain(own.bot.credentials.apiSecret)
  })
})

describe('what the agent may have', () => {
  it('is no variable of Parley, but those that were named', async () => {
    const own = await coder({ PARLEY_KEPT: 'yes', PARLEY_OTHER: 'no' })
    await own.run({ passed: ['PARLEY_KEPT'] })
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'variables'))
    expect((await answerTo(own, topicId, asked)).text).toBe('PARLEY_KEPT')
  })

  it('is a budget: tokens are reported, and a message beyond it gets a reaction and reaches no agent', async () => {
    const own = await coder()
    await own.run()
    const topicId = await topicWith(own)
    const asked = await say(ada, topicId, mention(own, 'tokens 1200'))
    await answerTo(own, topicId, asked)
    await eventually(async () => (await own.bot.get('/v2/usage')).body).toMatchObject({ tokens: 1200 })
    const path = `/people/organizations/${orgId}/bots/${own.bot.id}`
    expect((await ada.patch(path, { tokensPerDay: 1000 })).status).toBe(200)
    await eventually(async () => (await own.bot.get('/v2/usage')).body).toMatchObject({ tokensPerDay: 1000 })
    const beyond = await say(ada, topicId, mention(own, 'say too much'))
    await eventually(
      async () => Object((await own.bot.get(`/v2/messages/${beyond}`)).body).reactions,
    ).toMatchObject([{ emoji: '🚫', count: 1 }])
    expect(await own.ledger()).not.toContain('prompt say too much')
    expect(own.log.join('\n')).toContain('the budget of the bot for today is used up')
  })
})

describe('a start', () => {
  it('names what is wrong', async () => {
    const own = await coder()
    const start = (changes: Partial<AgentOptions>) =>
      own.run(changes).then(
        () => 'it runs',
        ({ message }: Error) => message,
      )
    const { apiKey, apiSecret } = own.bot.credentials
    const wrong: [Partial<AgentOptions>, RegExp][] = [
      [{ command: ['no-such-program'] }, /^no-such-program cannot be started: There is no such program\.$/],
      [
        { command: [process.execPath, '-e', 'process.exit(7)'] },
        /^The agent ended with code 7\. It gave no answer before that\.$/,
      ],
      [{ credentials: { url: server.url, apiKey, apiSecret: 'wrong' } }, /^Parley refuses: .*401/],
      [{ credentials: { url: '', apiKey, apiSecret } }, /PARLEY_URL/],
      [
        { approvers: ['nobody@example.com'] },
        /^No member of the organization has the address nobody@example\.com\.$/,
      ],
      [
        { environment: { ...process.env, AGENT_SIGNED_OUT: 'yes' } },
        /^The agent begins no session: Authentication required/,
      ],
    ]
    for (const [changes, expected] of wrong) expect(await start(changes)).toMatch(expected)
    ends.splice(0)
  })
})
