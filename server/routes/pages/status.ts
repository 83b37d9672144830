import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readLastBackup } from '../../backup/schedule.ts'
import { type MigrationState, readMigrationState } from '../../db/migrate.ts'
import { languageOf } from '../../http/language.ts'
import { escapeHtml, readPage, sendPage } from '../../http/pages.ts'
import { readStatusToken } from '../../http/status-link.ts'
import type { Parley } from '../../parley.ts'
import {
  failingWorkers,
  isSilent,
  type NodeRow,
  readStatus,
  type Standby,
  type Status,
} from '../../queries/organization/status.ts'
import { remembered } from '../../remembered.ts'
import { STATUS_TEXTS, type StatusTexts } from './status-texts.ts'

const MB = 1024 * 1024
/** The age up to which an answer is reused, to spare the database. */
const FRESH_MS = 3000

type Request = FastifyRequest<{ Params: { token: string } }>
type Found = { status: Status; migrations: MigrationState; backup: { at: number; place: string } | undefined }
/** A label with its text; `isWrong` marks what an operator should look at. */
type Fact = { label: string; text: string; isWrong?: boolean }

/** The page of `parley status`, for anyone with a link that `parley status --link` made. */
export function statusRoute(app: FastifyInstance, parley: Parley): void {
  const look = remembered<Found>(FRESH_MS)

  app.get('/status/:token', async (request: Request, reply) => {
    const endsAt = readStatusToken(parley.secrets, request.params.token, parley.clock())
    if (endsAt === undefined) return reply.callNotFound()
    const language = languageOf(request)
    const texts = STATUS_TEXTS[language]
    const content = show(await look('status', () => read(parley)), texts, endsAt)
    return sendPage(
      reply,
      (await readPage('status.html'))
        .replace('lang="en"', `lang="${language}"`)
        .replaceAll('{title}', texts.title)
        .replace('<!-- content -->', () => content),
    )
  })
}

async function read({ db, clock }: Pick<Parley, 'clock' | 'db'>): Promise<Found> {
  const status = await readStatus(db, clock())
  return { status, migrations: await readMigrationState(db.pool), backup: await readLastBackup(db) }
}

function show({ status, migrations, backup }: Found, texts: StatusTexts, endsAt: number): string {
  const { at, nodes, database, standbys, queues, webhooks, filesBytes, search } = status
  const { number, duration, time } = texts
  const megabytes = (bytes: number) => `${number(bytes / MB)} MB`
  return [
    `<p class="quiet">${texts.asOf(time(at), time(endsAt))} <a href="">${texts.lookAgain}</a></p>`,
    `<h2>${texts.nodes}</h2>`,
    showNodes(nodes, at, texts),
    `<h2>${texts.database}</h2>`,
    showFacts([
      {
        label: 'PostgreSQL',
        text: `${database.version}${database.isStandby ? `, ${texts.isStandby}` : ''}, ${megabytes(database.sizeBytes)}`,
      },
      {
        label: texts.connections,
        text: texts.of(number(database.connections), number(database.maxConnections)),
        isWrong: database.connections >= database.maxConnections * 0.9,
      },
      describeMigrations(migrations, texts),
      ...standbys.map((standby) => describeStandby(standby, texts)),
    ]),
    `<h2>${texts.work}</h2>`,
    showFacts([
      {
        label: texts.deliveries,
        text: texts.waiting(number(webhooks.pendingDeliveries), duration(webhooks.lagSeconds)),
      },
      { label: texts.pausedBots, text: number(webhooks.pausedBots), isWrong: webhooks.pausedBots > 0 },
      { label: texts.leases, text: texts.leased(number(webhooks.leasedBots), number(webhooks.leaseHolders)) },
      ...queues.map(({ kind, waiting, lateSeconds }) => ({
        label: texts.kinds[kind] ?? kind,
        text: texts.late(number(waiting), duration(lateSeconds)),
      })),
      // The error's text is left out, because the link may be passed on.
      ...failingWorkers(nodes).map(({ name, node, failuresInARow, failingSince }) => ({
        label: `${name} (${node})`,
        text: texts.failing(number(failuresInARow), duration((at - failingSince) / 1000)),
        isWrong: true,
      })),
      {
        label: texts.search,
        text: texts.notFound(number(search.events + search.waiting + search.olderTotal - search.olderDone)),
      },
      { label: texts.files, text: megabytes(filesBytes) },
      backup
        ? { label: texts.backup, text: texts.backupOf(duration((at - backup.at) / 1000), backup.place) }
        : { label: texts.backup, text: texts.noBackup, isWrong: true },
    ]),
  ].join('\n')
}

function showNodes(nodes: readonly NodeRow[], now: number, texts: StatusTexts): string {
  if (nodes.length === 0) return `<p class="wrong">${texts.noNode}</p>`
  const { number, duration } = texts
  const rows = nodes.map((node) => {
    const silent = isSilent(node, now)
    const state = silent
      ? texts.silentFor(duration((now - node.seenAt) / 1000))
      : node.isStopping
        ? texts.stopping
        : texts.upFor(duration((now - node.startedAt) / 1000))
    return `<tr><th scope="row">${escapeHtml(node.name)}</th>${cell(node.version)}${cell(state, silent)}${cell(node.roles.join(', '))}${cell(`${number(node.memoryMb)} MB`)}${cell(`${number(node.freeDiskMb)} MB`)}${cell(number(node.parkedPolls))}</tr>`
  })
  const head = texts.columns.map((name) => `<th scope="col">${name}</th>`).join('')
  return `<div class="scrolls" tabindex="0" role="region" aria-label="${texts.nodes}"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

const cell = (text: string, isWrong = false): string =>
  `<td${isWrong ? ' class="wrong"' : ''}>${escapeHtml(text)}</td>`

function showFacts(facts: readonly Fact[]): string {
  const rows = facts.map(
    ({ label, text, isWrong }) => `<tr><th scope="row">${escapeHtml(label)}</th>${cell(text, isWrong)}</tr>`,
  )
  return `<table class="facts"><tbody>${rows.join('')}</tbody></table>`
}

function describeMigrations({ changed, pending, newer }: MigrationState, texts: StatusTexts): Fact {
  const label = texts.migrations
  if (changed.length > 0) return { label, text: texts.changed(changed.join(', ')), isWrong: true }
  if (pending.length > 0) return { label, text: texts.pending(pending.join(', ')), isWrong: true }
  if (newer.length > 0) return { label, text: texts.newer(newer.join(', ')), isWrong: true }
  return { label, text: texts.upToDate }
}

function describeStandby({ name, state, sync, lagSeconds, missingBytes }: Standby, texts: StatusTexts): Fact {
  const label = `Standby ${name ?? ''}`.trim()
  if (state === null) return { label, text: texts.notShown, isWrong: true }
  const behind = lagSeconds === null ? [] : [texts.behind(texts.duration(lagSeconds))]
  const missing = missingBytes === null ? [] : [texts.missing(texts.number(missingBytes / 1024))]
  return { label, text: [state, sync ?? '', ...behind, ...missing].filter(Boolean).join(', ') }
}
