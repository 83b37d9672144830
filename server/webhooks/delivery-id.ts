import { type Sql, sql } from '../db/sql.ts'

/**
 * The id of a delivery: the time and order of its event (the first half of the event's id) and the chance in its
 * bot's id (the second half). A UUID of version 7 like the event's, so it goes to the right edge of the index, and
 * the same whenever the delivery of this event to this bot is made again.
 */
export const deliveryId = (eventId: Sql, botId: Sql): Sql =>
  sql`(left(${eventId}::text, 18) || right(${botId}, 18))::uuid`
