import pg from 'pg'
import { type Placement, readPlacements } from '../../server/db/placement.ts'
import { CROSSING, names, type Sql, toStatement } from '../../server/db/sql.ts'

/*
 * Organizations can be spread over machines only as long as each statement stays on one of them. PostgreSQL itself knows what a
 * statement reads, and by what: it is asked for the plan, without values, in an empty database.
 */

const ADVICE = `Name the organization of each of these tables (\`org_id = \${orgId}\`, as a value of the statement; rows that are joined by org_id need it once). A
statement that must touch several organizations begins with \${crossing('why')}, of server/db/sql.ts; what is looked up before the organization
is known belongs into a table whose key has no org_id. See server/db/placement.ts and "Spreading organizations" in docs/scaling.md.`

type PlanNode = {
  'Node Type': string
  'Parent Relationship'?: string
  'Relation Name'?: string
  Operation?: string
  Alias?: string
  Output?: string[]
  Plans?: PlanNode[]
  [condition: string]: unknown
}

const CONDITIONS = ['Index Cond', 'Recheck Cond', 'Filter', 'Join Filter', 'TID Cond']
/** A cluster plans rows that are selected into a table of the center apart from what happens on a conflict. */
const VALUE_BEHIND_CONFLICT =
  /^\s*insert into (\w+)\b[^;]*?\)\s*select\b[\s\S]*\bon conflict\b[\s\S]*\bdo update\b[\s\S]*\$\d/i
const EXPLAINED = /^\s*(\/\*.*?\*\/\s*)?(select|with|insert|update|delete|merge|values)\b/is

/** Statements that the server used for the first time since the last call. Statements of tests are not among them: tests look wherever they want. */
export function takeNewTexts(): string[] {
  return fresh.splice(0)
}

const fresh: string[] = []
const remember = names.set.bind(names)
names.set = (text, name) => {
  if (!isAskedByTest()) fresh.push(text)
  return remember(text, name)
}

/** Whether the first file in the stack outside of the database's folder is a test. */
function isAskedByTest(): boolean {
  const frames = (new Error().stack ?? '')
    .split('\n')
    .filter((line) => line.includes('/server/') || line.includes('/test/'))
  const asking = frames.find(
    (line) => !line.includes('/server/db/') && !/\/(statement|pool)-rules\.ts/.test(line),
  )
  return asking?.includes('/test/') ?? false
}

/** The tables of organizations, with the place of `org_id` among the columns of each. */
type Tables = ReadonlyMap<string, number>

export class StatementRules {
  readonly #client: pg.Client
  readonly #tables: Tables
  readonly #central: ReadonlySet<string>

  private constructor(client: pg.Client, tables: Tables, central: ReadonlySet<string>) {
    this.#client = client
    this.#tables = tables
    this.#central = central
  }

  static async open(connection: pg.ClientConfig): Promise<StatementRules> {
    const client = new pg.Client(connection)
    await client.connect()
    const placements = await readPlacements({
      query: async <R extends pg.QueryResultRow>(query: Sql) => {
        const { text, values } = toStatement(query)
        return (await client.query<R>(text, values)).rows
      },
    })
    const central = [...placements].filter(([, place]) => place === 'central').map(([name]) => name)
    return new StatementRules(client, await readTables(client, placements), new Set(central))
  }

  close(): Promise<void> {
    return this.#client.end()
  }

  /** Explains why a statement is refused; undefined if it keeps the rules. */
  async refusal(text: string): Promise<string | undefined> {
    const faults = await this.faults(text)
    if (faults.length === 0) return undefined
    return `A statement touches rows of more than one organization:\n${text}\n\n${faults.map((fault) => `- ${fault}`).join('\n')}\n\n${ADVICE}`
  }

