import { customEmojiName } from '../../contract/custom-emoji.ts'
import { LIMITS } from '../../contract/limits.ts'
import { audit, OPERATOR } from '../actions/audit.ts'
import { type ImportedRow, insertImported } from '../actions/imported-messages.ts'
import { MAX_PINS } from '../actions/pins.ts'
import { planRetentionAgain } from '../actions/retention.ts'
import { typeOf } from '../actions/uploads.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { OperatorError, Refusal } from '../errors.ts'
import { keepFiles } from '../files/files.ts'
import { indexAgain } from '../search/indexer.ts'
import { mentionsIn } from '../text.ts'
import { namedUuidAt } from './ids.ts'
import { type FileOptions, isThere, MessageFiles } from './message-files.ts'
import { People, type PeopleCounts } from './people.ts'
import {
  type ImportedFile,
  type ImportedMessage,
  type ImportSource,
  type Naming,
  NO_PICTURE,
} from './source.ts'
import { type ResolvedTopic, Topics } from './topics.ts'

export type ImportReport = {
  people: PeopleCounts
  topics: { added: number; matched: number }
  messages: { added: number; alreadyThere: number }
  reactions: number
  emoji: { added: number; alreadyThere: number }
  files: { added: number; alreadyThere: number }
  skipped: { reason: string; count: number; places: readonly string[] }[]
}

type ReactionRow = { id: string; message_id: string; profile_id: string; emoji: string; created_at: number }
/** A message of the export whose files are not here yet. */
type Taken = {
  text: string
  files: readonly ImportedFile[]
  place: string
  /** Of all parts that it may get. */
  ids: readonly string[]
  row: Omit<ImportedRow, 'id' | 'type' | 'text' | 'mentions' | 'reactions' | 'attachments'>
  reactions: ImportedRow['reactions']
  reactionRows: ReactionRow[]
  pin: PinRow | undefined
}
type PinRow = { topic_id: string; message_id: string; pinned_by: string; pinned_at: number }

/** Messages in one statement: enough to make the round trip cheap, and few enough to be done within any limit of time. */
const BATCH = 1000
/** Parts of one long message: places that an id leaves free between two of the same millisecond. */
const MAX_PARTS = 4

type Options = FileOptions & {
  isDryRun: boolean
  onProgress?: (messages: number) => void
}

/**
 * Takes what another product exported into an organization. Every id follows from the export, so the same one imported again adds nothing,
 * and one that broke off goes on. Bots hear nothing of it: it is history, and no event.
 */
export async function importInto(
  db: Database,
  orgId: string,
  source: ImportSource,
  options: Options,
): Promise<ImportReport> {
  return new Importer(db, orgId, source, options).run()
}

class Importer {
  #db: Database
  #orgId: string
  #source: ImportSource
  #options: Options
  #people: People
  #topics = new Map<string, ResolvedTopic>()
  #taken: Taken[] = []
  #messages: ImportedRow[] = []
  #reactions: ReactionRow[] = []
  #pins: PinRow[] = []
  #files: MessageFiles
  /** Emoji of the workspace's own that reactions name. */
  #emojiNames = new Set<string>()
  #counts = { added: 0, alreadyThere: 0, reactions: 0 }

  constructor(db: Database, orgId: string, source: ImportSource, options: Options) {
    this.#db = db
    this.#orgId = orgId
    this.#source = source
    this.#options = options
    this.#files = new MessageFiles(options, source.skipped)
    this.#people = new People(db, orgId, source, options.isDryRun)
  }

