import type { Caller } from '../caller.ts'
import { refusal } from '../errors.ts'
import type { Secrets } from '../secrets.ts'

/** A place in a list: the filters and order it was read with, and the last item seen. */
export type Place<Filters, Position> = { filters: Filters; after: Position }

/** Cursors of one list for one caller. They are signed: changed, foreign or from another list is refused. */
export function cursors<Filters, Position>(secrets: Secrets, caller: Caller, list: string) {
  const purpose = `cursor:${list}:${caller.orgId}:${caller.profileId}`
  return {
    write(place: Place<Filters, Position>): string {
      const text = Buffer.from(JSON.stringify(place)).toString('base64url')
      return `${text}.${secrets.sign(purpose, text)}`
    },
    read(cursor: string): Place<Filters, Position> {
      const [text = '', signature = '', ...rest] = cursor.split('.')
      if (rest.length > 0 || !secrets.isSigned(purpose, text, signature)) throw refusal('cursor_invalid')
      return JSON.parse(Buffer.from(text, 'base64url').toString())
    },
  }
}

/** Cuts the one row too many that was asked for to learn whether there is more. */
export function cutPage<Row>(rows: Row[], limit: number): { items: Row[]; last: Row | undefined } {
  const items = rows.slice(0, limit)
  return { items, last: rows.length > limit ? items.at(-1) : undefined }
}
