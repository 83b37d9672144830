import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { LIMITS } from '../contract/limits.ts'
import { PASSWORD_COST } from './auth/passwords.ts'
import { WANTED_SERVERS, wantedServer } from './db/hosts.ts'
import { OperatorError } from './errors.ts'
import { parseNetwork } from './network/networks.ts'
import { readTelemetry } from './telemetry/settings.ts'
import { domainKey } from './text.ts'
import { RETRY_SCHEDULE } from './webhooks/schedule.ts'

type Environment = Record<string, string | undefined>

export type Role = 'api' | 'worker'
const ROLES: readonly Role[] = ['api', 'worker']
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const

export type Config = ReturnType<typeof readConfig>

/** A bucket of any store that speaks S3. */
export type Bucket = {
  name: string
  region: string
  /** Undefined: Amazon's own. */
  endpoint: string | undefined
  /** Undefined: as the environment says (a role of the machine, a profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Put before every key, such as `parley/`. */
  prefix: string
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle: boolean
}

/** A provider of single sign-on that speaks OpenID Connect. */
export type SignOnSettings = {
  issuer: URL
  clientId: string
  clientSecret: string
  /** The label of the button. */
  name: string
  /** The organization that newcomers join; undefined: the home organization. */
  organizationId: string | undefined
  /** Mail domains that are let in, as `domainKey` writes them; empty: everybody whom the provider lets in. */
  domains: readonly string[]
}

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
    /** Files, and uploads on their way; with a bucket, only the latter. */
    filesDir: join(dataDir, 'files'),
    s3: read.bucket(),
    maxFileBytes: read.integer('MAX_FILE_MB', 100, 1, 100_000) * 1024 * 1024,
    /** Storage of an organization; 0: no limit. */
    storageQuotaMb: read.integer('STORAGE_QUOTA_MB', 10_240, 0, 1_000_000_000),
    /** How long one image may take to be read or put together anew. */
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
    databaseUrl,
    /** The way around a pooler that lends sessions for a transaction; undefined: there is none. */
    databaseDirectUrl: read.optional('DATABASE_DIRECT_URL'),
    smtpUrl: read.optional('SMTP_URL'),
    mailFrom: read.text('MAIL_FROM', 'Parley <parley@localhost>'),
    /** Whether browsers can be notified while no page is open. */
    webPush: read.onOrOff('WEB_PUSH') ?? true,
    /** Whether pages that messages link to are fetched for a preview; each organization can say no for itself. */
    linkPreviews: read.onOrOff('LINK_PREVIEWS') ?? true,
    /** Networks that previews may reach although they are not public. Those of webhooks are not: admins choose webhooks, anybody writes links. */
    linkPreviewNetworks: read.networks('LINK_PREVIEW_NETWORKS'),
    /** The contact for push services about this server; undefined: BASE_URL, or the sender of mail. */
    pushContact: read.optional('PUSH_CONTACT'),
    /** Networks of push services that are not public. Those of webhooks are not: everybody names the push service of their browser. */
    pushNetworks: read.networks('PUSH_NETWORKS'),
    secretKey: read.optional('SECRET_KEY'),
    /** While a key from the environment is being replaced: the former one. */
    secretKeyPrevious: read.optional('SECRET_KEY_PREVIOUS'),
    /** The passphrase of backups; undefined: they are not encrypted. */
    backupPassphrase: read.optional('BACKUP_PASSPHRASE'),
    /** Backups that the server makes by itself; undefined folder: none. */
    backups: {
      folder: read.optional('BACKUP_FOLDER'),
      everyHours: read.integer('BACKUP_EVERY_HOURS', 24, 1, 8760),
      keep: read.integer('BACKUP_KEEP', 7, 1, 10_000),
    },
    /** Not a setting: tests about other things give a smaller one. */
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
    /** Undefined: nobody takes traces and metrics, and nothing is loaded for them. */
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

