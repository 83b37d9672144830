import type pg from 'pg'
import { FIRST, type Placement } from './placement.ts'

/*
 * Live functions on the machines of a cluster. Citus hands each `create or replace` on to all workers, so that applying a file is also what
 * places its function.
 */

/** Is called for one organization, which its first argument names, outside of a transaction: then it runs whole on the machine that has it. */
const WRITING = 'write_messages'

/**
 * Whether a table lacks this trigger on a cluster: tables that every machine has cannot have triggers, a worker's
 * notifications reach no node, and the register of files is in the center. Actions do these (spread-news.ts,
 * held-files.ts).
 */
export const isLeftOut = (placement: Placement | undefined, definition: string): boolean =>
  placement === 'everywhere' || (placement === 'spread' && /pg_notify|update stored_files/.test(definition))

/** Drops the functions that copy_writer.sql has made of the former ones, on every machine; the next message makes them again. */
const WRITERS_OF_GROUPS = [
  'drop schema if exists group_writers cascade',
  'create schema if not exists group_writers',
]

/**
 * Drops these functions on each worker by itself. A coordinator whose settings keep changes to itself has a schema of its own, which
 * workers do not lose with it.
 */
export async function dropWritersOnWorkers(client: pg.Client): Promise<void> {
  await client.query(
    `select run_command_on_workers($$ do $do$ begin
       perform set_config('citus.enable_ddl_propagation', 'off', true);
       drop schema if exists group_writers cascade;
     end $do$ $$)`,
  )
}

/**
 * Lets functions run on the machine of their organization. Those of triggers ask for rows by the tables' own names, which are shards there;
 * Citus cannot plan that for any organization at once, as the writers of groups want their own statements planned.
 */
export async function fitFunctions(client: pg.Client): Promise<void> {
  for (const statement of WRITERS_OF_GROUPS) await client.query(statement)
  const { rows } = await client.query<{ signature: string }>(`
    select distinct p.oid::regprocedure::text as signature from pg_trigger t
    join pg_proc p on p.oid = t.tgfoid join pg_dist_partition d on d.logicalrelid = t.tgrelid
    where d.partmethod = 'h' and not t.tgisinternal and p.prosrc ~ '(update|insert|delete) '
      and (p.proconfig is null or 'plan_cache_mode=auto' <> all(p.proconfig))`)
  for (const { signature } of rows) {
    await client.query(`alter function ${signature} set citus.allow_nested_distributed_execution to on`)
    await client.query(`alter function ${signature} set plan_cache_mode to auto`)
  }
  const writing = await client.query<{ signature: string }>(
    'select oid::regprocedure::text as signature from pg_proc where proname = $1',
    [WRITING],
  )
  for (const { signature } of writing.rows) {
    // A plan that is made before the organization is known cannot be for one machine.
    await client.query(`alter function ${signature} reset plan_cache_mode`)
    await client.query(`select create_distributed_function($1, 'p_org', colocate_with => $2)`, [
      signature,
      FIRST,
    ])
  }
}

/** A trigger that a table must have, and the function of these files that it belongs to. */
export type WantedTrigger = { name: string; trigger: string; table: string; isOfShards: boolean }

/** A function that a worker lacks or has in another form than the coordinator, or one whose trigger some of its shards lack. */
export type Lacking = { name: string; trigger?: string }

/** `failure` says why a worker could not be asked. */
export type WorkerFunctions = { worker: string; lacking: Lacking[]; failure?: string }

type Found = { checksums: Record<string, string>; lacking: Lacking[] }

/**
 * Compares the functions of these names on every worker with those of the coordinator, and looks for the triggers on every shard of the
 * tables that are spread. A trigger of a shard has its number behind the name.
 */
export async function compareWorkers(
  client: pg.Client | pg.Pool,
  names: readonly string[],
  triggers: readonly WantedTrigger[],
): Promise<WorkerFunctions[]> {
  const { rows: questions } = await client.query<{ text: string }>(
    `select format($$
       select json_build_object('checksums', (
         select coalesce(json_object_agg(name, checksum), '{}') from (
           select proname as name, md5(string_agg(pg_get_functiondef(oid), '' order by pg_get_function_identity_arguments(oid))) as checksum
           from pg_proc where pronamespace = %1$L::regnamespace and proname = any(%2$L) group by proname
         ) f
       ), 'lacking', (
         select coalesce(json_agg(distinct jsonb_build_object('name', w.name, 'trigger', w.trigger || ' of ' || w."table")), '[]')
         from jsonb_to_recordset(%3$L) as w (name text, trigger text, "table" text)
         join pg_dist_partition d on d.logicalrelid = to_regclass(w."table") and d.partmethod = 'h'
         join pg_dist_shard s on s.logicalrelid = d.logicalrelid
         join pg_dist_placement p on p.shardid = s.shardid and p.groupid = (select groupid from pg_dist_local_group)
         where not exists (
           select from pg_trigger t where t.tgrelid = to_regclass(w."table" || '_' || s.shardid)
             and t.tgname in (w.trigger, w.trigger || '_' || s.shardid) and t.tgenabled <> 'D'
         )
       )) as found$$, current_schema(), $1::text[], $2::text) as text`,
    [names, JSON.stringify(triggers)],
  )
  const question = questions[0]?.text ?? ''
  const { rows: own } = await client.query<{ found: Found }>(question)
  const wanted = Object.entries(own[0]?.found.checksums ?? {})
  const { rows } = await client.query<{ worker: string; success: boolean; result: string }>(
    `select nodename || ':' || nodeport as worker, success, result from run_command_on_workers($1)`,
    [question],
  )
  return rows.map(({ worker, success, result }) => {
    if (!success) return { worker, lacking: [], failure: result }
    const { checksums, lacking }: Found = JSON.parse(result)
    const others = wanted.filter(([name, sum]) => checksums[name] !== sum).map(([name]) => ({ name }))
    return { worker, lacking: [...others, ...lacking] }
  })
}

export const describeLacking = (lacking: readonly Lacking[]): string =>
  lacking.map(({ name, trigger }) => (trigger === undefined ? name : `the trigger ${trigger}`)).join(', ')
