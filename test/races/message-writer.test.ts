import { expect, it } from 'vitest'
import { MessageWriter, type WriterDatabase } from '../../server/actions/messages/message-writer.ts'
import type { Row } from '../../server/db/database.ts'
import type { Statement } from '../../server/db/sql.ts'
import { Refusal } from '../../server/errors.ts'
import { Secrets } from '../../server/secrets.ts'
import { countOf } from '../support/thorough.ts'
import { atAnyTime, RacingDatabase, race } from './support.ts'

const ORG = '00000000-0000-4000-8000-000000000001'
const BOT = 'b@00000000-0000-4000-8000-00000000000b'
const topicId = (number: number) => `00000000-0000-4000-8000-00000000010${number}`
const [OPEN, CHANGING, LATER] = [topicId(0), topicId(1), topicId(2)]
const STARTED_AT = 1_700_000_000_000

/** An organization whose bot is in some topics, at each version of its memberships, and what was written into its log. */
class Organization {
  #versions: ReadonlySet<string>[] = [new Set([OPEN, CHANGING])]
  lastSeq = 0
  wronglyWritten: string[] = []

  get version(): number {
    return this.#versions.length - 1
  }

  isMember(topic: string, version = this.version): boolean {
    return this.#versions[version]?.has(topic) ?? false
  }

  change(topic: string, isMember: boolean): void {
    const topics = new Set(this.#versions[this.version])
    if (isMember) topics.add(topic)
    else topics.delete(topic)
    this.#versions.push(topics)
  }

  answer({ text, values }: Statement): Row[] {
    return text.includes('write_messages(') ? [this.#write(values)] : this.#topics(values)
  }

  #topics(values: readonly unknown[]): Row[] {
    const wanted = values[1]
    if (!Array.isArray(wanted)) throw new Error('the wanted topics are the second value')
    const found = wanted.filter((topic: string) => this.isMember(topic))
    return found.length > 0 ? found.map((topic) => this.#row(topic)) : [this.#row(null)]
  }

  #row(topic: string | null): Row {
    const more = { is_restricted: false, may_write: true, is_archived: false, are_bots_stopped: false }
    const member = { profile_id: BOT, name: 'Deploy bot', reach: 'everything', address_ids: [] }
    return { org_id: ORG, version: this.version, topic_id: topic, ...member, ...more, blocked_words: null }
  }

  #write(values: readonly unknown[]): Row {
    const [version, count, topics] = [listIn(values[2]), listIn(values[3]), listIn(values[9])]
    const none = { first_seq: null, first_ms: null, first_count: null, problems: null, bots: null }
    if (Number(version[0]) !== this.version) return { ...none, state: 'stale' }
    this.wronglyWritten.push(...topics.filter((topic) => !this.isMember(topic)))
    const firstSeq = this.lastSeq + 1
    this.lastSeq += Number(count[0])
    return { ...none, state: 'written', first_seq: firstSeq, first_ms: STARTED_AT + firstSeq, first_count: 0 }
  }
}

const listIn = (literal: unknown): string[] => String(literal).slice(1, -1).split(',')

it('accepts what is allowed and refuses what is not, however memberships change', async () => {
  const secrets = new Secrets('a secret that is long enough for this')
  const counts = { sent: 0, refused: 0 }
  await race((scheduler) => {
    const organization = new Organization()
    const racing = new RacingDatabase(scheduler, (statement) => organization.answer(statement))
    let told = 0
    const database: WriterDatabase = {
      query: (query) => racing.query(query),
      reserved: racing,
      isSpread: false,
      clock: () => STARTED_AT,
      onCommit: ({ events }) => {
        told += events().length
      },
      writeAs: () => Promise.reject(new Error('memberships changed too seldom for a transaction')),
    }
    const writer = new MessageWriter(database, secrets, { limit: 3 })
    let sent = 0

    const send = (topic: string) =>
      atAnyTime(scheduler, `send into ${topic.at(-1)}`, async () => {
        const first = organization.version
        const refusal = await writer
          .sendNow({ orgId: ORG, profileId: BOT }, { topicId: topic, text: 'Hello' })
          .then(
            () => undefined,
            (error: unknown) => error,
          )
        const during = Array.from({ length: organization.version - first + 1 }, (_, index) => first + index)
        const allowed = during.map((version) => organization.isMember(topic, version))
        if (refusal === undefined) {
          sent += 1
          counts.sent += 1
          expect(allowed).toContain(true)
          return
        }
        counts.refused += 1
        if (!(refusal instanceof Refusal)) throw refusal
        expect([refusal.status, refusal.message]).toEqual([404, 'Topic not found'])
        expect(allowed).toContain(false)
      })
    const change = (topic: string, isMember: boolean) =>
      atAnyTime(scheduler, `${isMember ? 'join' : 'leave'} ${topic.at(-1)}`, () =>
        organization.change(topic, isMember),
      )

    const sends = [OPEN, CHANGING, LATER, OPEN, CHANGING, OPEN].map(send)
    const changes = [change(CHANGING, false), change(LATER, true), change(CHANGING, true)]
    const judge = Promise.all(sends).then(() => {
      expect(organization.wronglyWritten).toEqual([])
      expect([organization.lastSeq, told]).toEqual([sent, sent])
    })
    return [...sends, ...changes, judge]
  })
  expect(counts.sent).toBeGreaterThan(countOf(250, 1000))
  expect(counts.refused).toBeGreaterThan(countOf(25, 100))
})
