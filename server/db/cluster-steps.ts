import type pg from 'pg'
import { OperatorError } from '../errors.ts'
import { queryableOf } from './database.ts'
import { OWN, type Placement, readPlacements, readSpreadState } from './placement.ts'

/*
 * Looks for everything that a cluster lacks before organizations can be spread over it, before anything is changed, and tells it in the
 * order in which it is to be done, so that an operator is not sent on one errand after the other.
 */

/** The version that this was tried with; older ones lack functions that are used here. */
const OLDEST_CITUS = 13
const COORDINATOR = 'On the coordinator'

/** Something to be done: where, why, and the statements or the words for it. */
export type ClusterStep = { where: string; lacks: string; fix: readonly string[] }

/** Refuses a cluster that is not ready, with everything that is to be done. */
export async function refuseUnready(client: pg.Client): Promise<void> {
  const steps = await readClusterSteps(client)
  if (steps.length === 0) return
  const lines = steps.flatMap(({ where, lacks, fix }, index) => [
    `${index + 1}. ${where}: ${lacks}`,
    ...fix.map((line) => `     ${line}`),
  ])
  throw new OperatorError(
    [
      'Organizations cannot be spread yet. Nothing was changed. This is missing, in order:',
      ...lines,
      'Then run "parley migrate --distributed" again.',
    ].join('\n'),
  )
}

export async function readClusterSteps(client: pg.Client): Promise<ClusterStep[]> {
  const extension = await findExtensionSteps(client)
  const workers = extension.isInstalled
    ? await findMachineSteps(client)
    : [stepForCoordinator(client), await stepForWorkers(client)]
  return [...extension.steps, ...workers, ...(await findRunning(client))]
}

const nameOf = (client: pg.Client): string => client.escapeIdentifier(client.database ?? '')

async function findExtensionSteps(
  client: pg.Client,
): Promise<{ steps: ClusterStep[]; isInstalled: boolean }> {
  const { rows } = await client.query<{
    available: string | null
    installed: string | null
    loaded: boolean
    libraries: string | null
  }>(`
    select (select default_version from pg_available_extensions where name = 'citus') as available,
      (select installed_version from pg_available_extensions where name = 'citus') as installed,
      current_setting('citus.shard_count', true) is not null as loaded,
      (select setting from pg_settings where name = 'shared_preload_libraries') as libraries`)
  const { available = null, installed = null, loaded = false, libraries = null } = rows[0] ?? {}
  const steps: ClusterStep[] = []
  const each = 'On the coordinator and on each worker'
  const isOld = (version: string | null) => version !== null && Number.parseInt(version, 10) < OLDEST_CITUS
  if (available === null || isOld(available))
    steps.push({
      where: each,
      lacks:
        available === null
          ? 'this PostgreSQL has no extension Citus; DATABASE_URL must name the coordinator of a cluster'
          : `Citus is ${available}`,
      fix: [`Install Citus ${OLDEST_CITUS} or newer, in the form for this version of PostgreSQL.`],
    })
  if (!loaded) {
    const others = (libraries ?? '').split(',').filter((name) => name.trim() !== '')
    const list = ['citus', ...others].map((name) => client.escapeLiteral(name.trim())).join(', ')
    steps.push({
      where: each,
      lacks: 'PostgreSQL does not load Citus when it starts',
      fix: [`alter system set shared_preload_libraries = ${list};`, 'Then restart PostgreSQL.'],
    })
  }
  if (installed === null)
    steps.push({
      where: COORDINATOR,
      lacks: 'the extension Citus is not in this database',
      fix: ['create extension citus;'],
    })
  else if (isOld(installed))
    steps.push({
      where: each,
      lacks: `the extension in this database is Citus ${installed}`,
      fix: ['alter extension citus update;'],
    })
  return { steps, isInstalled: installed !== null && loaded }
}

const stepForCoordinator = (client: pg.Client): ClusterStep => ({
  where: COORDINATOR,
  lacks: 'the coordinator has no address at which workers reach it',
  fix: [`select citus_set_coordinator_host('HOST', ${client.port});`],
})

async function stepForWorkers(client: pg.Client): Promise<ClusterStep> {
  const { rows } = await client.query<Locale>(
    `select pg_encoding_to_char(encoding) as encoding, datcollate as collate, datctype as ctype
     from pg_database where datname = current_database()`,
  )
  return {
    where: 'On each worker, then on the coordinator',
    lacks: 'no machine of this cluster takes organizations',
    fix: [
      ...rows.map((locale) => creationOf(client, locale)),
      'create extension citus; (in that database)',
      `select citus_add_node('HOST', 5432); (on the coordinator, for each worker)`,
    ],
  }
}

type Locale = { encoding: string; collate: string; ctype: string }

const creationOf = (client: pg.Client, { encoding, collate, ctype }: Locale): string =>
  `create database ${nameOf(client)} template template0 encoding ${client.escapeLiteral(encoding)} lc_collate ${client.escapeLiteral(collate)} lc_ctype ${client.escapeLiteral(ctype)};`

type Node = { name: string; host: string; port: number; isActive: boolean; isSynced: boolean; takes: boolean }

