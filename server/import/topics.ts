import { LIMITS } from '../../contract/limits.ts'
import { addHiddenTopic, HIDDEN, showTopic } from '../actions/topics/imported-topics.ts'
import { memberKeyOf } from '../actions/topics/topics.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { firstCodePoints, toName } from '../text.ts'
import { namedUuid } from './ids.ts'
import type { People, ResolvedPerson } from './people.ts'
import type { ImportedTopic, ImportSource } from './source.ts'
import { isPast } from './values.ts'

export type ResolvedTopic = {
  id: string
  /** Members who can be mentioned there, by the export's keys. */
  mentionable: ReadonlyMap<string, string>
  /** Whether no member sees the topic yet. */
  isHidden: boolean
  imported: ImportedTopic
}

/**
 * The topics for the messages of an export. A new topic has no members and is closed until it has all its messages, so
 * that no one finds half of it. A topic that was shown before keeps its members and settings, whatever the export says.
 */
export class Topics {
  readonly counts = { added: 0, matched: 0 }
  #db: Database
  #orgId: string
  #source: ImportSource
  #people: People
  /** The creator of topics for which the export names none. */
  #ownerId: string
  #isDryRun: boolean

  constructor(
    db: Database,
    orgId: string,
    source: ImportSource,
    people: People,
    ownerId: string,
    isDryRun: boolean,
  ) {
    this.#db = db
    this.#orgId = orgId
    this.#source = source
    this.#people = people
    this.#ownerId = ownerId
    this.#isDryRun = isDryRun
  }

  /** Returns undefined for notes to oneself: a direct message has at least two members. */
  async resolve(imported: ImportedTopic): Promise<ResolvedTopic | undefined> {
    const members = this.#membersOf(imported)
    const isDirect = imported.kind === 'direct'
    if (isDirect && members.size < 2) return undefined
    const memberKey = isDirect ? memberKeyOf([...members.values()].map(({ id }) => id)) : null
    const ownId = namedUuid(this.#orgId, this.#source.format, 'topic', imported.key)
    const [known] = await this.#db.query<{ id: string; updated_at: number }>(sql`
      select id, updated_at from topics
      where org_id = ${this.#orgId} and (id = ${ownId} or member_key = ${memberKey}) limit 1`)
    this.counts[known ? 'matched' : 'added'] += 1
    if (!known && !this.#isDryRun) await this.#add(ownId, imported, memberKey)
    const here = [...members].filter(([, { isHere }]) => isHere)
    return {
      id: known?.id ?? ownId,
      mentionable: new Map(here.map(([key, { id }]) => [key, id])),
      isHidden: !known || known.updated_at === HIDDEN,
      imported,
    }
  }

  #membersOf({ memberKeys }: ImportedTopic): Map<string, ResolvedPerson> {
    const members = new Map<string, ResolvedPerson>()
    for (const key of new Set(memberKeys)) {
      const person = this.#people.get(key)
      if (person) members.set(key, person)
    }
    return members
  }

  #creatorOf({ creatorKey }: ImportedTopic): string {
    return (creatorKey !== undefined && this.#people.get(creatorKey)?.id) || this.#ownerId
  }

  async #add(id: string, topic: ImportedTopic, memberKey: string | null): Promise<void> {
    const isDirect = topic.kind === 'direct'
    const name = isDirect ? '' : firstCodePoints(toName(topic.name), LIMITS.topicName) || 'Imported'
    const description = firstCodePoints(
      topic.description.replaceAll('\0', '').toWellFormed(),
      LIMITS.topicDescription,
    )
    const createdAt = isPast(topic.createdAt, this.#db.clock()) ? topic.createdAt : this.#db.clock()
    await addHiddenTopic(this.#db, this.#orgId, {
      id,
      type: isDirect ? 'dm' : 'topic',
      name,
      description,
      memberKey,
      createdBy: this.#creatorOf(topic),
      createdAt,
    })
  }

  /** Admits the members, once everything is there. */
  async show({ id, imported, isHidden }: ResolvedTopic): Promise<void> {
    if (!isHidden || this.#isDryRun) return
    const all = [...this.#membersOf(imported).values()]
    // A direct message keeps both participants, even if one of them has left.
    const memberIds = all
      .filter(({ isHere }) => isHere || imported.kind === 'direct')
      .map((person) => person.id)
    const topic = {
      id,
      isOpen: imported.kind === 'open',
      isArchived: imported.isArchived,
      memberIds: [...new Set(memberIds)],
      actorId: this.#creatorOf(imported),
    }
    await this.#db.write(this.#orgId, (tx) => showTopic(tx, topic))
  }
}
