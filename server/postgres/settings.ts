import { existsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'

export type Settings = Record<string, string>

const MB = 1024 * 1024
/** An eighth of the memory, within these bounds: the rest is for Node, and for the system's own cache of the files. */
const SHARED_BUFFERS = { share: 1 / 8, least: 32 * MB, most: 256 * MB }
const STATEMENT_STATISTICS = 'pg_stat_statements'

/** Fitted to a messaging load on a small machine: many short durable writes, tables that mostly grow at their end. */
export function serverSettings(libraries: string, overrides: Settings, memory = availableMemory()): Settings {
  const sharedBuffers = Math.min(
    SHARED_BUFFERS.most,
    Math.max(SHARED_BUFFERS.least, memory * SHARED_BUFFERS.share),
  )
  return {
    // A committed message survives a power cut.
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',

    shared_buffers: megabytes(sharedBuffers),
    // The planner's guess of what is cached by us and the system together; nothing is allocated.
    effective_cache_size: megabytes(Math.max(memory / 2, sharedBuffers)),
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    // 10 to 30 connections per node; each idle one costs some 2 MB.
    max_connections: '100',

    // Queries are short and the machine small. Without parallel workers there is next to no dynamic shared memory, so it can
    // be a file: /dev/shm is 64 MB in a container, and systemd empties it when an ordinary user logs out.
    max_parallel_workers_per_gather: '0',
    max_parallel_maintenance_workers: '0',
    dynamic_shared_memory_type: 'mmap',
    // Compiling a query would take longer than our queries run.
    jit: 'off',
    // Solid-state disks read a random page about as fast as the next one.
    random_page_cost: '1.1',

    // Room for the batches of a group commit; the default would be 8 MB.
    wal_buffers: '16MB',
    // Each checkpoint makes the next write of every page a full one; fewer of them means less to write.
    max_wal_size: '2GB',
    min_wal_size: '256MB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: '0.9',
    // Full pages shrink to about a third. This build carries pglz only, not lz4 or zstd.
    wal_compression: 'pglz',
    // Nothing replicates from here: operators who need that run their own PostgreSQL. Saves the launcher process.
    max_logical_replication_workers: '0',

    // Small and often. Queues turn over in seconds, and a log that only grows needs its visibility map for index-only scans:
    // by default it would wait for a fifth of the table to be new.
    autovacuum_naptime: '15s',
    autovacuum_max_workers: '2',
    autovacuum_vacuum_cost_limit: '1000',
    autovacuum_vacuum_scale_factor: '0.05',
    autovacuum_vacuum_insert_threshold: '10000',
    autovacuum_vacuum_insert_scale_factor: '0.02',
    autovacuum_analyze_scale_factor: '0.02',

    // A transaction left open holds the organization's counter, and so every writer behind it.
    idle_in_transaction_session_timeout: '60s',
    // Ends the query of a client that was killed.
    client_connection_check_interval: '10s',

    // Errors of background processes appear only in this log. It holds no texts of people.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_line_prefix: '%m [%p] ',
    timezone: 'UTC',
    log_timezone: 'UTC',

    shared_preload_libraries: hasLibrary(libraries, STATEMENT_STATISTICS) ? STATEMENT_STATISTICS : '',
    ...overrides,
  }
}

export function asFlags(settings: Settings): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

const megabytes = (bytes: number) => `${Math.floor(bytes / MB)}MB`

const hasLibrary = (folder: string, name: string) =>
  ['so', 'dylib'].some((ending) => existsSync(join(folder, `${name}.${ending}`)))

/** The limit of the container, where there is one below the memory of the machine. */
function availableMemory(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}
