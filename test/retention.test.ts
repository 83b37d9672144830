import { describe, expect, it } from 'vitest'
import type { Message } from '../contract/message.ts'
import { textOf } from '../contract/refusals/index.ts'
import {
  deleteDueMessages,
  planMessageRetentionAgain,
  STEP,
} from '../server/actions/organization/message-retention.ts'
import { deleteOldMessages } from '../server/background/message-retention.ts'
import { crossing, type Sql, sql } from '../server/db/sql.ts'
import type { Transaction } from '../server/db/transaction.ts'
import { indexEverything } from '../server/search/indexer.ts'
import { organization as organizationOf, staticBot } from './support/cast.ts'
import { chatOf, refusal } from './support/chat.ts'
import { eventsFor } from './support/events.ts'
import { eventually } from './support/eventually.ts'
import { form } from './support/forms.ts'
import { endDelay, endTopicDelays } from './support/kept-messages.ts'
import { lastMail, mailsTo } from './support/mails.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { cast, lookWith, openTwoNodes, organization, server, wait } from './support/two-nodes.ts'
import { vacuumed } from './support/vacuumed.ts'

openTwoNodes()

const DAY = 86_400_000

const keep = (keepMessagesDays: number | null, who = cast.ada) =>
  who.patch(organization(), { keepMessagesDays })
const chooseIn = (topicId: string, keepMessagesDays: number | null, who = cast.ada) =>
  who.patch(`${organization()}/topics/${topicId}`, { keepMessagesDays })
/** Chooses a time that counts at once. */
const keepIn = async (topicId: string, keepMessagesDays: number | null, who = cast.ada) => {
  const answer = await chooseIn(topicId, keepMessagesDays, who)
  await endTopicDelays(server, cast.orgId)
  return answer
}
const newTopic = async (name: string, members: string[] = []): Promise<string> =>
  Object((await chatOf(cast.ada).post('topics', { name, members })).body).id
const say = async (text: string, topicId: string, more: object = {}, who: TestPerson = cast.ada) =>
  String(Object((await chatOf(who).post('messages', { topicId, text, ...more })).body).id)
const textsIn = async (topicId: string): Promise<string[]> =>
  (
    await server.parley.db.query<{ text: string }>(sql`
      select text from messages where org_id = ${cast.orgId} and topic_id = ${topicId} and not is_system order by id`)
  ).map(({ text }) => text)
/** The events of a topic in the log. */
const logOf = async (topicId: string): Promise<string> =>
  (
    await server.parley.db.query<{ data: string }>(sql`
      select data::text as data from events where org_id = ${cast.orgId} and topic_id = ${topicId} order by seq`)
  )
    .map(({ data }) => data)
    .join('\n')
const look = () => lookWith(deleteOldMessages)
/** Old messages, as an import writes them. */
const old = (topicId: string, count: number, daysAgo: number) =>
  server.parley.db.query(sql`
    insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
    select ${cast.orgId}, (lpad(to_hex(at), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || lpad(to_hex(n), 15, '0'))::uuid,
      ${topicId}, ${cast.ada.profileId}, 'text', 'old ' || n, at, at
    from (select n, ${server.parley.clock() - daysAgo * DAY}::bigint + n as at from generate_series(1, ${count}::int) n) x`)

