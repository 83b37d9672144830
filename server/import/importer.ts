import { customEmojiName } from '../../contract/custom-emoji.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { ImportedPin, ImportedReaction, ImportedRow } from '../actions/messages/imported-messages.ts'
import { typeOf } from '../actions/messages/uploads.ts'
import { audit, OPERATOR } from '../actions/organization/audit.ts'
import { planMessageRetentionAgain } from '../actions/organization/message-retention.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { OperatorError } from '../errors.ts'
import { type LongWork, UNSEEN } from '../long-work.ts'
import { mentionsIn } from '../text.ts'
import { takeEmoji } from './custom-emoji.ts'
import { namedUuidAt } from './ids.ts'
import { type Absence, readAbsences, sortOut, writeBatch } from './message-batch.ts'
import { type FileOptions, isThere, MessageFiles } from './message-files.ts'
import { cleanText, MAX_PARTS, partsOf } from './message-parts.ts'
import { People, type PeopleCounts } from './people.ts'
import {
  type ImportedFile,
  type ImportedMessage,
  type ImportSource,
  type Naming,
  NO_PICTURE,
} from './source.ts'
import { type ResolvedTopic, Topics } from './topics.ts'
import { isPast } from './values.ts'

export type ImportReport = {
  people: PeopleCounts
  topics: { added: number; matched: number }
  /** `deleted`: were deleted here, and stay so. */
  messages: { added: number; alreadyThere: number; deleted: number }
  reactions: number
  emoji: { added: number; alreadyThere: number; deleted: number }
  files: { added: number; alreadyThere: number }
  skipped: { reason: string; count: number; places: readonly string[] }[]
}

/** A message of the export whose files are not here yet. */
type Taken = {
  text: string
  files: readonly ImportedFile[]
  place: string
  /** The ids of all parts that the message may get. */
  ids: readonly string[]
  row: Omit<ImportedRow, 'id' | 'type' | 'text' | 'mentions' | 'reactions' | 'attachments'>
  reactions: ImportedRow['reactions']
  reactionRows: ImportedReaction[]
  pin: ImportedPin | undefined
}

/** Messages in one statement: enough to make the round trip cheap, and few enough to be done within any limit of time. */
const BATCH = 1000
const TOO_OLD = 'messages from before the time that messages are kept here'

