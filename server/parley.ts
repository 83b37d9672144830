import { AttemptNotes } from './actions/accounts/account-audit.ts'
import { tellNearlySpent } from './actions/bots/bot-budgets.ts'
import { tellLimitUsedUp } from './actions/bots/bot-limits.ts'
import { stopBots } from './actions/bots/bot-loops.ts'
import { wantPreviews } from './actions/messages/link-previews.ts'
import { MessageWriter } from './actions/messages/message-writer.ts'
import { Streaming } from './actions/messages/streaming.ts'
import { Callers, SESSIONS_CHANNEL } from './auth/callers.ts'
import { ClientDocuments } from './auth/client-documents.ts'
import { IDENTITY_CHANNEL, Identities } from './auth/identity.ts'
import { Nonces } from './auth/nonces.ts'
import { Tokens } from './auth/tokens.ts'
import type { Config } from './config.ts'
import { DatabaseClock } from './db/clock.ts'
import type { DatabaseConnection } from './db/connection.ts'
import { type Clock, Database } from './db/database.ts'
import { Homes } from './db/homes.ts'
import { Notifications } from './db/notifications.ts'
import { SlowQueries } from './db/slow-queries.ts'
import { Acknowledgements } from './events/acknowledgements.ts'
import { Activity } from './events/activity.ts'
import { BotLoops } from './events/bot-loops.ts'
import { EphemeralEvents } from './events/ephemeral.ts'
import { LongPolls } from './events/long-poll.ts'
import { Presence } from './events/presence.ts'
import { RecentPages } from './events/recent-pages.ts'
import { Tail } from './events/tail.ts'
import { UpdateReader } from './events/update-reader.ts'
import { Wake } from './events/wake.ts'
import { Files } from './files/files.ts'
import { Images } from './files/images/images.ts'
import { Links } from './files/links.ts'
import { openStorage } from './files/storage/open.ts'
import { BodyIntake } from './http/body-intake.ts'
import { Draining } from './http/draining.ts'
import { announceKeys, KEY_CHANNEL, openSecrets, refreshSecrets } from './keys/key-state.ts'
import { loadMarkKey } from './keys/mark-key.ts'
import { loadPushKey, type PushKey } from './keys/push-keys.ts'
import { BotBudgets } from './limits/bot-budgets.ts'
import { Ceilings } from './limits/ceilings.ts'
import { RateLimiter } from './limits/rate-limiter.ts'
import type { Log } from './log.ts'
import { Lookout } from './lookout.ts'
import { MessageCheck } from './message-check/message-check.ts'
import { Siblings } from './processes/siblings.ts'
import { MemberReader } from './queries/members/member-reader.ts'
import { TopicDirectory } from './queries/topics/topic-directory.ts'
import type { Secrets } from './secrets.ts'
import type { Telemetry } from './telemetry/telemetry.ts'
import { Worker } from './worker.ts'

/** A lost wake-up is found by the second look. */
const LOOK_FOR_LOST_MS = 500
const ACKNOWLEDGE_MS = 2000
/** How often a node reads the keys, in case it missed the news of a change. */
const LOOK_FOR_KEYS_MS = 30_000
/** How often nodes tell each other what bots have spent. A budget can be exceeded by what other nodes take in this time. */
const SETTLE_BUDGETS_MS = 1000
const SETTLE_ATTEMPTS_MS = 60_000
/** How often a node forgets the request counts of those who have been quiet. */
const FORGET_LIMITS_MS = 60_000

/** How often a node that knows several databases asks the one that takes writes whether it still does. */
const PRIMARY_MS = 1000

/** How often the database is asked for its time. */
const CLOCK_MS = 10_000

