import type { Queryable } from '../db/database.ts'
import { type Sql, sql } from '../db/sql.ts'
import {
  type IndexedMessage,
  marksOf,
  namedEmoji,
  type SearchedTask,
  textsOf,
  withoutMentions,
} from './documents.ts'
import { readFileTexts, requestFileTexts, textsInFiles } from './file-texts.ts'
import { formsOf, languagesOf, stemTerms } from './stems.ts'
import { readWordPlaces, toVector, WORDS_AT_ONCE, type WordPlace } from './words.ts'

/** Messages of one statement; other requests wait some 2 ms for it. */
const WRITTEN_AT_ONCE = 100
/** Characters of one statement, of which there are more only in files. Other requests have their turn in between. */
const CHARACTERS_AT_ONCE = 200_000

/** Gives other requests their turn, by a statement: the database ends transactions that say nothing for seconds. */
const pause = (tx: Queryable): Promise<unknown> => tx.query(sql`select 1`)

type IndexTransaction = Queryable & { now(): number }

/** Messages as they are indexed, by a condition on `x`. */
export const readIndexed = (db: Queryable, orgId: string, condition: Sql): Promise<IndexedMessage[]> =>
  db.query<IndexedMessage>(sql`
    select x.id, x.topic_id, x.sender_id, x.type, x.text, x.mentions, x.details, x.attachments, x.parent_id, x.reply_count, x.reactions,
      exists (select from pins n where n.org_id = ${orgId} and n.topic_id = x.topic_id and n.message_id = x.id) as is_pinned
    from messages x where x.org_id = ${orgId} and ${condition}`)

/** Writes the documents of messages into their ranges, and asks for the text of files that were never read. */
export async function writeDocuments(
  tx: IndexTransaction,
  orgId: string,
  changed: readonly IndexedMessage[],
): Promise<void> {
  const messages = [...changed, ...(await readTelling(tx, orgId, changed))]
  const tasks = await readTasks(
    tx,
    orgId,
    messages.flatMap((message) => toldTask(message) ?? []),
  )
  const wanted = messages.filter((message) => message.type !== 'task' || tasks.has(toldTask(message) ?? ''))
  for (let index = 0; index < wanted.length; index += WRITTEN_AT_ONCE) {
    const some = wanted.slice(index, index + WRITTEN_AT_ONCE)
    const inFiles = await readFileTexts(tx, orgId, some)
    let [rows, characters]: [Row[], number] = [[], 0]
    for (const message of some) {
      const row = await rowOf(tx, message, tasks.get(toldTask(message) ?? ''), inFiles)
      rows.push(row)
      characters += row.characters
      if (characters < CHARACTERS_AT_ONCE) continue
      await writeRows(tx, orgId, rows)
      rows = []
      characters = 0
    }
    await writeRows(tx, orgId, rows)
    await requestFileTexts(tx, orgId, some)
  }
}

type Row = {
  message: IndexedMessage
  /** The words of each text by itself: a text is of one language. */
  texts: WordPlace[][]
  emoji: string[]
  characters: number
}

async function rowOf(
  tx: Queryable,
  message: IndexedMessage,
  task: SearchedTask | undefined,
  inFiles: ReadonlyMap<string, string>,
): Promise<Row> {
  const own = textsOf(message, task)
    .map(({ text }) => withoutMentions(text))
    .join('\n')
  const texts = [own, ...textsInFiles(message, inFiles)]
  const places: WordPlace[][] = []
  for (const text of texts) places.push(await readWordPlaces(text, () => pause(tx)))
  return {
    message,
    texts: places,
    emoji: namedEmoji(own),
    characters: texts.reduce((sum, { length }) => sum + length, 0),
  }
}

async function writeRows(tx: Queryable, orgId: string, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return
  const forms = await formsOf(
    tx,
    rows.flatMap(({ texts }) => texts.flat()),
  )
  const vectorOf = async ({ message, texts, emoji }: Row): Promise<string> => {
    const terms = new Set([...marksOf(message), ...emoji])
    for (const places of texts) {
      const languages = languagesOf(places, forms)
      const different = new Map(places.map((place) => [place.raw, place]))
      for (const place of different.values())
        for (const stem of stemTerms(place, forms, languages)) terms.add(stem)
      if (places.length > WORDS_AT_ONCE) await pause(tx)
    }
    const words = texts.flatMap((places) => places.map(({ word }) => word))
    return toVector(words, terms)
  }
  const vectors: string[] = []
  for (const row of rows) vectors.push(await vectorOf(row))
  await tx.query(sql`
    insert into search_documents as d (org_id, id, topic_id, task_id, terms)
    select ${orgId}, x.id, x.topic_id, x.task_id, x.terms::tsvector || ('''s:' || (
        select s.name from search_ranges s
        where s.org_id = ${orgId} and s.first_id <= x.id order by s.first_id desc limit 1) || '''')::tsvector
    from unnest(${rows.map(({ message }) => message.id)}::uuid[], ${rows.map(({ message }) => message.topic_id)}::uuid[],
      ${rows.map(({ message }) => toldTask(message) ?? null)}::uuid[], ${vectors}::text[]
    ) as x (id, topic_id, task_id, terms)
    on conflict (org_id, id) do update
    set topic_id = excluded.topic_id, task_id = excluded.task_id, terms = excluded.terms
    where (d.topic_id, d.task_id, d.terms) is distinct from (excluded.topic_id, excluded.task_id, excluded.terms)`)
}

/** The task that a message tells of first. Every other message about it only says that it may have changed. */
const toldTask = ({ details }: IndexedMessage): string | undefined =>
  details?.task?.action === 'Added' ? details.task.id : undefined

/** The messages that told of tasks which others say have changed. Documents of tasks that are gone are deleted. */
async function readTelling(
  tx: Queryable,
  orgId: string,
  changed: readonly IndexedMessage[],
): Promise<IndexedMessage[]> {
  const touched = changed.flatMap((message) =>
    message.details?.task && toldTask(message) === undefined ? message.details.task.id : [],
  )
  if (touched.length === 0) return []
  await tx.query(sql`
    delete from search_documents d where d.org_id = ${orgId} and d.task_id = any(${touched}::uuid[])
      and not exists (select from tasks k where k.org_id = ${orgId} and k.id = d.task_id)`)
  const known = new Set(changed.map(({ id }) => id))
  const telling = await readIndexed(
    tx,
    orgId,
    sql`x.id in (select d.id from search_documents d where d.org_id = ${orgId} and d.task_id = any(${touched}::uuid[]))`,
  )
  return telling.filter(({ id }) => !known.has(id))
}

async function readTasks(
  tx: Queryable,
  orgId: string,
  taskIds: readonly string[],
): Promise<Map<string, SearchedTask>> {
  if (taskIds.length === 0) return new Map()
  const rows = await tx.query<SearchedTask & { id: string }>(sql`
    select id, title, description from tasks where org_id = ${orgId} and id = any(${taskIds}::uuid[])`)
  return new Map(rows.map(({ id, ...task }) => [id, task]))
}
