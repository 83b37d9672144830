import { Ajv, type ValidateFunction } from 'ajv'
import { Type } from 'typebox'
import { customEmojiName } from '../../contract/custom-emoji.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { RecordKind } from '../export/records.ts'
import { tickOf } from '../ids.ts'
import { EMAIL, firstCodePoints, isOneEmoji, toName } from '../text.ts'
import { AGREEMENTS, ruleOf } from './record-rules.ts'

/** Records named in a refusal; the others are counted. */
const NAMED = 20
/** Tolerated difference between the clocks of two servers. */
const AHEAD_MS = 86_400_000
/** Times at which something happened. Others, such as the end of a poll, may be to come. */
const HAPPENED =
  /^(created|updated|joined|saved|pinned|set|ended|erased|changed|decided|delivered|read|lastSeen)?At$/i

/** Kinds that are read in the order of their ids: one of a time to come would stand behind all that is written from now on. */
const IN_ORDER: ReadonlySet<string> = new Set(['messages', 'audit-log'])

const isWebAddress = (value: string): boolean =>
  URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)

const ajv = new Ajv({
  strict: false,
  formats: {
    email: EMAIL,
    emoji: (value: string) => isOneEmoji(value) || customEmojiName(value) !== undefined,
    'web-address': isWebAddress,
  },
})

/** Finds records of an export that no request could have made. */
export class RecordChecks {
  #fields: Readonly<Record<string, readonly string[]>>
  #now: number
  #named: string[] = []
  #count = 0

  /** `fields`: the fields of each kind of record, as the export lists them. */
  constructor(fields: Readonly<Record<string, readonly string[]>>, now: number) {
    this.#fields = fields
    this.#now = now
  }

  check({ name: kind }: RecordKind, lines: readonly string[]): void {
    const validate = checkOf(kind, this.#fields[kind] ?? [])
    for (const line of lines) {
      const mistake = this.#mistakeIn(kind, line, validate)
      if (mistake === undefined) continue
      this.#count += 1
      if (this.#named.length < NAMED) this.#named.push(`${kind}, ${nameOf(line)}: ${mistake}`)
    }
  }

  /** A sentence about the faulty records; undefined if there are none. */
  get refusal(): string | undefined {
    if (this.#count === 0) return undefined
    const more = this.#count > this.#named.length ? '; …' : ''
    return `${this.#count} of its records break the rules that requests keep (${this.#named.join('; ')}${more})`
  }

  /** The faulty field, or another fault. */
  #mistakeIn(kind: string, line: string, validate: ValidateFunction): string | undefined {
    const record = parse(line)
    if (record === undefined) return 'no JSON'
    if (!validate(record)) {
      const [error] = validate.errors ?? []
      return error?.instancePath.slice(1) || String(Object.values(error?.params ?? {})[0] ?? 'the record')
    }
    const late = Object.entries(record).find(
      ([field, value]) => HAPPENED.test(field) && Number(value) > this.#now + AHEAD_MS,
    )
    if (late) return late[0]
    if (IN_ORDER.has(kind) && !(tickOf(String(record.id)).ms <= this.#now + AHEAD_MS)) return 'id'
    return AGREEMENTS[kind]?.(record)
  }
}

/** Compiled once: an export is gone through twice, and a schema takes longer than many records. */
const compiled = new Map<string, ValidateFunction>()

function checkOf(kind: string, fields: readonly string[]): ValidateFunction {
  const name = [kind, ...fields].join(' ')
  const known = compiled.get(name)
  if (known) return known
  const rules = Object.fromEntries(fields.map((field) => [field, ruleOf(kind, field)]))
  const validate = ajv.compile(Type.Object(rules, { additionalProperties: false }))
  compiled.set(name, validate)
  return validate
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(line))
  } catch {
    return undefined
  }
}

/** Enough of a record to find it. What it says of itself may be hostile to a terminal. */
function nameOf(line: string): string {
  const { id, profileId, name } = parse(line) ?? {}
  return firstCodePoints(toName(String(id ?? profileId ?? name ?? 'without an id')), LIMITS.profileName)
}
