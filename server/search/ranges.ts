import type { Queryable } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { FIRST_ID, LAST_ID } from '../ids.ts'

/** Documents of a full range. Each step through older messages makes one. */
export const RANGE_DOCUMENTS = 4000
/** A range that would have more than this is divided. */
const MAX_DOCUMENTS = 2 * RANGE_DOCUMENTS

/** The term of the documents of a range. */
export const rangeTerm = (name: string): string => `s:${name}`

/** Begins a range at this message: those that follow up to the next range are its documents, and are written after this. */
export async function beginRange(
  tx: Queryable,
  orgId: string,
  { firstId, documents }: { firstId: string; documents: number },
): Promise<void> {
  await tx.query(sql`
    insert into search_ranges (org_id, first_id, name, documents) values (${orgId}, ${firstId}, ${firstId}, ${documents})
    on conflict do nothing`)
}

/** Counts documents of the oldest range, which is there from the beginning. */
export async function countOldest(tx: Queryable, orgId: string, documents: number): Promise<void> {
  await tx.query(sql`
    update search_ranges set documents = documents + ${documents} where org_id = ${orgId} and first_id = ${FIRST_ID}`)
}

/** Counts messages that are newer than all before, and begins a range with them once the newest is full. */
export async function continueNewestRange(
  tx: Queryable,
  orgId: string,
  ids: readonly string[],
): Promise<void> {
  const [newest] = await tx.query<{ first_id: string; documents: number; last_id: string | null }>(sql`
    select s.first_id, s.documents,
      (select d.id from search_documents d where d.org_id = ${orgId} order by d.org_id desc, d.id desc limit 1) as last_id
    from search_ranges s where s.org_id = ${orgId} order by s.first_id desc limit 1`)
  if (!newest) return
  const lastId = newest.last_id ?? FIRST_ID
  const fresh = ids.filter((id) => id > lastId).sort()
  const [firstId] = fresh
  if (firstId === undefined) return
  if (newest.documents >= RANGE_DOCUMENTS) return beginRange(tx, orgId, { firstId, documents: fresh.length })
  await tx.query(sql`
    update search_ranges set documents = documents + ${fresh.length}
    where org_id = ${orgId} and first_id = ${newest.first_id}`)
}

/**
 * Makes room for messages of any age that are about to be written. A range that they would make too large is divided:
 * its newest documents move into ranges of their own, a range's worth at a time.
 */
export async function makeRoom(tx: Queryable, orgId: string, ids: readonly string[]): Promise<void> {
  const grown = await tx.query<Grown>(sql`
    with x as (
      select x.id, (select s.first_id from search_ranges s where s.org_id = ${orgId} and s.first_id <= x.id order by s.first_id desc limit 1) as first_id
      from unnest(${ids}::uuid[]) as x (id)
      where not exists (select from search_documents d where d.org_id = ${orgId} and d.id = x.id)
    ), grown as (
      select first_id, array_agg(id) as ids from x group by first_id
    ), counted as (
      update search_ranges s set documents = s.documents + cardinality(g.ids) from grown g
      where s.org_id = ${orgId} and s.first_id = g.first_id returning s.first_id, s.name, s.documents, g.ids
    )
    select c.first_id, c.name, c.ids, (
      select n.first_id from search_ranges n where n.org_id = ${orgId} and n.first_id > c.first_id order by n.first_id limit 1
    ) as next_id
    from counted c where c.documents > ${MAX_DOCUMENTS}`)
  for (const range of grown) await divide(tx, orgId, range)
}

type Grown = { first_id: string; name: string; next_id: string | null; ids: string[] }

async function divide(
  tx: Queryable,
  orgId: string,
  { first_id: firstId, name, next_id: nextId, ids }: Grown,
) {
  let until = nextId ?? LAST_ID
  const written = await tx.query<{ id: string }>(sql`
    select d.id from search_documents d where d.org_id = ${orgId} and d.id >= ${firstId} and d.id < ${until}`)
  const newestFirst = [...written.map(({ id }) => id), ...ids].sort().reverse()
  let rest = newestFirst.length
  for (let at = RANGE_DOCUMENTS; rest > MAX_DOCUMENTS; at += RANGE_DOCUMENTS, rest -= RANGE_DOCUMENTS) {
    const cut = newestFirst[at - 1] ?? firstId
    await beginRange(tx, orgId, { firstId: cut, documents: RANGE_DOCUMENTS })
    await tx.query(sql`
      update search_documents d set terms = ts_delete(d.terms, ${rangeTerm(name)}) || ${`'${rangeTerm(cut)}'`}::tsvector
      where d.org_id = ${orgId} and d.id >= ${cut} and d.id < ${until}`)
    until = cut
  }
  await tx.query(sql`
    update search_ranges set documents = ${rest} where org_id = ${orgId} and first_id = ${firstId}`)
}
