import { expect, it } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import { atAnyTime, RacingDatabase, RacingNotifications, race } from './support.ts'

it('lets statements execute and answer in any order', async () => {
  const seen = new Set<string>()
  await race((scheduler) => {
    let state = 'old'
    const order: string[] = []
    const db = new RacingDatabase(scheduler, ({ values: [name] }) => [{ name, state }])
    const read = async (name: string) => {
      const [row] = await db.query(sql`select ${name}`)
      order.push(`${row?.name} ${row?.state}`)
    }
    const change = atAnyTime(scheduler, 'change', () => {
      state = 'new'
    })
    const all = Promise.all([read('first'), read('second'), change])
    return [all.then(() => seen.add(order.join(', ')))]
  })
  // Two orders of the answers, each before or after the change.
  expect(seen.size).toBe(8)
})

it('delivers notifications in the order of their commits', async () => {
  await race((scheduler) => {
    const notifications = new RacingNotifications(scheduler)
    const heard: number[] = []
    const sent = [1, 2, 3].map((number) => notifications.send(`${number}`, () => heard.push(number)))
    return [Promise.all(sent).then(() => expect(heard).toEqual([1, 2, 3]))]
  })
})

it('fails where an order breaks what must hold', async () => {
  const failed = race((scheduler) => {
    let count = 0
    const add = async () => {
      const before = count
      await scheduler.schedule(Promise.resolve(), 'add')
      count = before + 1
    }
    return [Promise.all([add(), add()]).then(() => expect(count).toBe(2))]
  })
  await expect(failed).rejects.toThrow(/seed: /)
})