async function findMachineSteps(client: pg.Client): Promise<ClusterStep[]> {
  const { rows: local } = await client.query<{ group: number }>(
    'select groupid as "group" from pg_dist_local_group',
  )
  if ((local[0]?.group ?? 0) !== 0)
    return [
      {
        where: 'In DATABASE_URL',
        lacks: 'it names a worker',
        fix: ['Let it name the coordinator of the cluster.'],
      },
    ]
  const { rows: coordinators } = await client.query(
    `select from pg_dist_node where groupid = 0 and noderole = 'primary'`,
  )
  const steps = coordinators.length === 0 ? [stepForCoordinator(client)] : []
  const { rows: nodes } = await client.query<Node>(`
    select nodename || ':' || nodeport as name, nodename as host, nodeport as port, isactive as "isActive",
      hasmetadata and metadatasynced as "isSynced", shouldhaveshards as takes
    from pg_dist_node where noderole = 'primary' order by groupid`)
  if (!nodes.some(({ takes }) => takes)) return [...steps, await stepForWorkers(client)]
  const asleep = nodes.filter(({ isActive }) => !isActive)
  const unsynced = nodes.filter(({ isActive, isSynced }) => isActive && !isSynced)
  const call = (act: string, { host, port }: Node) => [
    `select ${act}(${client.escapeLiteral(host)}, ${port});`,
  ]
  return [
    ...steps,
    ...asleep.map((node) => ({
      where: COORDINATOR,
      lacks: `${node.name} is not active`,
      fix: call('citus_activate_node', node),
    })),
    ...unsynced.map((node) => ({
      where: COORDINATOR,
      lacks: `${node.name} does not know what the coordinator knows`,
      fix: call('start_metadata_sync_to_node', node),
    })),
    ...(await findWorkerSteps(client)),
  ]
}

type Traits = Locale & { citus: string; tables: string[] }

/** Looks at the database of each worker: whether it answers, is made alike, and is free of tables that are to be placed. */
async function findWorkerSteps(client: pg.Client): Promise<ClusterStep[]> {
  const { rows: questions } = await client.query<{ text: string }>(
    `select format($$
       select json_build_object(
         'citus', (select extversion from pg_extension where extname = 'citus'), 'encoding', pg_encoding_to_char(encoding),
         'collate', datcollate, 'ctype', datctype,
         'tables', (select coalesce(json_agg(relname order by relname), '[]') from pg_class
           where relnamespace = %L::regnamespace and relkind in ('r', 'p') and relname = any(%L))
       ) as traits from pg_database where datname = current_database()$$, current_schema(), $1::text[]) as text`,
    [await findUnplaced(client)],
  )
  const question = questions[0]?.text ?? ''
  const { rows: own } = await client.query<{ traits: Traits }>(question)
  const wanted = own[0]?.traits
  const { rows } = await client.query<{ worker: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as worker, success, result from run_command_on_workers($1)`,
    [question],
  )
  return rows.flatMap(({ worker, success, result }): ClusterStep[] => {
    const where = `On ${worker}`
    if (!success)
      return [{ where, lacks: `it does not answer (${result})`, fix: ['Start it, or see to the way to it.'] }]
    const found: Traits = JSON.parse(result)
    const steps: ClusterStep[] = []
    if (wanted && found.citus !== wanted.citus)
      steps.push({
        where,
        lacks: `its extension is Citus ${found.citus}, that of the coordinator is ${wanted.citus}`,
        fix: ['alter extension citus update;'],
      })
    if (wanted && describeLocale(found) !== describeLocale(wanted))
      steps.push({
        where,
        lacks: `its database has ${describeLocale(found)}, that of the coordinator has ${describeLocale(wanted)}`,
        fix: [
          `drop database ${nameOf(client)}; (nothing of an organization is in it yet), then:`,
          creationOf(client, wanted),
        ],
      })
    if (found.tables.length > 0)
      steps.push({
        where,
        lacks: `its database has tables of its own that would be in the way: ${found.tables.slice(0, 5).join(', ')}`,
        fix: ['Take an empty database there, or drop these tables if nobody needs them.'],
      })
    return steps
  })
}

const describeLocale = ({ encoding, collate, ctype }: Locale): string => `${encoding}, ${collate}, ${ctype}`

/** The tables of this database that have no place in the cluster yet. */
async function findUnplaced(client: pg.Client): Promise<string[]> {
  return (await readMissing(client)).map(({ name }) => name)
}

export type Missing = { name: string; placement: Placement }

/** The tables without a place. */
export async function readMissing(client: pg.Client): Promise<Missing[]> {
  const placements = await readPlacements(queryableOf(client))
  const { rows } = await client.query<{ name: string }>(
    'select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid',
  )
  const known = new Set(rows.map(({ name }) => name))
  return [...placements]
    .filter(([name]) => !known.has(name) && !OWN.has(name))
    .map(([name, placement]) => ({ name, placement }))
}

/** Servers must be stopped while tables are moved. Where all have their places, nothing is. */
async function findRunning(client: pg.Client): Promise<ClusterStep[]> {
  if ((await readSpreadState(queryableOf(client))) === 'finished') return []
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'parley-listen'`,
  )
  const count = rows[0]?.count ?? 0
  if (count === 0) return []
  return [
    {
      where: 'On each node',
      lacks: `a server of Parley runs on this database, whose tables are to be moved`,
      fix: [`Stop all servers of Parley: ${count} of them now.`],
    },
  ]
}