describe('the time that messages are kept', () => {
  it('is for ever until an admin says otherwise, which is bounded and audited', async () => {
    expect(Object((await cast.ada.get(organization())).body).keepMessagesDays).toBe(null)
    const topicId = await newTopic('Forms')
    expect(Object((await cast.ada.get(`${organization()}/topics/${topicId}`)).body).keepMessagesDays).toBe(
      null,
    )
    expect(refusal(await keep(90, cast.ben))).toMatchObject({ status: 403 })
    expect(refusal(await keepIn(topicId, 90, cast.ben))).toMatchObject({ status: 403 })
    for (const days of [0, -1, 1.5, 36_501]) expect((await keep(days)).status, String(days)).toBe(400)
    for (const days of [-1, 1.5, 36_501]) expect((await keepIn(topicId, days)).status, String(days)).toBe(400)
    expect((await keepIn(cast.orgId, 90)).status).toBe(404)
    const told = async () =>
      Object((await cast.ada.get(`${organization()}/chat/topics/${topicId}`)).body).keepMessagesDays
    expect(await told()).toBe(undefined)
    await keep(365)
    await endDelay(server, cast.orgId)
    expect(await told()).toBe(365)
    expect(Object((await keepIn(topicId, 0)).body).keepMessagesDays).toBe(0)
    expect(await told()).toBe(undefined)
    expect(Object((await keepIn(topicId, 0)).body).keepMessagesDays).toBe(0)
    const { entries } = Object((await cast.ada.get(`${organization()}/audit?limit=2`)).body)
    expect(entries).toMatchObject([
      { action: 'topic.changed', changes: [{ field: 'keepMessagesDays', to: '0' }] },
      {
        action: 'organization.changed',
        actor: { kind: 'server' },
        changes: [{ field: 'keepMessagesDays', to: '365' }],
      },
    ])
    await keep(null)
  })

  it('is shortened for a topic by owners alone', async () => {
    const admin = await signInAs(server, { orgId: cast.orgId, name: 'Mel', role: 'admin' })
    const topicId = await newTopic('Closed to admins')
    const daysOf = (own: number | null, organizationDays: number | null) =>
      (own ?? organizationDays ?? 0) || Number.POSITIVE_INFINITY
    for (const organizationDays of [null, 30]) {
      await keep(organizationDays)
      await endDelay(server, cast.orgId)
      for (const own of [null, 0, 10, 60])
        for (const wanted of [null, 0, 5, 10, 60]) {
          expect((await keepIn(topicId, own)).status).toBe(200)
          const isShorter = daysOf(wanted, organizationDays) < daysOf(own, organizationDays)
          expect(
            refusal(await keepIn(topicId, wanted, admin)),
            `${organizationDays}: ${own} to ${wanted}`,
          ).toMatchObject(
            isShorter ? { status: 403, body: textOf('shorter_retention_for_owners') } : { status: 200 },
          )
          const { keepMessagesDays } = Object((await admin.get(`${organization()}/topics/${topicId}`)).body)
          expect(keepMessagesDays).toBe(isShorter ? own : wanted)
        }
    }
    await keepIn(topicId, 20)
    await keep(10)
    const answer = refusal(await keepIn(topicId, null, admin))
    expect(answer, 'shorter than its own once the planned time counts').toMatchObject({ status: 403 })
    await keep(null)
    await keepIn(topicId, null)
  })

  it('can be tried before: how many messages it would cost', async () => {
    const [topicId, other] = [await newTopic('Tried'), await newTopic('Other')]
    await old(topicId, 3, 100)
    await old(other, 2, 120)
    const preview = async (query: string, who = cast.ada) =>
      who.get(`${organization()}/kept-messages?${query}`)
    expect(Object((await preview('days=90')).body)).toMatchObject({ messages: 5 })
    expect(Object((await preview('days=110')).body)).toMatchObject({ messages: 2 })
    expect(Object((await preview(`days=90&topicId=${topicId}`)).body)).toMatchObject({ messages: 3 })
    await keepIn(other, 0)
    const counted = Object((await preview('days=90')).body)
    expect(counted.messages, 'a topic of its own').toBe(3)
    expect(Math.round((server.parley.clock() - counted.oldestAt) / DAY)).toBe(100)
    expect(Object((await preview('days=1000')).body)).toEqual({ messages: 0 })
    for (const query of ['', 'days=0', 'days=x', 'days=90&topicId=x'])
      expect((await preview(query)).status, query).toBe(400)
    expect((await preview(`days=90&topicId=${cast.orgId}`)).status).toBe(404)
    expect((await preview('days=90', cast.ben)).status).toBe(403)
    const elsewhere = await organizationOf(server)
    const stranger = await signInAs(server, { orgId: elsewhere, name: 'Sid', role: 'owner' })
    expect((await preview('days=90', stranger)).status).toBe(404)
    expect(await textsIn(topicId)).toHaveLength(3)
    await server.parley.db.query(sql`delete from messages where org_id = ${cast.orgId} and text like 'old %'`)
  })

  it('ends for each message once, with all that hangs on it, also where two nodes look', async () => {
    const { ada, ben, bot } = cast
    const topicId = await newTopic('Harbour', [ben.profileId, bot.id])
    const pollAfter = async (
      offset: string,
    ): Promise<{ eventType: string; data: { message?: Message } }[]> => {
      const late = { timestamp: String(server.parley.clock()) }
      return Object((await bot.get(`/v2/updates?offset=${offset}&timeout=0`, late)).body).updates
    }
    const { nextOffset } = Object((await bot.get('/v2/updates')).body)
    const secret = 'The password is quahog'
    const id = await say(`${secret} <@${ben.profileId}>`, topicId)
    await chatOf(ada).patch(`messages/${id}`, { text: `${secret}, really <@${ben.profileId}>` })
    const reply = await say('Thanks', topicId, { parentId: id }, ben)
    for (const answer of [
      await chatOf(ben).post(`messages/${id}/reactions`, { reaction: '🎉' }),
      await chatOf(ben).patch(`saved-messages/${id}`, {}),
      await chatOf(ada).post(`messages/${id}/pin`),
      await chatOf(ben).post(`messages/${id}/read`),
    ])
      expect(answer.status, answer.text).toBeLessThan(300)
    const poll = { topicId, question: 'quahog?', options: ['yes', 'no'], selectionType: 'single' }
    expect((await chatOf(ada).post('polls', poll)).status).toBe(201)
    const file = form({ topicId, caption: 'quahog' }, [
      { content: Buffer.from('quahog'), name: 'quahog.txt' },
    ])
    const type = { headers: { 'content-type': file.contentType } }
    const withFile = Object((await chatOf(ada).post('messages', file.body, type)).body).id
    await eventually(async () => (await chatOf(ada).get(`messages/${withFile}`)).status).toBe(200)
    const forwarded = await chatOf(ada).post('messages', {
      topicId: cast.topicId,
      forwardMessageId: withFile,
    })
    expect(forwarded.status, forwarded.text).toBe(201)
    const again = await chatOf(ada).post('messages', { topicId, forwardMessageId: withFile })
    expect(again.status, again.text).toBe(201)
    await indexEverything(server.parley.db)
    const found = async () =>
      Object((await chatOf(ben).get(`search?query=quahog&topicId=${topicId}`)).body).results?.length

    await keepIn(topicId, 2)
    wait(DAY)
    await say('Still fresh', topicId)
    await look()
    expect(await textsIn(topicId)).toHaveLength(6)
    wait(DAY + 3_600_000)
    const heard = await cast.stream(ben) // one of the day before has ended by now
    await look()
    expect(await textsIn(topicId)).toEqual(['Still fresh'])
    const told = await heard.next(({ event }) => event === 'message.deleted')
    const data = Object(told.data)
    expect(data).toMatchObject({ messageId: expect.any(String), topicId, reason: 'retention' })
    expect(data.messages).toContainEqual({ id, topicId, senderId: ada.profileId })
    expect(data.messages).toContainEqual({ id: reply, topicId, senderId: ben.profileId })
    expect((await found()) ?? 0).toBe(0)

    const log = await logOf(topicId)
    expect(log, 'nothing that was said is in the log').not.toMatch(/quahog|Thanks/)
    expect(log).toContain('Still fresh')
    expect(log.match(/"reason":"retention"/g), 'told once').toHaveLength(1)
    const updates = (await pollAfter(nextOffset)).filter(({ data }) => data.message?.topicId === topicId)
    expect(JSON.stringify(updates), 'nor in the memory of a node').not.toMatch(/quahog/)
    expect(updates.find(({ data }) => data.message?.id === id)).toMatchObject({
      eventType: 'message.created',
      data: { message: { text: '' } },
    })
    for (const table of ['reactions', 'saved_messages', 'mentions', 'pins', 'message_marks'])
      expect(
        await server.parley.db.query({
          strings: [`select 1 from ${table} where org_id = `, ` and message_id = `, ''],
          values: [cast.orgId, id],
        }),
        table,
      ).toEqual([])
    expect(
      await server.parley.db.query(
        sql`select 1 from polls where org_id = ${cast.orgId} and topic_id = ${topicId}`,
      ),
    ).toEqual([])
    // The forward in another topic keeps the file: two of three messages that referred to it are gone.
    const stored = () =>
      server.parley.db.query<{ shares: number; kept: boolean }>(sql`
        select shares, sweep_at is null as kept from stored_files where org_id = ${cast.orgId}`)
    expect(await stored()).toEqual([{ shares: 0, kept: true }])
    await keepIn(cast.topicId, 4)
    await look()
    expect(await stored()).toEqual([{ shares: 0, kept: true }])
    wait(2 * DAY)
    await look()
    expect(await stored()).toEqual([{ shares: 0, kept: false }])
    await server.parley.files.sweep()
    expect(await stored()).toEqual([])
    await keepIn(cast.topicId, null)
  })

  it('of the organization counts in topics that say nothing else, those of later and direct messages among them', async () => {
    const { ada, cy } = cast
    const [shorter, longer, forEver] = [
      await newTopic('Shorter'),
      await newTopic('Longer'),
      await newTopic('For ever'),
    ]
    const dm = Object((await chatOf(ada).post('direct-messages', { memberIds: [cy.profileId] })).body).id
    await keep(10)
    await endDelay(server, cast.orgId)
    await keepIn(shorter, 2)
    await keepIn(longer, 20)
    await keepIn(forEver, 0)
    const later = await newTopic('Later')
    const all = [shorter, longer, forEver, dm, later]
    for (const topicId of all) await say('Here', topicId)
    const left = async () => Promise.all(all.map(async (topicId) => (await textsIn(topicId)).length))
    await look()
    expect(await left()).toEqual([1, 1, 1, 1, 1])
    wait(3 * DAY)
    await look()
    expect(await left()).toEqual([0, 1, 1, 1, 1])
    wait(8 * DAY)
    await look()
    expect(await left()).toEqual([0, 1, 1, 0, 0])
    await say('Once more', later)
    wait(9.5 * DAY)
    await look()
    expect(await left()).toEqual([0, 0, 1, 0, 1])
    wait(DAY)
    await look()
    expect(await left()).toEqual([0, 0, 1, 0, 0])
    await keepIn(forEver, null)
    await look()
    expect(await left()).toEqual([0, 0, 0, 0, 0])
    await say('Nobody deletes me', later)
    await keep(null)
    await keepIn(shorter, null)
    await keepIn(longer, null)
    wait(1 * DAY)
    await look()
    expect(await textsIn(later)).toEqual(['Nobody deletes me'])
    expect(
      await server.parley.db.query(sql`select 1 from retention_dues where org_id = ${cast.orgId}`),
    ).toHaveLength(1)
  })

  it('ends in steps that are bounded, each told to people and bots by one event', async () => {
    const bot = await staticBot(server, cast.orgId)
    const topicId = await newTopic('Archive', [bot.id])
    await old(topicId, 2 * STEP + 5, 50)
    await say('New', topicId)
    await keepIn(topicId, 30)
    await look()
    expect(await textsIn(topicId)).toEqual(['New'])
    const sizes = (await logOf(topicId))
      .split('\n')
      .filter((line) => line.includes('"reason":"retention"'))
      .map((line) => JSON.parse(line).messages.length)
    expect(sizes).toEqual([STEP, STEP, 5])
    const told = (await eventsFor(server, bot.id)).flatMap((event) =>
      event.type === 'message.deleted' ? [event.data] : [],
    )
    expect(told).toHaveLength(3)
    for (const { message, messages } of told) expect(message).toEqual(messages?.[0])
  })

  it('costs the same at each step, however much there is, and however long the log is', async () => {
    const { db } = server.parley
    const { orgId, ada } = cast
    const readSoFar = async (tx: Transaction) => {
      const rows = await tx.query<{ name: string; read: number }>(sql`${crossing('of this session')}
        select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables`)
      return new Map(rows.map(({ name, read }) => [name, read]))
    }
    /** Rows that one step reads of each table. */
    const step = (topicId: string) =>
      db.write(orgId, async (tx) => {
        const before = await readSoFar(tx)
        await deleteDueMessages(tx, { topicId })
        const after = await readSoFar(tx)
        return new Map([...after].map(([name, read]) => [name, read - (before.get(name) ?? 0)]))
      })
    const small = await newTopic('Small')
    const large = await newTopic('Large')
    await old(small, STEP, 80)
    await old(large, 40 * STEP, 70)
    // Rows that hang on kept messages are not read either.
    await db.query(sql`
      insert into saved_messages (org_id, profile_id, message_id, topic_id, saved_at)
      select ${orgId}, ${ada.profileId}, gen_random_uuid(), ${large}, 0 from generate_series(1, 5000)`)
    await db.query(sql`
      insert into thread_follows (org_id, profile_id, parent_id, topic_id, last_reply_id)
      select ${orgId}, ${ada.profileId}, gen_random_uuid(), ${large}, gen_random_uuid() from generate_series(1, 5000)`)
    await vacuumed(db, ['messages', 'thread_follows'])
    for (const topicId of [small, large]) await keepIn(topicId, 30)
    const total = (read: ReadonlyMap<string, number>) =>
      [...read.values()].reduce((sum, rows) => sum + rows, 0)
    const least = total(await step(small))
    for (let number = 0; number < 10; number++)
      expect(total(await step(large)), `${least} rows in a small topic`).toBeLessThan(least * 1.2 + 100)

    // Messages of five hours, in a log with 40,000 messages of others in between.
    const thin = await newTopic('Thin')
    const since = server.parley.clock()
    wait(5 * 3_600_000)
    const at = (n: Sql) => sql`(${since}::bigint + ${n} * 17990000::bigint / 40000)`
    /** The id of a message, and that of its event, which has the next tick. */
    const idAt = (n: Sql, tick: string) =>
      sql`(lpad(to_hex(${at(n)}), 12, '0') || ${tick} || '8000' || lpad(to_hex(${n}), 12, '0'))::uuid`
    await db.query(sql`
      insert into messages (org_id, id, topic_id, sender_id, type, text, created_at, updated_at)
      select ${orgId}, ${idAt(sql`n`, '7000')}, ${thin}, ${ada.profileId},
        'text', 'thin', ${at(sql`n`)}, ${at(sql`n`)} from generate_series(1, 40000, 400) n`)
    await db.query(sql`
      with moved as (update organization_logs set last_seq = last_seq + 40000 where org_id = ${orgId} returning last_seq - 40000 as seq)
      insert into events (org_id, seq, id, type, topic_id, data, created_at)
      select ${orgId}, seq + n, ${idAt(sql`n`, '7001')}, 'message.created', case when n % 400 = 1 then ${thin} else ${large} end::uuid,
        json_build_object('message', json_build_object('id', ${idAt(sql`n`, '7000')}, 'text', 'thin')), ${at(sql`n`)}
      from moved, generate_series(1, 40000) n`)
    await keepIn(thin, 1)
    wait(DAY)
    expect(await logOf(thin)).toContain('thin')
    const events = (await step(thin)).get('events') ?? 0
    expect(await textsIn(thin)).toEqual([])
    expect(await logOf(thin)).not.toContain('"text":"thin"')
    expect(await logOf(thin)).not.toContain('"text" : "thin"')
    expect(events, 'of 40,000, for 100 messages').toBeLessThan(1000)
    await db.query(sql`delete from saved_messages where org_id = ${orgId}`)
  })

  it('ends in other topics where it cannot end in one', async () => {
    const { db } = server.parley
    const [stuck, behind] = [await newTopic('Stuck'), await newTopic('Behind')]
    await old(stuck, 1, 60)
    await old(behind, 1, 50)
    await db.query(sql`
      update messages set attachments = '{}' where org_id = ${cast.orgId} and topic_id = ${stuck} and text = 'old 1'`)
    for (const topicId of [stuck, behind]) await keepIn(topicId, 30)
    await look()
    expect(await textsIn(stuck)).toEqual(['old 1'])
    expect(await textsIn(behind)).toEqual([])
    await db.query(
      sql`update messages set attachments = null where org_id = ${cast.orgId} and topic_id = ${stuck}`,
    )
    wait(3_600_001)
    await look()
    expect(await textsIn(stuck)).toEqual([])
  })
})

