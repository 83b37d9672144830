import { runAgent } from '../../../agent/run.ts'
import { OperatorError } from '../../errors.ts'
import { EMAIL } from '../../text.ts'
import { command, flag, optional, program, type Reader, WrongValue } from '../command.ts'
import { UsageError } from '../errors.ts'
import * as values from '../values.ts'

const FOLDER = 'parley-agent'

const addresses: Reader<string[]> = {
  placeholder: 'A,B',
  read(value) {
    const emails = value.split(',').map((email) => email.trim())
    return emails.every((email) => EMAIL.test(email))
      ? emails
      : new WrongValue('e-mail addresses with commas between them')
  },
}

const approvers: Reader<string | string[]> = {
  placeholder: 'asker|anyone|admins|owners|A,B',
  read(value) {
    if (['asker', 'anyone', 'admins', 'owners'].includes(value)) return value
    const emails = addresses.read(value)
    return emails instanceof WrongValue
      ? new WrongValue('asker, anyone, admins, owners, or e-mail addresses with commas between them')
      : emails
  },
}

const names: Reader<string[]> = {
  placeholder: 'A,B',
  read: (value) => value.split(',').map((name) => name.trim()),
}

export const agent = command(
  {
    command: program('The agent, with its arguments'),
    folder: optional(
      values.text(4096, 'PATH'),
      `Folder that the agent works in, with one in it for each topic; the default is ./${FOLDER}`,
    ),
    'shared-folder': flag('All topics work in the folder itself'),
    approvers: optional(
      approvers,
      'Who may answer when the agent asks for a permission; the default is asker',
    ),
    askers: optional(addresses, 'Who may give the agent work; the default is everyone in its topics'),
    'pass-variables': optional(names, 'Variables that begin with PARLEY_ and are for the agent all the same'),
  },
  async ({ command: line, folder = FOLDER, approvers = 'asker', askers, ...given }) => {
    const stopping = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
    const log = (text: string) => process.stderr.write(`${text}\n`)
    try {
      await runAgent({
        command: line,
        folder,
        isShared: given['shared-folder'] ?? false,
        approvers,
        askers,
        passed: given['pass-variables'] ?? [],
        environment: process.env,
        credentials: {},
        onReady: (text) => process.stdout.write(`${text}\n`),
        log,
        signal: stopping.signal,
      })
    } catch (error) {
      if (error instanceof TypeError) throw new UsageError(settingIn(error.message))
      throw error instanceof Error ? new OperatorError(error.message, { cause: error }) : error
    }
    return { json: {}, lines: [] }
  },
  [
    'Mention the bot in a topic: the agent answers in the thread, which is a session of its own. Plans and tools',
    'are steps of the answer, Stop cancels, and what the agent may not do by itself is asked in the topic.',
    '',
    '  parley agent --folder ~/work -- npx some-agent --acp',
    '',
    'Settings, from the environment alone; the agent gets none of them:',
    '',
    '  PARLEY_URL                               Address of the server, such as https://chat.example.com',
    '  PARLEY_API_KEY, PARLEY_API_SECRET        Credentials of a bot with a static key, which polls',
    '  PARLEY_CLIENT_ID, PARLEY_CLIENT_SECRET   Or those of a bot with OAuth',
  ],
)

/** The library's words for a setting that is missing or wrong, for those who can only set variables. */
function settingIn(message: string): string {
  const [, name] = /set (PARLEY_\w+)$/.exec(message) ?? []
  return name === undefined ? message : `${name} is not set.`
}
