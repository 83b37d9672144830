import { AsyncLocalStorage } from 'node:async_hooks'
import { afterAll, beforeAll } from 'vitest'
import { AttemptNotes } from '../../server/actions/accounts/account-audit.ts'
import { Database, type Row } from '../../server/db/database.ts'
import type { Sql } from '../../server/db/sql.ts'
import type { OpenTransaction, Transaction } from '../../server/db/transaction.ts'

type Open = { isOver: boolean }

/** The transaction in which the running code was called, if any. */
const within = new AsyncLocalStorage<Open>()
/** Places where the server asked the pool for a connection while a transaction of the same call held one. */
const found = new Set<string>()

const { query, transaction, write } = Database.prototype
const { note: noteAttempt } = AttemptNotes.prototype
let isWatching = false

/**
 * Refuses code that waits for a second connection while it holds one: as many calls at once as there are connections would wait
 * forever. The gate watches the files that call every operation, and the nightly run watches all of them.
 */
export function watchPool(): void {
  let isMine = false
  beforeAll(() => {
    isMine = !isWatching
    if (isMine) watch()
  })
  afterAll(() => {
    if (!isMine) return
    unwatch()
    const uses = [...found]
    found.clear()
    if (uses.length > 0) throw new Error(`the pool is asked inside of a transaction:\n${uses.join('\n\n')}`)
  })
}

function unwatch(): void {
  isWatching = false
  Object.assign(Database.prototype, { query, transaction, write })
  AttemptNotes.prototype.note = noteAttempt
  within.disable()
}

function watch(): void {
  isWatching = true
  /** Attempt notes run in the background, so they do not count as nested. */
  AttemptNotes.prototype.note = function (...attempt) {
    return within.exit(() => noteAttempt.apply(this, attempt))
  }

  Database.prototype.transaction = async function <Result>(
    this: Database,
    work: (tx: OpenTransaction) => Promise<Result>,
    begin?: string,
  ): Promise<Result> {
    note()
    const open = { isOver: false }
    const watched = (tx: OpenTransaction) => within.run(open, () => work(tx))
    try {
      return await transaction.call<Database, [typeof work, typeof begin], Promise<Result>>(
        this,
        watched,
        begin,
      )
    } finally {
      open.isOver = true
    }
  }

  Database.prototype.write = function <Result>(
    this: Database,
    orgId: string,
    work: (tx: Transaction) => Promise<Result>,
  ): Promise<Result> {
    note()
    // The write may run in a batch with others, whose call stack says nothing about this one.
    return within.exit(() => write.call<Database, [string, typeof work], Promise<Result>>(this, orgId, work))
  }

  Database.prototype.query = function <R extends Row>(this: Database, statement: Sql): Promise<R[]> {
    note()
    return query.call<Database, [Sql], Promise<R[]>>(this, statement)
  }
}

function note(): void {
  const open = within.getStore()
  if (!open || open.isOver) return
  const frames = (new Error().stack ?? '').split('\n').slice(3)
  const own = frames.filter((line) => line.includes('/server/') || line.includes('/test/'))
  const isOfTest = own.some((line) => line.includes('/test/'))
  if (!isOfTest) found.add(own.slice(0, 4).join('\n'))
}
