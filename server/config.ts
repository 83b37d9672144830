import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { LIMITS } from '../contract/limits.ts'
import { PASSWORD_COST } from './auth/passwords.ts'
import { WANTED_SERVERS, wantedServer } from './db/hosts.ts'
import { OperatorError } from './errors.ts'
import { type Environment, settingsReader } from './settings-reader.ts'
import { readTelemetry } from './telemetry/settings.ts'
import { RETRY_SCHEDULE } from './webhooks/schedule.ts'

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

export type Config = ReturnType<typeof readConfig>

/** Reads the environment and checks all of it; every mistake is named at once, with its fix. */
export function readConfig(environment: Environment = process.env) {
  const mistakes: string[] = []
  const read = settingsReader(environment, mistakes)

  const port = read.integer('PORT', 8080, 0, 65_535)
  const host = read.text('HOST', '127.0.0.1')
  const baseUrl = read.address('BASE_URL') ?? `http://${isIP(host) === 6 ? `[${host}]` : host}:${port}`
  const dataDir = resolve(read.text('DATA_DIR', './data'))
  const databaseUrl = read.optional('DATABASE_URL')
  const agentSignupPerMinute = read.integer('AGENT_SIGNUP_PER_MINUTE', 1, 0, 1_000_000)
  const config = {
    port,
    host,
    baseUrl,
    /** Whether BASE_URL was given: without it, the address follows the port that is really listened on. */
    baseUrlGiven: Boolean(environment.BASE_URL),
    storageUrl: read.address('STORAGE_URL'),
    dataDir,
    /** The folder of files and of unfinished uploads; with a bucket, of unfinished uploads alone. */
    filesDir: join(dataDir, 'files'),
    s3: read.bucket(),
    maxFileBytes: read.integer('MAX_FILE_MB', 100, 1, 100_000) * 1024 * 1024,
    /** Storage of an organization; 0: no limit. */
    storageQuotaMb: read.integer('STORAGE_QUOTA_MB', 10_240, 0, 1_000_000_000),
    /** The time that reading or writing one image may take. */
    imageSeconds: read.integer('IMAGE_SECONDS', 10, 1, 600),
    imageProcesses: read.integer('IMAGE_PROCESSES', 2, 1, 64),
    linkSeconds: read.integer('LINK_SECONDS', 3600, 1, 7 * 86_400),
    transcription: {
      url: read.address('TRANSCRIPTION_URL'),
      apiKey: read.optional('TRANSCRIPTION_API_KEY'),
      model: read.text('TRANSCRIPTION_MODEL', 'whisper-1'),
      language: read.optional('TRANSCRIPTION_LANGUAGE'),
      command: read.optional('TRANSCRIPTION_COMMAND'),
    },
    signOn: read.signOn(),
    saml: read.saml(),
    ldap: read.ldap(),
    databaseUrl,
    /** The way around a pooler that lends sessions for a transaction; undefined: there is none. */
    databaseDirectUrl: read.optional('DATABASE_DIRECT_URL'),
    smtpUrl: read.optional('SMTP_URL'),
    mailFrom: read.text('MAIL_FROM', 'Parley <parley@localhost>'),
    /** Whether browsers can be notified while no page is open. */
    webPush: read.onOrOff('WEB_PUSH') ?? true,
    /** Whether pages that messages link to are fetched for a preview; each organization can say no for itself. */
    linkPreviews: read.onOrOff('LINK_PREVIEWS') ?? true,
    /** Networks that previews may reach although they are not public. Those of webhooks are not: admins choose webhooks, every member writes links. */
    linkPreviewNetworks: read.networks('LINK_PREVIEW_NETWORKS'),
    /** The contact for push services about this server; undefined: BASE_URL, or the sender of mail. */
    pushContact: read.optional('PUSH_CONTACT'),
    /** Networks of push services that are not public. Those of webhooks are not: everybody names the push service of their browser. */
    pushNetworks: read.networks('PUSH_NETWORKS'),
    secretKey: read.optional('SECRET_KEY'),
    /** The former key, while a key from the environment is being replaced. */
    secretKeyPrevious: read.optional('SECRET_KEY_PREVIOUS'),
    /** The passphrase of backups; undefined: they are not encrypted. */
    backupPassphrase: read.optional('BACKUP_PASSPHRASE'),
    /** Backups that the server makes by itself; undefined folder: none. */
    backups: {
      folder: read.optional('BACKUP_FOLDER'),
      everyHours: read.integer('BACKUP_EVERY_HOURS', 24, 1, 8760),
      keep: read.integer('BACKUP_KEEP', 7, 1, 10_000),
    },
    /** The cost of a password's hash. It is no setting: tests about other things give a smaller one. */
    passwordCost: PASSWORD_COST,
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 1000, 0, 1_000_000_000),
    /** Requests a minute of one person in one organization; 0: no limit. */
    personRateLimitPerMinute: read.integer('PERSON_RATE_LIMIT_PER_MINUTE', 600, 0, 1_000_000_000),
    /** Calls a minute of one incoming webhook; 0: no limit. */
    incomingRateLimitPerMinute: read.integer('INCOMING_RATE_LIMIT_PER_MINUTE', 60, 0, 1_000_000),
    /** Undefined where the operator has not said: open to everybody, but not before the server has been set up. */
    agentSignup: read.onOrOff('AGENT_SIGNUP'),
    agentSignupPerMinute,
    agentSignupAttemptsPerMinute: read.integer(
      'AGENT_SIGNUP_ATTEMPTS_PER_MINUTE',
      Math.max(30, agentSignupPerMinute),
      Math.max(1, agentSignupPerMinute),
      1_000_000,
    ),
    /** Organizations that agents may create in a day, from all addresses together; 0: no limit. */
    agentSignupsPerDay: read.integer('AGENT_SIGNUPS_PER_DAY', 100, 0, 1_000_000),
    orgUnitChangesPerMinute: read.integer('ORG_UNIT_CHANGES_PER_MINUTE', 1, 0, 1_000_000),
    updatesRetentionMs: read.days('UPDATES_RETENTION_DAYS', 7),
    accessTokenSeconds: read.integer('ACCESS_TOKEN_SECONDS', 3600, 1, 86_400),
    accessTokenSignature: read.choice('ACCESS_TOKEN_SIGNATURE', 'shared', ['shared', 'key-pair']),
    webhookRetrySchedule: read.waits('WEBHOOK_RETRY_SCHEDULE', RETRY_SCHEDULE),
    webhookAllowedNetworks: read.networks('WEBHOOK_ALLOWED_NETWORKS'),
    /** Organizations whose webhooks may reach these networks, besides the home organization. */
    webhookAllowedOrganizations: read.organizations('WEBHOOK_ALLOWED_ORGANIZATIONS'),
    webhookHeaderPrefix: read.headerPrefix('WEBHOOK_HEADER_PREFIX', 'X-Service-'),
    /** Answers of bots to bots, without a person, after which they wait and after which they are stopped. 0: never. */
    botLoops: {
      slowAfter: read.integer('BOT_LOOP_SLOW_AFTER', 100, 0, 1_000_000),
      stopAfter: read.integer('BOT_LOOP_STOP_AFTER', 200, 0, 1_000_000),
      /** How long a bot that is slowed waits at first. */
      pauseMs: read.integer('BOT_LOOP_PAUSE_SECONDS', 5, 1, 60) * 1000,
    },
    /** A bot that has said nothing for so long has left the message that it was writing. */
    streamingTimeoutMs: read.integer('STREAMING_TIMEOUT_SECONDS', 120, 5, 86_400) * 1000,
    groupLimit: read.integer('GROUP_LIMIT', 64, 1, 1000),
    /** How long a message may wait to be written while others are; 0: for as long as it takes. */
    queueMs: read.integer('QUEUE_MS', 1000, 0, 60_000),
    /** How long a message may wait in all, while the database writes nothing. */
    stallMs: read.integer('STALL_MS', 10_000, 500, 60_000),
    trustProxy: read.proxies('TRUST_PROXY'),
    /** How long a node that stops says so while it serves everybody. */
    drainMs: read.integer('DRAIN_MS', 5000, 0, 3_600_000),
    headerMs: read.integer('HEADER_SECONDS', 20, 1, 300) * 1000,
    bodyMs: read.integer('BODY_SECONDS', 30, 1, 3600) * 1000,
    uploadBytesPerSecond: read.integer('UPLOAD_BYTES_PER_SECOND', 1024, 0, 1_000_000_000),
    /** The least is what the forms of the console and the chat need. */
    smallBodyBytes: read.integer('SMALL_BODY_KB', LIMITS.smallBodyBytes / 1024, 16, 1024) * 1024,
    bodyMemoryBytes: read.integer('BODY_MEMORY_MB', 64, 4, 1_000_000) * 1024 * 1024,
    maxConnections: read.integer('MAX_CONNECTIONS', 16_000, 0, 1_000_000),
    maxConnectionsPerAddress: read.integer('MAX_CONNECTIONS_PER_ADDRESS', 1000, 0, 1_000_000),
    maxPollsPerBot: read.integer('MAX_POLLS_PER_BOT', 100, 0, 1_000_000),
    maxStreamsPerPerson: read.integer('MAX_STREAMS_PER_PERSON', 20, 0, 1_000_000),
    metricsPublic: read.choice('METRICS', 'local', ['local', 'public']) === 'public',
    /** A statement that takes longer is logged; 0: none is. */
    slowQueryMs: read.integer('SLOW_QUERY_MS', 1000, 0, 3_600_000),
    logLevel: read.choice('LOG_LEVEL', 'info', LOG_LEVELS),
    roles: read.roles('ROLES'),
    /** How many processes answer requests. */
    workers: read.workers('WORKERS'),
    /** The address that traces and metrics go to; undefined: none, and no code is loaded for them. */
    telemetry: readTelemetry(environment, mistakes),
  }

  if (environment.DRAIN_SECONDS !== undefined) {
    mistakes.push(
      'DRAIN_SECONDS has become DRAIN_MS, in milliseconds: DRAIN_MS=5000 is what DRAIN_SECONDS=5 was.',
    )
  }
  if (config.secretKey !== undefined && config.secretKey.length < 32) {
    mistakes.push('SECRET_KEY must have at least 32 characters; `openssl rand -hex 32` makes one.')
  }
  if (config.secretKeyPrevious !== undefined && config.secretKey === undefined) {
    mistakes.push('SECRET_KEY_PREVIOUS belongs to SECRET_KEY, which is not set: set both, or neither.')
  }
  if (config.secretKeyPrevious !== undefined && config.secretKeyPrevious.length < 32) {
    mistakes.push('SECRET_KEY_PREVIOUS must have at least 32 characters: it is the former SECRET_KEY.')
  }
  for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL']) {
    const url = read.optional(name)
    if (url === undefined) continue
    if (!/^postgres(ql)?:\/\//.test(url))
      mistakes.push(
        `${name} must start with postgres:// or postgresql://, such as postgres://user:password@host/parley.`,
      )
    const wanted = wantedServer(url)
    if (wanted !== undefined && !WANTED_SERVERS.includes(wanted))
      mistakes.push(
        `${name} asks for target_session_attrs=${wanted}; Parley writes, so it must be read-write, or left out.`,
      )
  }
  if (config.databaseDirectUrl !== undefined && config.databaseUrl === undefined) {
    mistakes.push('DATABASE_DIRECT_URL goes around the pooler of DATABASE_URL, which is not set.')
  }
  if (config.smtpUrl !== undefined && !/^smtps?:\/\//.test(config.smtpUrl)) {
    mistakes.push(
      'SMTP_URL must start with smtp:// or smtps://, such as smtp://user:password@mail.example.com:587.',
    )
  }
  if (config.pushContact !== undefined && !/^(mailto:\S+@\S+|https:\/\/\S+)$/.test(config.pushContact)) {
    mistakes.push(
      'PUSH_CONTACT must be an address that push services can reach you at, such as mailto:admin@example.com or https://example.com.',
    )
  }
  if (mistakes.length > 0) {
    throw new OperatorError(
      `The settings need a correction:\n${mistakes.map((mistake) => `  - ${mistake}`).join('\n')}`,
    )
  }
  return config
}