function settingsReader(environment: Environment, mistakes: string[]) {
  const optional = (name: string) => environment[name]?.trim() || undefined

  return {
    optional,
    text: (name: string, fallback: string) => optional(name) ?? fallback,

    integer(name: string, fallback: number, minimum: number, maximum: number): number {
      const value = optional(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
      mistakes.push(
        `${name} is "${value}"; it must be a whole number from ${minimum} to ${maximum} (default ${fallback}).`,
      )
      return fallback
    },

    /** In milliseconds; fractions of a day are allowed. */
    days(name: string, fallback: number): number {
      const value = optional(name)
      const days = value === undefined ? fallback : Number(value)
      if (days > 0 && days <= 36_500) return Math.round(days * 86_400_000)
      mistakes.push(`${name} is "${value}"; it must be a number of days above 0, such as ${fallback} or 0.5.`)
      return fallback * 86_400_000
    },

    choice<const Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
      const value = optional(name)
      if (value === undefined) return fallback
      const choice = choices.find((candidate) => candidate === value)
      if (choice === undefined)
        mistakes.push(`${name} is "${value}"; it must be one of ${choices.join(', ')} (default ${fallback}).`)
      return choice ?? fallback
    },

    /** Undefined where nothing is said. */
    onOrOff(name: string): boolean | undefined {
      const value = optional(name)
      if (value !== undefined && value !== 'on' && value !== 'off')
        mistakes.push(`${name} is "${value}"; it must be on or off, or left out.`)
      return value === undefined ? undefined : value === 'on'
    },

    address(name: string): string | undefined {
      const value = optional(name)
      if (value === undefined) return undefined
      const url = URL.canParse(value) ? new URL(value) : undefined
      if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return value.replace(/\/+$/, '')
      mistakes.push(
        `${name} is "${value}"; it must be a plain http or https address, such as https://chat.example.com.`,
      )
      return undefined
    },

    /** `true`: one proxy in front; otherwise the addresses or ranges of the proxies that may be believed. */
    proxies(name: string): boolean | string[] {
      const value = optional(name)
      if (value === undefined || value === 'false') return false
      if (value === 'true') return true
      const ranges = value.split(',').map((range) => range.trim())
      const wrong = ranges.find((range) => isIP(range.split('/')[0] ?? '') === 0)
      if (wrong === undefined) return ranges
      mistakes.push(
        `${name} holds "${wrong}"; it must be true, or the addresses or ranges of your proxies, such as 10.0.0.0/8.`,
      )
      return false
    },

    /** Seconds between tries, each more than nothing and at most a week. */
    waits(name: string, fallback: readonly number[]): readonly number[] {
      const value = optional(name)
      if (value === undefined) return fallback
      const seconds = value.split(',').map((text) => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : 0))
      if (seconds.length <= 50 && seconds.every((wait) => wait > 0 && wait <= 604_800)) return seconds
      mistakes.push(
        `${name} is "${value}"; it must be 1 to 50 waits in seconds, each up to 604800, such as ${fallback.join(',')} (the default).`,
      )
      return fallback
    },

    /** `S3_BUCKET` switches it on; the others describe it. */
    bucket(): Bucket | undefined {
      const name = optional('S3_BUCKET')
      const [accessKeyId, secretAccessKey] = [optional('S3_ACCESS_KEY_ID'), optional('S3_SECRET_ACCESS_KEY')]
      if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
        mistakes.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together; set both, or neither.')
      }
      const endpoint = this.address('S3_ENDPOINT')
      const pathStyle =
        this.choice('S3_PATH_STYLE', endpoint === undefined ? 'off' : 'on', ['on', 'off']) === 'on'
      if (name === undefined) {
        if (endpoint !== undefined)
          mistakes.push('S3_ENDPOINT is set, but S3_BUCKET, which names the bucket, is not.')
        return undefined
      }
      return {
        name,
        region: optional('S3_REGION') ?? 'us-east-1',
        endpoint,
        credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
        prefix: optional('S3_PREFIX') ?? '',
        pathStyle,
      }
    },

    /** `OIDC_ISSUER` switches it on; the others describe it. */
    signOn(): SignOnSettings | undefined {
      // Some issuers end with a slash, which belongs to their name.
      const address = this.address('OIDC_ISSUER') && optional('OIDC_ISSUER')
      const [clientId, clientSecret] = [optional('OIDC_CLIENT_ID'), optional('OIDC_CLIENT_SECRET')]
      const organizationId = optional('OIDC_ORGANIZATION')
      const domains = (optional('OIDC_DOMAINS') ?? '')
        .toLowerCase()
        .split(',')
        .map((domain) => domain.trim())
      const wrong = domains.find((domain) => !/^([\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+)?$/u.test(domain))
      if (wrong !== undefined) {
        mistakes.push(
          `OIDC_DOMAINS holds "${wrong}"; it must be mail domains, such as example.com,example.org.`,
        )
      }
      if (organizationId !== undefined && !UUID.test(organizationId)) {
        mistakes.push(`OIDC_ORGANIZATION is "${organizationId}"; it must be the id of an organization.`)
      }
      if (address === undefined) {
        if (clientId !== undefined && optional('OIDC_ISSUER') === undefined)
          mistakes.push('OIDC_CLIENT_ID is set, but OIDC_ISSUER, the address of the provider, is not.')
        return undefined
      }
      const issuer = new URL(address)
      if (issuer.protocol === 'http:' && !LOOPBACK.test(issuer.hostname)) {
        mistakes.push(
          `OIDC_ISSUER is "${address}"; it must begin with https://, unless it is on this machine.`,
        )
      }
      if (clientId === undefined || clientSecret === undefined) {
        mistakes.push(
          'OIDC_ISSUER also needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, as the provider gave them.',
        )
        return undefined
      }
      return {
        issuer,
        clientId,
        clientSecret,
        name: optional('OIDC_NAME') ?? 'single sign-on',
        organizationId: organizationId?.toLowerCase(),
        domains: domains.filter((domain) => domain !== '').map(domainKey),
      }
    },

    networks(name: string): readonly string[] {
      const value = optional(name)
      if (value === undefined) return []
      const ranges = value.split(',').map((range) => range.trim())
      const wrong = ranges.find((range) => !parseNetwork(range))
      if (wrong === undefined) return ranges
      mistakes.push(
        `${name} holds "${wrong}"; it must be addresses or ranges, such as 10.0.0.0/8,fd00::/8,127.0.0.1.`,
      )
      return []
    },

    organizations(name: string): readonly string[] | 'all' {
      const value = optional(name)
      if (value === 'all') return 'all'
      const ids = value?.split(',').map((id) => id.trim().toLowerCase()) ?? []
      const wrong = ids.find((id) => !UUID.test(id))
      if (wrong === undefined) return ids
      mistakes.push(`${name} holds "${wrong}"; it must be ids of organizations, or all.`)
      return []
    },

    headerPrefix(name: string, fallback: string): string {
      const value = optional(name)
      if (value === undefined || /^[A-Za-z][A-Za-z0-9-]{0,49}$/.test(value)) return value ?? fallback
      mistakes.push(
        `${name} is "${value}"; it must be the beginning of a header's name in letters, digits and hyphens, such as ${fallback} (the default).`,
      )
      return fallback
    },

    roles(name: string): readonly Role[] {
      const value = optional(name)
      if (value === undefined) return ROLES
      const names = value.split(',').map((role) => role.trim())
      const roles = ROLES.filter((role) => names.includes(role))
      if (roles.length === names.length) return roles
      mistakes.push(`${name} is "${value}"; it must be api, worker, or both: api,worker (the default).`)
      return ROLES
    },
  }
}