describe('the time of an organization', () => {
  it('is for owners, and a shorter one counts a day later, unless it is taken back', async () => {
    const admin = await signInAs(server, { orgId: cast.orgId, name: 'Olga', role: 'admin' })
    const second = await signInAs(server, { orgId: cast.orgId, name: 'Sven', role: 'owner' })
    expect(refusal(await keep(90, admin))).toMatchObject({
      status: 403,
      body: textOf('retention_for_owners'),
    })
    expect(refusal(await keep(null, admin))).toMatchObject({
      status: 403,
      body: textOf('retention_for_owners'),
    })
    const topicId = await newTopic('A day')
    await old(topicId, 3, 100)
    const settings = async () => Object((await cast.ada.get(organization())).body)
    expect(Object((await keep(90)).body)).toMatchObject({
      keepMessagesDays: null,
      keepMessagesNext: { days: 90, by: { id: cast.ada.profileId, name: 'Ada' } },
    })
    for (const { email } of [cast.ada, second]) {
      const { text } = await lastMail(server, email)
      expect(text).toMatch(/Ada set message retention .* 90 days/)
      expect(text).toMatch(/Ada hat .* 90 Tage/)
    }
    expect(await mailsTo(server, admin.email)).toEqual([])
    wait(DAY - 60_000)
    await look()
    expect(await textsIn(topicId)).toHaveLength(3)
    expect(Object((await keep(null, second)).body), 'another owner takes it back').not.toHaveProperty(
      'keepMessagesNext',
    )
    wait(DAY)
    await look()
    expect(await textsIn(topicId)).toHaveLength(3)

    await keep(90)
    wait(DAY + 60_000)
    await look()
    expect(await textsIn(topicId)).toEqual([])
    expect(await settings()).toMatchObject({ keepMessagesDays: 90 })
    expect(await settings()).not.toHaveProperty('keepMessagesNext')
    const { entries } = Object(
      (await cast.ada.get(`${organization()}/audit?target=organization&limit=4`)).body,
    )
    expect(entries.map(({ changes }: { changes: unknown }) => changes)).toEqual([
      [{ field: 'keepMessagesDays', to: '90' }],
      [{ field: 'keepMessagesPlanned', to: '90' }],
      [{ field: 'keepMessagesPlanned', from: '90' }],
      [{ field: 'keepMessagesPlanned', to: '90' }],
    ])
    expect(entries[0].actor).toEqual({ kind: 'server' })
    expect(Object((await keep(365)).body), 'longer counts at once').toMatchObject({ keepMessagesDays: 365 })
    await keep(null)
  })
})

