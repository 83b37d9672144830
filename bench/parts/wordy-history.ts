import { sql } from '../../server/db/sql.ts'
import { uuidFromTick } from '../../server/ids.ts'
import type { Backstage, Topic } from './cast.ts'

const YEAR_MS = 365 * 24 * 3600 * 1000
const HOUR_MS = 3_600_000
const BATCH = 20_000
const WORDS_EACH = 12

const SYLLABLES = [
  'ba',
  'ce',
  'di',
  'fo',
  'gu',
  'ka',
  'le',
  'mi',
  'no',
  'pu',
  'ra',
  'se',
  'ti',
  'vo',
  'wu',
  'ze',
  'lan',
  'mer',
]

/** Five thousand invented words of two to four syllables. */
export const WORDS: readonly string[] = Array.from({ length: 5000 }, (_, number) => {
  let word = ''
  for (let rest = number + SYLLABLES.length; rest > 0; rest = Math.floor(rest / SYLLABLES.length))
    word += SYLLABLES[rest % SYLLABLES.length]
  return word
})

/** Words are distributed as in speech: a few are frequent, most are rare. The first ones are in every third message. */
export const wordNumber = (share: number): number => Math.floor(WORDS.length ** share) - 1

/** Fills topics, which take turns, with messages of such words, spread over the last year. */
export async function writeWordyHistory(
  { db, orgId }: Backstage,
  topics: readonly Topic[],
  messages: number,
): Promise<void> {
  const begin = Date.now() - YEAR_MS
  const step = (YEAR_MS - HOUR_MS) / messages
  const sentence = () => Array.from({ length: WORDS_EACH }, () => WORDS[wordNumber(Math.random())]).join(' ')
  const writeBatch = async (first: number): Promise<void> => {
    const numbers = Array.from({ length: Math.min(BATCH, messages - first) }, (_, index) => first + index)
    const times = numbers.map((number) => Math.floor(begin + number * step))
    const topicOf = (number: number) => topics[number % topics.length]
    await db.query(sql`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select ${orgId}, x.id, x.topic_id, x.sender_id, 'text', x.text, x.at, x.at
      from unnest(${times.map((ms, index) => uuidFromTick({ ms, count: index % 4096 }))}::uuid[],
        ${numbers.map((number) => topicOf(number)?.id)}::uuid[], ${numbers.map((number) => topicOf(number)?.bots[0]?.id)}::text[],
        ${numbers.map(sentence)}::text[], ${times}::bigint[]) as x (id, topic_id, sender_id, text, at)`)
  }
  // Two connections use two cores.
  for (let first = 0; first < messages; first += 2 * BATCH)
    await Promise.all([first, first + BATCH].filter((begins) => begins < messages).map(writeBatch))
  await db.query(sql`vacuum analyze messages`)
  await db.query(sql`checkpoint`)
}