/** The parts that live as long as the server does, and nothing else. */
export type Parley = {
  config: Config
  log: Log
  clock: Clock
  /** The database's time, by which all nodes go. */
  databaseClock: DatabaseClock
  db: Database
  slowQueries: SlowQueries
  secrets: Secrets
  notifications: Notifications
  identities: Identities
  /** People in the chat, by their session. */
  callers: Callers
  /** Programs that ask people for access, by the documents that describe them. */
  clientDocuments: ClientDocuments
  tokens: Tokens
  nonces: Nonces
  rateLimiter: RateLimiter
  ceilings: Ceilings
  bodies: BodyIntake
  draining: Draining
  wake: Wake
  longPolls: LongPolls
  tail: Tail
  acknowledgements: Acknowledgements
  files: Files
  images: Images
  links: Links
  /** Topics and their members, as this node knows them. */
  topics: TopicDirectory
  messages: MessageWriter
  /** Asks the programs of organizations about texts. */
  messageCheck: MessageCheck
  recentPages: RecentPages
  /** Events that are not kept: typing, presence, and what a person did in another browser. */
  ephemeral: EphemeralEvents
  presence: Presence
  /** People who are at work in a browser right now. */
  activity: Activity
  /** The key pair by which push services know this server; undefined if it sends no push messages. */
  pushKey: PushKey | undefined
  /** Bots that answer each other. */
  botLoops: BotLoops
  /** Daily limits of bots. */
  botBudgets: BotBudgets
  /** Messages that bots are writing. */
  streaming: Streaming
  attemptNotes: AttemptNotes
  updates: UpdateReader
  members: MemberReader
  siblings: Siblings
  /** The sender of traces and metrics; undefined where they go nowhere. */
  telemetry: Telemetry | undefined
  /** Everything that runs again and again on this node. */
  workers: Set<Worker>
  /** Says which of it has something to do. */
  lookout: Lookout
  close(): Promise<void>
}

type Options = {
  config: Config
  connection: DatabaseConnection
  log: Log
  /** The time for everything here; the database's, unless a test says otherwise. */
  clock?: Clock
  /** The time by this machine's own clock. */
  systemClock?: Clock
}