  async run(): Promise<ImportReport> {
    const ownerId = await this.#ownerId()
    const topics = new Topics(
      this.#db,
      this.#orgId,
      this.#source,
      this.#people,
      ownerId,
      this.#options.isDryRun,
    )
    for (const person of this.#source.people) await this.#people.resolve(person)
    const emoji = await this.#takeEmoji(ownerId)
    for (const imported of this.#source.topics) {
      const topic = await topics.resolve(imported)
      if (topic) this.#topics.set(imported.key, topic)
      else this.#source.skipped.add('notes to oneself')
    }
    for await (const message of this.#source.messages(this.#naming())) {
      await this.#take(message)
      if (this.#taken.length >= BATCH) await this.#bringTaken()
    }
    await this.#bringTaken()
    await this.#flush()
    for (const name of this.#emojiNames)
      if (!emoji.names.has(name)) this.#source.skipped.add(NO_PICTURE, `:${name}:`)
    if (!this.#options.isDryRun) {
      // Also where nothing was added: an import that broke off may have left it undone.
      await indexAgain(this.#db, this.#orgId)
      await planRetentionAgain(this.#db, this.#orgId)
    }
    for (const topic of this.#topics.values()) await topics.show(topic)
    const { added, alreadyThere, reactions } = this.#counts
    const report = {
      people: this.#people.counts,
      topics: topics.counts,
      messages: { added, alreadyThere },
      reactions,
      emoji: emoji.counts,
      files: this.#files.counts,
      skipped: this.#source.skipped.list(),
    }
    if (!this.#options.isDryRun) await this.#audit(report)
    return report
  }

  /** Pictures come first, so that reactions find them. Emoji of the same name that are here already stay as they are. */
  async #takeEmoji(ownerId: string) {
    const rows = await this.#db.query<{ name: string }>(
      sql`select name from custom_emoji where org_id = ${this.#orgId}`,
    )
    const names = new Set(rows.map(({ name }) => name))
    const counts = { added: 0, alreadyThere: 0 }
    for (const emoji of this.#source.emoji) {
      const { name } = emoji
      if (names.has(name)) {
        counts.alreadyThere += 1
        continue
      }
      try {
        await this.#options.files?.keepEmoji(emoji, ownerId)
        counts.added += 1
        names.add(name)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        this.#source.skipped.add(`emoji that are refused: ${error.message}`, `:${name}:`)
      }
    }
    return { names, counts }
  }

  async #ownerId(): Promise<string> {
    const [owner] = await this.#db.query<{ id: string }>(sql`
      select id from profiles where org_id = ${this.#orgId} and role = 'owner' and status <> 'Deleted' order by created_at, id limit 1`)
    if (!owner) throw new OperatorError('The organization has no owner. Make somebody its owner first.')
    return owner.id
  }

  #naming(): Naming {
    return {
      mention: (topicKey, personKey) => this.#topics.get(topicKey)?.mentionable.get(personKey),
      nameOf: (personKey) => this.#people.get(personKey)?.name ?? personKey,
    }
  }

  async #take(message: ImportedMessage): Promise<void> {
    const { skipped } = this.#source
    const topic = this.#topics.get(message.topicKey)
    const place = `${topic?.imported.name ?? message.topicKey}, ${message.key}`
    const { files = [] } = message
    if (!topic) return skipped.add('messages of topics that the export does not list', place)
    if (files.length === 0 && clean(message.text) === '')
      return skipped.add('messages without any text', place)
    if (!(message.at > 0 && message.at <= this.#db.clock()))
      return skipped.add('messages without a time in the past', place)
    const author = await this.#people.resolve(message.author)
    const nameIn = (key: string, at: number, order: number, part = 0): string =>
      namedUuidAt(
        at,
        order * MAX_PARTS + part,
        this.#orgId,
        this.#source.format,
        message.topicKey,
        key,
        String(part),
      )
    const parent =
      message.parentKey === undefined ? null : this.#places.get(`${message.topicKey}\n${message.parentKey}`)
    const id = nameIn(message.key, message.at, message.order)
    if (message.parentKey === undefined) this.#places.set(`${message.topicKey}\n${message.key}`, id)
    if (parent === undefined)
      skipped.add('replies whose first message is missing, which stand by themselves', place)
    const { pinned } = message
    this.#taken.push({
      text: message.text,
      files,
      place,
      ids: Array.from({ length: MAX_PARTS }, (_, part) =>
        part === 0 ? id : nameIn(message.key, message.at, message.order, part),
      ),
      row: {
        topic_id: topic.id,
        sender_id: author.id,
        parent_id: parent ?? null,
        is_edited: message.editedAt !== undefined,
        created_at: message.at,
        updated_at: Math.max(message.at, message.editedAt ?? 0),
      },
      ...this.#reactionsOf(message, id),
      pin: pinned && {
        topic_id: topic.id,
        message_id: id,
        pinned_by: (pinned.personKey !== undefined && this.#people.get(pinned.personKey)?.id) || author.id,
        pinned_at: pinned.at || message.at,
      },
    })
  }

  /** Brings the files of the messages that were taken, and writes both. Messages with files that came before are passed by. */
  async #bringTaken(): Promise<void> {
    const taken = this.#taken
    this.#taken = []
    const here = await this.#filesHere(taken.filter(({ files }) => files.some(isThere)))
    for (const message of taken) {
      const there = message.ids.flatMap((id) => here.get(id) ?? [])
      if (there.length > 0) {
        this.#counts.alreadyThere += there.length
        const count = there.reduce((sum, files) => sum + files, 0)
        this.#files.pass(message.files, count, message.place)
        continue
      }
      await this.#bring(message)
      if (this.#messages.length >= BATCH || this.#files.isFull) await this.#flush()
    }
  }

  /** How many files each of these messages has here, by its id, as far as it came before: none of them is stored twice. */
  async #filesHere(taken: readonly Taken[]): Promise<Map<string, number>> {
    if (taken.length === 0) return new Map()
    const rows = await this.#db.query<{ id: string; files: number }>(sql`
      select id, coalesce(jsonb_array_length(attachments), 0) as files from messages
      where org_id = ${this.#orgId} and id = any(${taken.flatMap(({ ids }) => ids)}::uuid[])`)
    return new Map(rows.map(({ id, files }) => [id, files]))
  }

  async #bring({ text, files, place, ids, row, reactions, reactionRows, pin }: Taken): Promise<void> {
    const brought = await this.#files.take(files, MAX_PARTS * LIMITS.filesPerMessage, place)
    const texts = partsOf(clean([text, ...brought.lines].join('\n')))
    const length = Math.max(texts.length, Math.ceil(brought.count / LIMITS.filesPerMessage))
    ids.slice(0, length).forEach((id, index) => {
      const part = texts[index] ?? ''
      const first = index * LIMITS.filesPerMessage
      const attachments = brought.attachments.slice(first, first + LIMITS.filesPerMessage)
      this.#messages.push({
        ...row,
        id,
        type: attachments.length > 0 ? typeOf(attachments) : 'text',
        text: part,
        ...(attachments.length > 0 && { attachments }),
        mentions: mentionsIn(part),
        reactions: index === 0 ? reactions : [],
      })
    })
    this.#reactions.push(...reactionRows)
    if (pin) this.#pins.push(pin)
  }

  /** First messages by topic and key: replies name theirs by its key, and come after it. */
  #places = new Map<string, string>()

  #reactionsOf(
    { reactions, at }: ImportedMessage,
    messageId: string,
  ): Pick<Taken, 'reactions' | 'reactionRows'> {
    const reactionRows: ReactionRow[] = []
    const counted = reactions.flatMap(({ emoji, personKeys }) => {
      const ids = new Set(personKeys.flatMap((key) => this.#people.get(key)?.id ?? []))
      if (emoji === '') this.#source.skipped.add('reactions with an emoji whose name cannot be one here')
      if (emoji === '' || ids.size === 0) return []
      const own = customEmojiName(emoji)
      if (own !== undefined) this.#emojiNames.add(own)
      for (const profileId of ids)
        reactionRows.push({
          id: namedUuidAt(at, 0, messageId, profileId, emoji),
          message_id: messageId,
          profile_id: profileId,
          emoji,
          created_at: at,
        })
      return [{ emoji, count: ids.size }]
    })
    return { reactions: counted, reactionRows }
  }

  async #flush(): Promise<void> {
    const [messages, reactions, pins] = [this.#messages, this.#reactions, this.#pins]
    this.#messages = []
    this.#reactions = []
    this.#pins = []
    if (this.#options.isDryRun) {
      const known = await this.#db.query(sql`
        select 1 from messages where org_id = ${this.#orgId} and id = any(${messages.map(({ id }) => id)}::uuid[])`)
      this.#counts.alreadyThere += known.length
      this.#counts.added += messages.length - known.length
      this.#counts.reactions += reactions.length
    } else await this.#files.during(() => this.#writeCounted(messages, reactions, pins))
    this.#options.onProgress?.(this.#counts.added + this.#counts.alreadyThere)
  }

  /** Writes, counts what was written, and tells how many files are among it. */
  async #writeCounted(messages: ImportedRow[], reactions: ReactionRow[], pins: PinRow[]): Promise<number> {
    // Counted when it is committed: a transaction may be tried more than once.
    const written = await this.#write(messages, reactions, pins)
    this.#counts.added += written.added.length
    this.#counts.alreadyThere += messages.length - written.added.length
    this.#counts.reactions += written.reactions
    return written.files
  }

  /** Messages that exist already stay as they are: they may have been changed or removed here. */
  #write(messages: ImportedRow[], reactions: ReactionRow[], pins: PinRow[]) {
    return this.#db.transaction(async (tx) => {
      const ids = messages.map(({ id }) => id)
      const known = await tx.query<{ id: string }>(sql`
        select id from messages where org_id = ${this.#orgId} and id = any(${ids}::uuid[])`)
      const isKnown = new Set(known.map(({ id }) => id))
      const unknown = new Map(messages.filter(({ id }) => !isKnown.has(id)).map((row) => [row.id, row]))
      const added = [...unknown.values()]
      await insertImported(tx, this.#orgId, added)
      const isNew = new Set(added.map(({ id }) => id))
      await tx.query(sql`
        update messages m set reply_count = m.reply_count + x.replies
        from (select parent_id, count(*) as replies from unnest(${added.flatMap(({ parent_id }) => parent_id ?? [])}::uuid[]) as r (parent_id)
          group by parent_id) x
        where m.org_id = ${this.#orgId} and m.id = x.parent_id`)
      const newReactions = reactions.filter((reaction) => isNew.has(reaction.message_id))
      await tx.query(sql`
        insert into reactions (org_id, id, message_id, profile_id, emoji, created_at)
        select ${this.#orgId}, x.* from jsonb_to_recordset(${JSON.stringify(newReactions)}::jsonb)
          as x (id uuid, message_id uuid, profile_id text, emoji text, created_at bigint)
        on conflict do nothing`)
      await tx.query(sql`
        insert into pins (org_id, topic_id, message_id, pinned_by, pinned_at)
        select ${this.#orgId}, x.* from jsonb_to_recordset(${JSON.stringify(pins.filter((pin) => isNew.has(pin.message_id)))}::jsonb)
          as x (topic_id uuid, message_id uuid, pinned_by text, pinned_at bigint)
        where (select count(*) from pins p where p.org_id = ${this.#orgId} and p.topic_id = x.topic_id) < ${MAX_PINS}
        on conflict do nothing`)
      const fileIds = added.flatMap(({ attachments }) => attachments?.map(({ id }) => id) ?? [])
      if (fileIds.length > 0)
        await keepFiles({ orgId: this.#orgId, query: (query) => tx.query(query) }, fileIds)
      return { added, reactions: newReactions.length, files: fileIds.length }
    })
  }

  async #audit({ people, topics, messages }: ImportReport): Promise<void> {
    const [row] = await this.#db.query<{ name: string }>(
      sql`select name from organizations where org_id = ${this.#orgId}`,
    )
    const counts = {
      format: this.#source.format,
      people: people.added,
      topics: topics.added,
      messages: messages.added,
    }
    await this.#db.write(this.#orgId, (tx) =>
      audit(tx, OPERATOR, {
        action: 'organization.imported',
        target: { type: 'organization', id: this.#orgId, name: row?.name ?? '' },
        changes: Object.entries(counts).map(([field, to]) => ({ field, to: String(to) })),
      }),
    )
  }
}

const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed().trim()

/** A text in pieces that messages can hold; the last one is cut where a text is longer than all of them together. */
function partsOf(text: string): string[] {
  if (text.length <= LIMITS.messageText) return [text]
  const points = Array.from(text)
  const parts: string[] = []
  for (let start = 0; start < points.length && parts.length < MAX_PARTS; start += LIMITS.messageText)
    parts.push(points.slice(start, start + LIMITS.messageText).join(''))
  return parts
}
