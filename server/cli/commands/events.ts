import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../../db/database.ts'
import { type Link, Links } from '../../files/links.ts'
import { withLinks } from '../../presenters/event-links.ts'
import { listLatestUpdates, readUpdates, type UpdateRow } from '../../queries/events/updates.ts'
import { command, optional, required } from '../command.ts'
import { findBot } from '../find.ts'
import { withInstallation } from '../installation.ts'
import * as values from '../values.ts'

const SHOWN = 20
const LOOK_MS = 250
const PAGE = 100

export const tail = command(
  {
    bot: required(values.botId, 'The bot whose events are shown'),
    count: optional(values.count(1000), `How many of the newest first; the default is ${SHOWN}`),
    follow: optional(values.trueOrFalse, 'true: go on with what comes, until Ctrl-C'),
  },
  ({ bot: botId, count = SHOWN, follow = false }, asJson) =>
    withInstallation('events tail', async ({ db, secrets, config }) => {
      const { orgId } = await findBot(db, botId)
      const bot = { orgId, profileId: botId }
      const { toLine, toJson } = writers(new Links(secrets, config, Date.now).for(bot))
      const latest = await listLatestUpdates(bot, db, count)
      if (follow) await goOn(db, bot, latest, asJson ? (update) => JSON.stringify(toJson(update)) : toLine)
      return {
        json: { botId, events: latest.map(toJson) },
        lines: latest.length === 0 ? ['No events yet.'] : latest.map(toLine),
      }
    }),
)

/** Prints events as they come, until the process ends. */
async function goOn(
  db: Database,
  bot: { orgId: string; profileId: string },
  latest: UpdateRow[],
  write: (update: UpdateRow) => string,
): Promise<never> {
  const print = (updates: UpdateRow[]) => {
    for (const update of updates) process.stdout.write(`${write(update)}\n`)
  }
  print(latest)
  for (let position = latest.at(-1)?.seq ?? 0; ; ) {
    const { updates, lastSeq } = await readUpdates(bot, db, position, PAGE)
    print(updates)
    position = updates.length === PAGE ? (updates.at(-1)?.seq ?? lastSeq) : lastSeq
    if (updates.length < PAGE) await sleep(LOOK_MS)
  }
}

const writers = (link: Link) => ({
  toLine: ({ createdAt, type, data }: UpdateRow) =>
    `${new Date(createdAt).toISOString()}  ${type.padEnd(17)}  ${withLinks({ type, data }, link)}`,

  toJson: ({ id, type, createdAt, data }: UpdateRow) => ({
    updateId: `evt_${id}`,
    eventType: type,
    createdAt,
    data: JSON.parse(withLinks({ type, data }, link)),
  }),
})
