import { mkdir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { client } from '@agentclientprotocol/sdk'
import {
  type Client,
  type ClientOptions,
  connect,
  createBot,
  filePositions,
  ParleyError,
} from '../sdk/index.ts'
import { type AgentKeeper, keepAgent } from './agent-process.ts'
import { createCommands } from './commands.ts'
import { createExchanges } from './exchanges.ts'
import { readTextFile, STATE_FOLDER, writeTextFile } from './files.ts'
import type { BotParts } from './parts.ts'
import { type Approvers, findPeople } from './people.ts'
import { openState } from './state.ts'
import { withNames } from './text.ts'
import { createTurns } from './turns.ts'

/** Answers side by side: a bot can stream 20 messages at once, and an answer may have to begin another one. */
const CONCURRENCY = 16

export type AgentOptions = {
  /** The program that speaks the Agent Client Protocol, with its arguments. */
  command: readonly [string, ...string[]]
  folder: string
  /** All topics work in the folder itself, and not each in one below it. */
  isShared: boolean
  /** `asker`, `anyone`, `admins`, `owners`, or addresses of people. */
  approvers: string | readonly string[]
  /** Addresses of those who may give the agent work; undefined for everyone. */
  askers: readonly string[] | undefined
  /** Names of variables that the agent gets although they begin with `PARLEY_`. */
  passed: readonly string[]
  environment: NodeJS.ProcessEnv
  credentials: ClientOptions
  /** Told when everything runs, in one line. */
  onReady: (line: string) => void
  log: (line: string) => void
  /** Ends the program. */
  signal: AbortSignal
}

/** Connects a coding agent as a bot, until the signal. Throws an error that names what is wrong at the start. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { environment, signal } = options
  const log = redacted(options.log, environment)
  const parley = connect({ ...options.credentials, onRetry: log })
  const me = await parley.readMe().catch((error: unknown) => {
    throw explained(error)
  })
  await mkdir(options.folder, { recursive: true })
  const folder = await realpath(options.folder)
  const state = await openState(join(folder, STATE_FOLDER))
  let keeper: AgentKeeper | undefined
  try {
    const bot = createBot({
      ...options.credentials,
      positions: filePositions(state.positionFile),
      concurrency: CONCURRENCY,
      onError: (error, event) =>
        log(`${event ? `event ${event.id}: ` : ''}${Object(error).message ?? error}`),
      onRetry: log,
    })
    const commands = createCommands(parley, log)
    const parts: BotParts = {
      parley,
      me,
      state,
      folder,
      isShared: options.isShared,
      approvers: await approversOf(parley, options.approvers),
      askers: options.askers && new Set(await findPeople(parley, options.askers)),
      commands,
      log,
    }
    const exchanges = createExchanges(parts)
    const app = client({ name: 'parley' })
      .onNotification('session/update', ({ params }) => exchanges.update(params))
      .onRequest('session/request_permission', ({ params }) => exchanges.permit(params))
      .onRequest('fs/read_text_file', async ({ params }) => ({
        content: await readTextFile(exchanges.folderOf(params.sessionId), params),
      }))
      .onRequest('fs/write_text_file', ({ params }) =>
        writeTextFile(exchanges.folderOf(params.sessionId), params),
      )
    keeper = await keepAgent({
      command: options.command,
      environment: environmentFor(environment, options.passed),
      app,
      log,
    })
    const agent = await keeper.running(signal)
    // Shows the agent's commands before the first mention, and finds out whether it is signed in.
    await agent.context.request('session/new', { cwd: folder, mcpServers: [] }).catch((error: unknown) => {
      throw new Error(
        `The agent begins no session: ${Object(error).message}. If it must be signed in, run it by itself first.`,
      )
    })
    const turns = createTurns(parts, exchanges, keeper)
    await turns.endBrokenOff()

    bot.on('message', async ({ message }) => {
      if (message.senderType !== 'user') return
      if (!message.mentionedProfiles.includes(me.id) && !(await turns.isDirect(message.topicId))) return
      const { id: messageId, topicId, parentId, senderId, attachments } = message
      const text = commands.translate(withNames(message.text, message.mentions, me.id))
      await turns.answer({ messageId, topicId, parentId, senderId, text, attachments })
    })
    bot.on('command', async ({ command }) => {
      if (command.name === '') return // taken back
      const { messageId, topicId, parentId, userId: senderId } = command
      const text = commands.translate(`/${command.name} ${withNames(command.text, [], me.id)}`.trim())
      await turns.answer({ messageId, topicId, parentId, senderId, text, attachments: [] })
    })
    const stop = () => {
      turns.stop()
      bot.stop()
    }
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) return
    options.onReady(`Connected as "${me.name}" (${me.id}), with ${agent.name}, in ${folder}`)
    await bot.start()
  } catch (error) {
    if (signal.aborted) return
    throw explained(error)
  } finally {
    await keeper?.stop()
    await state.close()
  }
}

async function approversOf(parley: Client, given: string | readonly string[]): Promise<Approvers> {
  if (typeof given !== 'string') return findPeople(parley, given)
  return given === 'anyone' || given === 'admins' || given === 'owners' ? given : 'asker'
}

function explained(error: unknown): unknown {
  if (error instanceof ParleyError) return new Error(`Parley refuses: ${error.message}`)
  const { message, cause } = Object(error)
  if (message !== 'fetch failed') return error
  return new Error(`Parley does not answer at PARLEY_URL: ${Object(cause).message || Object(cause).code}`)
}

/** The agent's environment: everything but what belongs to Parley, unless it was named. */
function environmentFor(environment: NodeJS.ProcessEnv, passed: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !/^PARLEY_/i.test(name) || passed.includes(name)),
  )
}

/** Keeps the bot's secrets out of the log, also out of the agent's lines. */
function redacted(log: (line: string) => void, environment: NodeJS.ProcessEnv): (line: string) => void {
  const { PARLEY_API_SECRET, PARLEY_CLIENT_SECRET, PARLEY_API_KEY } = environment
  const secrets = [PARLEY_API_SECRET, PARLEY_CLIENT_SECRET, PARLEY_API_KEY].filter((secret) => secret)
  return (line) => log(secrets.reduce<string>((text, secret) => text.replaceAll(secret ?? '', '***'), line))
}
