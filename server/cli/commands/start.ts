import type { Config } from '../../config.ts'
import { isLocalServer } from '../../http/local.ts'
import { createLog } from '../../log.ts'
import { outboxFolder } from '../../mail/outbox.ts'
import type { RunningServer } from '../../main.ts'
import { readVersion } from '../../project.ts'
import { type CommandOutput, command, optional, type Reader, WrongValue } from '../command.ts'
import { describeDatabase } from '../errors.ts'
import { endWithSignals, loadConfig } from '../installation.ts'
import { columns } from '../output.ts'

/** npm passes Ctrl-C on to us, and the terminal sends it too: both within this time are one. */
const ONE_SIGNAL_MS = 500

const roles: Reader<string> = {
  placeholder: 'api,worker',
  read: (text) =>
    /^(api|worker|api,worker|worker,api)$/.test(text) ? text : new WrongValue('api, worker, or api,worker'),
}

export const start = command(
  { roles: optional(roles, 'What this node does; the default is both') },
  async ({ roles }) => {
    const config = loadConfig(roles === undefined ? {} : { ROLES: roles })
    const log = createLog(config)
    const fail = (cause: unknown, message: string) => {
      log.fatal({ err: cause instanceof Error ? cause : new Error(String(cause)) }, message)
      process.exit(1)
    }
    process.on('uncaughtException', (error) => fail(error, 'an error that nobody caught; stopping'))
    process.on('unhandledRejection', (reason) => fail(reason, 'a failure that nobody handled; stopping'))

    const stopListening = endWithSignals()
    // Half a second of code, which neither `--help` nor a mistake in the settings has to wait for.
    const { startServer } = await import('../../main.ts')
    const server = await startServer(config, (reason) => fail(reason, 'the database is lost; stopping'))
    stopListening()
    stopWithSignals(server, config, fail)
    return describe(server, config)
  },
)

/**
 * SIGTERM comes from a supervisor: load balancers get `drainMs` to notice before the node stops. Ctrl-C comes from a
 * person who waits for the prompt: the node stops at once. Both finish running requests. A second signal ends the
 * draining; one after that ends the process.
 */
function stopWithSignals(
  server: RunningServer,
  { drainMs }: Config,
  fail: (cause: unknown, message: string) => void,
): void {
  let drainsUntil: number | undefined
  let lastSignalAt = -ONE_SIGNAL_MS
  const hurry = new AbortController()
  const stop = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (now - lastSignalAt < ONE_SIGNAL_MS) return
    lastSignalAt = now
    if (drainsUntil === undefined) {
      const waitMs = signal === 'SIGTERM' ? drainMs : 0
      drainsUntil = now + waitMs
      server.stop({ drainMs: waitMs, hurry: hurry.signal }).then(
        () => process.exit(0),
        (error: unknown) => fail(error, 'stopping failed'),
      )
    } else if (now < drainsUntil && !hurry.signal.aborted) hurry.abort()
    else process.exit(1)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

async function describe({ parley }: RunningServer, config: Config): Promise<CommandOutput> {
  const { baseUrl } = config
  const { rememberBaseUrl, renewSetupToken } = await import('../../actions/organization/installation.ts')
  const token = await parley.db.transaction(async (open) => {
    await rememberBaseUrl(open, baseUrl)
    return renewSetupToken(open)
  })
  const { hasOrganization } = await import('../../queries/organization/installation.ts')
  const setupUrl = token === undefined ? undefined : `${baseUrl}/setup#${token}`
  const version = await readVersion()
  return {
    json: { version, address: baseUrl, docs: `${baseUrl}/docs`, ...(setupUrl !== undefined && { setupUrl }) },
    lines: [
      `Parley ${version} is running.`,
      '',
      ...columns([
        ['Address', baseUrl],
        ['API docs', `${baseUrl}/docs`],
        ['Data', describeData(config)],
        ['Mail', describeMail(config)],
        ...(config.workers > 1 ? [['Processes', String(config.workers)] as const] : []),
      ]),
      ...(setupUrl === undefined
        ? []
        : ['', ...invitationToSetUp(setupUrl, await hasOrganization(parley.db))]),
      '',
      'Ctrl-C stops it.',
    ],
  }
}

function invitationToSetUp(setupUrl: string, hasOrganization: boolean): string[] {
  if (!hasOrganization)
    return ['There is no organization yet. Set one up with this link:', '', `  ${setupUrl}`]
  return [
    'Nobody has set this server up yet, though there are organizations. Set up its home organization with this link:',
    '',
    `  ${setupUrl}`,
    '',
    'Or choose one that is there: parley org set --org ID --home',
  ]
}

const describeData = ({ databaseUrl, dataDir }: Config) =>
  databaseUrl === undefined ? dataDir : `PostgreSQL at ${describeDatabase(databaseUrl)}`

function describeMail(config: Config): string {
  const { smtpUrl, dataDir, baseUrl } = config
  if (smtpUrl !== undefined) return `sent by ${URL.canParse(smtpUrl) ? new URL(smtpUrl).host : 'SMTP_URL'}`
  return `kept in ${outboxFolder(dataDir)}${isLocalServer(config) ? `, shown at ${baseUrl}/outbox` : ''}`
}