type Options = FileOptions & {
  isDryRun: boolean
  work?: LongWork
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
  #work: LongWork
  #people: People
  #topics = new Map<string, ResolvedTopic>()
  #taken: Taken[] = []
  #messages: ImportedRow[] = []
  /** Whether the topics of the organization show all replies. */
  #showsReplies = false
  #reactions: ImportedReaction[] = []
  #pins: ImportedPin[] = []
  #files: MessageFiles
  /** Emoji of the workspace's own that reactions name. */
  #emojiNames = new Set<string>()
  /** Messages that the progress tells of. */
  #shown = 0
  #counts = { added: 0, alreadyThere: 0, deleted: 0, reactions: 0 }

  constructor(db: Database, orgId: string, source: ImportSource, options: Options) {
    this.#db = db
    this.#orgId = orgId
    this.#source = source
    this.#options = options
    this.#work = options.work ?? UNSEEN
    this.#files = new MessageFiles(options, source.skipped)
    this.#people = new People(db, orgId, source, options.isDryRun)
  }

  async run(): Promise<ImportReport> {
    const ownerId = await this.#ownerId()
    this.#showsReplies = await this.#readShowsReplies()
    const topics = new Topics(
      this.#db,
      this.#orgId,
      this.#source,
      this.#people,
      ownerId,
      this.#options.isDryRun,
    )
    this.#work.begin('People', { total: this.#source.people.length })
    for (const person of this.#source.people) {
      await this.#people.resolve(person)
      this.#work.advance(1)
    }
    this.#work.begin('Topics', { total: this.#source.topics.length })
    const emoji = await takeEmoji(this.#db, this.#orgId, this.#source, this.#options.files, ownerId)
    for (const imported of this.#source.topics) {
      const topic = await topics.resolve(imported)
      if (topic) this.#topics.set(imported.key, topic)
      else this.#source.skipped.add('notes to oneself')
      this.#work.advance(1)
    }
    this.#work.begin('Messages')
    for await (const message of this.#source.messages(this.#naming())) {
      await this.#take(message)
      if (this.#taken.length >= BATCH) await this.#bringTaken()
    }
    await this.#bringTaken()
    await this.#flush()
    this.#work.begin('Finishing')
    for (const name of this.#emojiNames)
      if (!emoji.names.has(name)) this.#source.skipped.add(NO_PICTURE, `:${name}:`)
    if (!this.#options.isDryRun) await planMessageRetentionAgain(this.#db, this.#orgId)
    for (const topic of this.#topics.values()) await topics.show(topic)
    const { reactions, ...messages } = this.#counts
    const report = {
      people: this.#people.counts,
      topics: topics.counts,
      messages,
      reactions,
      emoji: emoji.counts,
      files: this.#files.counts,
      skipped: this.#source.skipped.list(),
    }
    if (!this.#options.isDryRun) await this.#audit(report)
    return report
  }

  async #readShowsReplies(): Promise<boolean> {
    const [row] = await this.#db.query<{ shown: boolean }>(sql`
      select replies_in_topics as shown from organizations where org_id = ${this.#orgId}`)
    return row?.shown ?? false
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
      isErased: (personKey) => this.#people.get(personKey)?.isErased ?? false,
    }
  }

  async #take(message: ImportedMessage): Promise<void> {
    const { skipped } = this.#source
    const topic = this.#topics.get(message.topicKey)
    const place = `${topic?.imported.name ?? message.topicKey}, ${message.key}`
    const { files = [] } = message
    if (!topic) return skipped.add('messages of topics that the export does not list', place)
    if (files.length === 0 && cleanText(message.text) === '')
      return skipped.add('messages without any text', place)
    const now = this.#db.clock()
    if (!isPast(message.at, now)) return skipped.add('messages without a time in the past', place)
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
    const { pinned, editedAt = 0 } = message
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
        thread_only: typeof parent === 'string' && !message.isAlsoInTopic && !this.#showsReplies,
        is_edited: message.editedAt !== undefined,
        created_at: message.at,
        updated_at: isPast(editedAt, now) ? Math.max(message.at, editedAt) : message.at,
      },
      ...this.#reactionsOf(message, id),
      pin: pinned && {
        topic_id: topic.id,
        message_id: id,
        pinned_by: (pinned.personKey !== undefined && this.#people.get(pinned.personKey)?.id) || author.id,
        pinned_at: isPast(pinned.at, now) ? pinned.at : message.at,
      },
    })
  }

  /** Brings the files of the messages that were taken, and writes both. Messages with files that came before are passed by. */
  async #bringTaken(): Promise<void> {
    const taken = this.#taken
    this.#taken = []
    const withFiles = taken.filter(({ files }) => files.some(isThere))
    const here = await this.#filesHere(withFiles)
    const absences = await readAbsences(
      this.#db,
      this.#orgId,
      this.#db.clock(),
      withFiles.flatMap(({ ids, row }) => ids.map((id) => ({ ...row, id }))),
    )
    for (const message of taken) {
      const there = message.ids.flatMap((id) => here.get(id) ?? [])
      if (there.length > 0) {
        this.#counts.alreadyThere += there.length
        const count = there.reduce((sum, files) => sum + files, 0)
        this.#files.pass(message.files, count, message.place)
        continue
      }
      const absence = message.ids.map((id) => absences.get(id)).find((found) => found !== undefined)
      if (absence) {
        this.#leaveOut(absence)
        continue
      }
      await this.#bring(message)
      if (this.#messages.length >= BATCH || this.#files.isFull) await this.#flush()
    }
  }

  #leaveOut(absence: Absence, count = 1): void {
    if (absence === 'deleted') this.#counts.deleted += count
    else this.#source.skipped.add(TOO_OLD, undefined, { count })
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
    const texts = partsOf(cleanText([text, ...brought.lines].join('\n')))
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
    const reactionRows: ImportedReaction[] = []
    const counted = reactions.flatMap(({ emoji, personKeys }) => {
      const given = personKeys.flatMap((key) => this.#people.get(key) ?? [])
      const ids = new Set(given.flatMap(({ id, isErased }) => (isErased ? [] : id)))
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
      const { added, ...others } = await sortOut(this.#db, this.#orgId, this.#db.clock(), messages)
      const isNew = new Set(added.map(({ id }) => id))
      const given = reactions.filter((reaction) => isNew.has(reaction.message_id))
      this.#count({ ...others, added: added.length, reactions: given.length })
    } else
      await this.#files.during(async () => {
        // Counted when it is committed: a transaction may be tried more than once.
        const written = await writeBatch(this.#db, this.#orgId, { messages, reactions, pins })
        this.#count(written)
        return written.files
      })
    const { added, alreadyThere, deleted } = this.#counts
    const done = added + alreadyThere + deleted
    this.#work.advance(done - this.#shown, this.#source.readShare())
    this.#shown = done
  }

  #count(done: { added: number; known: number; deleted: number; old: number; reactions: number }): void {
    this.#counts.added += done.added
    this.#counts.alreadyThere += done.known
    this.#counts.reactions += done.reactions
    this.#leaveOut('deleted', done.deleted)
    if (done.old > 0) this.#leaveOut('old', done.old)
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