  /** The faults of a statement, a line for each table. */
  async faults(text: string): Promise<string[]> {
    if (!EXPLAINED.test(text) || text.includes(CROSSING)) return []
    const { rows } = await this.#client
      .query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (generic_plan, verbose, costs off, format json) ${text}`,
      )
      .catch((error: unknown) => {
        if (error instanceof pg.DatabaseError) return { rows: [] } // it is about tables that only a test has
        throw error
      })
    const plan = rows[0]?.['QUERY PLAN'][0].Plan
    const nodes = plan ? [...walk(plan)] : []
    const own = nodes.flatMap((node) => faultOf(node, nodes, this.#tables) ?? [])
    if (this.#central.has(VALUE_BEHIND_CONFLICT.exec(text)?.[1] ?? ''))
      own.push('a value stands behind "on conflict" alone, of rows that come from a list: a cluster loses it')
    return [...new Set(own)]
  }
}

async function readTables(client: pg.Client, placements: ReadonlyMap<string, Placement>): Promise<Tables> {
  const { rows } = await client.query<{ name: string; place: number }>(`
    select c.relname as name, a.attnum as place
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'org_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace`)
  const spread = rows.filter(({ name }) => placements.get(name) === 'spread')
  return new Map(spread.map(({ name, place }) => [name, place]))
}

function* walk(node: PlanNode): Iterable<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* walk(child)
}

function faultOf(node: PlanNode, nodes: readonly PlanNode[], tables: Tables): string | undefined {
  const table = node['Relation Name']
  const place = table === undefined ? undefined : tables.get(table)
  if (table === undefined || place === undefined) return undefined
  if (node['Node Type'] === 'ModifyTable') {
    if (node.Operation !== 'Insert') return undefined // the rows it changes are read by a node of its own
    const value = outputOf(node, place)
    if (!isConstant(value) && !isJoined(value, nodes, tables)) return `${table} gets rows of ${value}`
    return hasLookup(node, tables) ? `${table} gets values that are looked up inside of VALUES` : undefined
  }
  const alias = node.Alias ?? table
  const conditions = conditionsOf(node)
  if (conditions.flatMap((condition) => equalsOf(condition, alias)).some(isConstant)) return undefined
  const shown = alias === table ? table : `${table} (${alias})`
  return `${shown} is read by ${[...new Set(conditions)].join(' and ') || 'nothing: all of its rows'}`
}

/** Values that `org_id` must equal, for a row of this alias. */
function equalsOf(condition: string, alias: string): string[] {
  const column = `(?:"?${alias}"?\\.)?org_id`
  const after = condition.matchAll(new RegExp(`\\(${column} = ([^ ]+?)\\)(?= AND |\\)|$)`, 'g'))
  const before = condition.matchAll(new RegExp(`\\(([^ (]+) = ${column}\\)`, 'g'))
  return [...after, ...before].map((match) => match[1] ?? '')
}

/** A parameter or a literal, as plans show them: `$1`, `($1)::uuid`, `'…'::uuid`. */
const isConstant = (value: string): boolean => /^\(?(\$\d+|'[^']*'(::uuid)?)(\)::uuid)?$/.test(value)

/** Whether it is the organization of another row that this statement reads, which must be of one organization itself. */
function isJoined(value: string, nodes: readonly PlanNode[], tables: Tables): boolean {
  const alias = /^"?(\w+)"?\.org_id$/.exec(value)?.[1]
  return nodes.some(
    (node) =>
      node.Alias === alias &&
      (/^(CTE|Subquery) Scan$/.test(node['Node Type']) || tables.has(node['Relation Name'] ?? '')),
  )
}

function conditionsOf(node: PlanNode): string[] {
  const own = CONDITIONS.flatMap((name) => (typeof node[name] === 'string' ? [node[name]] : []))
  const below = (node.Plans ?? []).filter((child) => child['Node Type'].startsWith('Bitmap'))
  return [...own, ...below.flatMap(conditionsOf)]
}

const sourceOf = (insert: PlanNode): PlanNode | undefined =>
  insert.Plans?.find((plan) => plan['Parent Relationship'] === 'Outer')

/** The expression of a column of new rows. */
const outputOf = (insert: PlanNode, place: number): string =>
  sourceOf(insert)?.Output?.[place - 1] ?? 'some organization'

/** `values ((select …))`, which machines that share the work do not plan; `select …` in place of `values (…)` they do. */
function hasLookup(insert: PlanNode, tables: Tables): boolean {
  const source = sourceOf(insert)
  if (
    source?.['Node Type'] !== 'Result' ||
    source.Plans?.some(({ 'Parent Relationship': is }) => is === 'Outer')
  )
    return false
  return [...walk(insert)].some((node) => node !== insert && tables.has(node['Relation Name'] ?? ''))
}
