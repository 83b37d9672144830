import { LIMITS } from '../../contract/limits.ts'
import { NAMELESS } from '../../contract/members.ts'
import { addImportedName, addImportedPerson } from '../actions/members/imported-members.ts'
import { addressMark, notePerson, sourceMark } from '../actions/organization/import-marks.ts'
import type { Database } from '../db/database.ts'
import { sql } from '../db/sql.ts'
import { countCodePoints, EMAIL, emailKey, firstCodePoints, nameFrom, toName } from '../text.ts'
import { namedUuid } from './ids.ts'
import { type ImportedPerson, type ImportSource, NO_ADDRESS, type Skipped } from './source.ts'

/** `matched`: here already, by their address or from an import before. `guests`: how many of the added. `erased`: their data was deleted here. */
export type PeopleCounts = {
  matched: number
  added: number
  guests: number
  nameless: number
  erased: number
}
/** A person of an export as a member here. People who have left belong to no topic. */
export type ResolvedPerson = { id: string; name: string; isHere: boolean; isErased: boolean }

type ProfileRow = { id: string; status: string; isErased: boolean }

/**
 * Finds or adds the people of an export. The address decides who is who. People with one are added as invited, and can
 * be sent an invitation, guests as guests; former members, bots and people without an address stay as names beside their
 * messages. Erased people stay nameless, even if a new person has their address by now.
 */
export class People {
  readonly counts: PeopleCounts = { matched: 0, added: 0, guests: 0, nameless: 0, erased: 0 }
  #db: Database
  #orgId: string
  #format: string
  #skipped: Skipped
  #isDryRun: boolean
  #resolved = new Map<string, ResolvedPerson>()

  constructor(db: Database, orgId: string, { format, skipped }: ImportSource, isDryRun: boolean) {
    this.#db = db
    this.#orgId = orgId
    this.#format = format
    this.#skipped = skipped
    this.#isDryRun = isDryRun
  }

  get(key: string): ResolvedPerson | undefined {
    return this.#resolved.get(key)
  }

  async resolve(person: ImportedPerson): Promise<ResolvedPerson> {
    const known = this.#resolved.get(person.key)
    if (known) return known
    const resolved = await this.#find(person)
    this.#resolved.set(person.key, resolved)
    return resolved
  }

  async #find(person: ImportedPerson): Promise<ResolvedPerson> {
    const email = addressOf(person)
    const ownId = `${person.isBot ? 'b@' : ''}${namedUuid(this.#orgId, this.#format, 'person', person.key)}`
    const name = firstCodePoints(toName(person.name), LIMITS.profileName) || nameFrom(email ?? 'somebody@')
    if (person.email && !person.isBot && email === undefined) this.#skipped.name(NO_ADDRESS, name)
    const marking = { orgId: this.#orgId, markKey: this.#db.markKey }
    const source = sourceMark(marking, this.#format, person.origin ?? person.key)
    const row = await this.#findProfile(ownId, email, [
      source,
      ...(email ? [addressMark(marking, email)] : []),
    ])
    if (row) {
      const { id, status, isErased } = row
      this.counts[isErased ? 'erased' : 'matched'] += 1
      if (!this.#isDryRun) await notePerson(this.#db, this.#orgId, source, id)
      const isHere = status === 'Active' || status === 'Pending'
      return { id, name: isErased ? NAMELESS : name, isHere, isErased }
    }
    const isHere = email !== undefined && !person.isGone
    const isGuest = person.isGuest === true
    this.counts[isHere ? 'added' : 'nameless'] += 1
    if (isHere && isGuest) this.counts.guests += 1
    const resolved = { name, isHere, isErased: false }
    if (this.#isDryRun) return { ...resolved, id: ownId }
    const title = firstCodePoints(toName(person.title ?? ''), LIMITS.profileLine)
    const id = await this.#db.write(this.#orgId, async (tx) => {
      const added = isHere
        ? await addImportedPerson(tx, { email, name, title, isGuest })
        : await addImportedName(tx, { id: ownId, name, email })
      await notePerson(tx, this.#orgId, source, added)
      return added
    })
    return { ...resolved, id }
  }

  /** Looks for erased people first, then for the address. */
  async #findProfile(
    ownId: string,
    email: string | undefined,
    marks: readonly Buffer[],
  ): Promise<ProfileRow | undefined> {
    const key = email === undefined ? null : emailKey(email)
    const [row] = await this.#db.query<ProfileRow>(sql`
      select id, status, erased_at is not null as "isErased" from profiles
      where org_id = ${this.#orgId} and (id = ${ownId} or email_key = ${key} or id = any(array(
        select m.profile_id from import_marks m where m.org_id = ${this.#orgId} and m.hash = any(${marks}::bytea[]))))
      order by erased_at is null, email_key is distinct from ${key}, id <> ${ownId} limit 1`)
    return row
  }
}

/** The person's address, if requests would accept it. */
function addressOf({ isBot, email = '' }: ImportedPerson): string | undefined {
  return !isBot && EMAIL.test(email) && countCodePoints(email) <= LIMITS.email ? email : undefined
}