describe('a shorter time of one topic', () => {
  it('is told to all owners, and deletes nothing for a day, in which it can be taken back', async () => {
    const second = await signInAs(server, { orgId: cast.orgId, name: 'Svea', role: 'owner' })
    const topicId = await newTopic('Slow')
    await old(topicId, 3, 100)
    const before = server.parley.clock()
    const { keepMessagesFrom } = Object((await chooseIn(topicId, 90)).body)
    expect(keepMessagesFrom).toBeGreaterThanOrEqual(before + DAY)
    for (const { email } of [cast.ada, second]) {
      const { subject, text } = await lastMail(server, email)
      expect(subject).toContain('Slow')
      expect(text).toMatch(/Ada set message retention .* 90 days/)
      expect(text).toMatch(/Ada hat .* 90 Tage/)
    }
    wait(DAY - 60_000)
    await look()
    await planMessageRetentionAgain(server.parley.db, cast.orgId) // an import comes
    await look()
    expect(await textsIn(topicId)).toHaveLength(3)
    await chooseIn(topicId, 0, second)
    wait(2 * DAY)
    await look()
    expect(await textsIn(topicId), 'taken back').toHaveLength(3)

    await chooseIn(topicId, 1)
    await chooseIn(topicId, 90)
    await look()
    expect(await textsIn(topicId), 'longer again, and still shorter than before').toHaveLength(3)
    wait(DAY + 60_000)
    await look()
    expect(await textsIn(topicId)).toEqual([])
    const mails = (await mailsTo(server, second.email)).length
    await chooseIn(topicId, 0)
    expect(await mailsTo(server, second.email), 'a longer time is told to nobody').toHaveLength(mails)
  })
})