/** Puts the parts together on a database that is up and migrated. */
export async function openParley(options: Options): Promise<Parley> {
  const { config, connection, log } = options
  const databaseClock = new DatabaseClock(options.systemClock)
  const clock = options.clock ?? databaseClock.now
  const workers = new Set<Worker>()
  const parts = { log, clock, workers }
  const slowQueries = new SlowQueries(config.slowQueryMs, log)
  const db = new Database(connection, clock, config.groupLimit, slowQueries.watch)
  await databaseClock.measure(db)
  await db.open()
  const lookout = new Lookout({ ...parts, db })
  const secrets = await openSecrets(db, config)
  db.setMarkKey(await loadMarkKey(db, secrets, clock()))
  const messageCheck = new MessageCheck({ config, db, secrets, clock, log })
  db.setTextCheck(messageCheck.ask)
  const pushKey = config.webPush ? await loadPushKey(db, secrets, clock()) : undefined
  const files = new Files(db, await openStorage(config), config, log)
  await files.open()
  const images = new Images(config, log)

  const ceilings = new Ceilings()
  const bodies = new BodyIntake(config, ceilings)
  const notifications = new Notifications(connection)
  const identities = new Identities(db, secrets, () => notifications.connected)
  const callers = new Callers(db, clock, () => notifications.connected)
  notifications.on(SESSIONS_CHANNEL, (id) => callers.drop(id))
  const wake = new Wake(db, notifications)
  const longPolls = new LongPolls(ceilings, config.maxPollsPerBot)
  const acknowledgements = new Acknowledgements()
  const recentPages = new RecentPages(db, wake, () => notifications.connected)
  db.onWritten = (orgId) => recentPages.drop(orgId)
  const topics = new TopicDirectory()
  const tail = new Tail(db)
  const ephemeral = new EphemeralEvents(notifications, () => wake.isAlone)
  const presence = new Presence(ephemeral, notifications, clock)
  db.setPresent((orgId) => presence.active(orgId))
  const activity = new Activity(ephemeral, clock, (caller) => presence.used(caller))
  const streaming = new Streaming({
    db,
    ephemeral,
    notifications,
    tail,
    isAlone: () => wake.isAlone,
    timeoutMs: config.streamingTimeoutMs,
  })
  const botLoops = new BotLoops(tail, ephemeral, clock, config.botLoops, async (orgId, loop) => {
    try {
      await db.write(orgId, (tx) => stopBots(tx, { secrets, config }, loop))
    } catch (error) {
      log.error(
        { err: error, orgId, topicId: loop.topicId },
        'bots that answer each other could not be stopped',
      )
      throw error
    }
  })
  const botBudgets = new BotBudgets(db, clock, ({ orgId, botId }) =>
    db.write(orgId, (tx) => tellNearlySpent(tx, { secrets, config, clock }, botId)),
  )
  wake.onEvents((announcement) => botLoops.hear(announcement))
  wake.onEvents((announcement) => tail.hear(announcement))
  tail.onEvents((orgId, events) => longPolls.tell(orgId, events))
  notifications.on(IDENTITY_CHANNEL, (id) => {
    identities.drop(id)
    longPolls.wakeBot(id)
  })
  notifications.onConnect(() => {
    identities.drop()
    callers.drop()
    longPolls.wakeAll()
    void tail.lookForLost().catch(() => {}) // the worker looks again
  })
  let keys: Worker | undefined
  notifications.on(KEY_CHANNEL, () => keys?.wake())
  notifications.onConnect(() => keys?.wake())
  await announceKeys(notifications, secrets)
  await notifications.start()
  keys = new Worker('secret key', parts, LOOK_FOR_KEYS_MS, async () => {
    await refreshSecrets({ db, config, secrets })
    await announceKeys(notifications, secrets)
  })
  const clientDocuments = new ClientDocuments([], clock)
  const telemetry = config.telemetry
    ? new (await import('./telemetry/telemetry.ts')).Telemetry(config.telemetry, parts)
    : undefined
  const attemptNotes = new AttemptNotes(db, clock, log)
  const primaries = [connection.primary, connection.direct?.primary].filter(
    (primary) => primary !== undefined,
  )
  const rateLimiter = new RateLimiter(db, clock, ({ orgId, botId }) => {
    db.write(orgId, (tx) => tellLimitUsedUp(tx, { secrets, config }, botId)).catch((error: unknown) => {
      log.error({ err: error, orgId, botId }, 'a bot used up the rate limit, and nobody could be told')
    })
  })
  const running = [
    keys,
    ...primaries.map(
      (primary, index) =>
        new Worker(index === 0 ? 'primary database' : 'primary database, directly', parts, PRIMARY_MS, () =>
          primary.check(),
        ),
    ),
    new Worker('lost wake-ups', parts, LOOK_FOR_LOST_MS, () => tail.lookForLost()),
    new Worker('clock', parts, CLOCK_MS, () => databaseClock.measure(db)),
    new Worker('acknowledgements', parts, ACKNOWLEDGE_MS, () => acknowledgements.write(db)),
    new Worker('budgets of bots', parts, SETTLE_BUDGETS_MS, () => botBudgets.settle()),
    new Worker('attempts to sign in', parts, SETTLE_ATTEMPTS_MS, () => attemptNotes.settle()),
    new Worker('rate limits', parts, FORGET_LIMITS_MS, async () => rateLimiter.sweep()),
  ]

  return {
    config,
    log,
    clock,
    databaseClock,
    db,
    slowQueries,
    secrets,
    notifications,
    identities,
    callers,
    clientDocuments,
    tokens: new Tokens(secrets, clock, config),
    nonces: new Nonces(db),
    rateLimiter,
    ceilings,
    bodies,
    draining: new Draining(),
    wake,
    longPolls,
    tail,
    acknowledgements,
    files,
    images,
    links: new Links(secrets, config, clock),
    topics,
    messages: new MessageWriter(db, secrets, {
      limit: config.groupLimit,
      ...(db.isSpread && { homes: new Homes(db) }),
      directory: topics,
      askAboutTexts: messageCheck.ask,
      queueMs: config.queueMs,
      stallMs: config.stallMs,
      ceilings,
      ...(config.linkPreviews && {
        onLinks: (messages) => {
          wantPreviews(db, messages, clock()).catch((error: unknown) =>
            log.warn({ err: error }, 'links of messages stay without a preview'),
          )
        },
      }),
    }),
    messageCheck,
    recentPages,
    ephemeral,
    presence,
    activity,
    pushKey,
    botLoops,
    botBudgets,
    streaming,
    attemptNotes,
    updates: new UpdateReader(db),
    members: new MemberReader(db),
    siblings: new Siblings(),
    telemetry,
    workers,
    lookout,
    async close() {
      await telemetry?.close() // asks the database for some of the metrics
      await lookout.stop()
      bodies.stop()
      await Promise.all(running.map((worker) => worker.stop()))
      await acknowledgements.write(db).catch(() => {})
      await botBudgets.settle().catch(() => {})
      await attemptNotes.settle(true)
      await streaming.close()
      await presence.stop()
      ephemeral.stop()
      wake.stop()
      await notifications.stop()
      images.close()
      await clientDocuments.close()
      await messageCheck.close()
      files.storage.close()
      await db.close()
      await Promise.all(primaries.map((primary) => primary.close()))
    },
  }
}
