import { rm } from 'node:fs/promises'
import { expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { sql } from '../../server/db/sql.ts'
import { newUuid } from '../../server/ids.ts'
import { startServer } from '../../server/main.ts'
import { organization, staticBot } from '../support/cast.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { startReceiver, webhookBot } from '../support/receiver.ts'

const HOUR_MS = 3_600_000

it('a server with its own database does not wait for webhook leases of the one that was killed before it', async () => {
  const dataDir = await migratedFolder('parley-leases-')
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  const environment = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'silent',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    WEBHOOK_ALLOWED_ORGANIZATIONS: 'all',
  }

  // This server delivers no webhooks, so the rows keep the lease that a killed server would have left.
  const first = await startServer(readConfig({ ...environment, ROLES: 'api' }))
  const home = { parley: first.parley, url: first.address }
  const orgId = await organization(home)
  const sender = await staticBot(home, orgId)
  const bot = await webhookBot(home, orgId, receiver.url)
  const topic = await sender.post('/v2/topics', { name: 'Deploys', members: [bot.id] })
  expect(topic.status, topic.text).toBe(201)
  await first.parley.db.query(sql`
    update bots set webhook_leased_by = ${newUuid()}, webhook_leased_until = ${Date.now() + HOUR_MS}
    where id = ${bot.id}`)
  await first.stop()

  const second = await startServer(readConfig(environment))
  onTestFinished(() => second.stop())
  expect((await receiver.has(1)).length).toBeGreaterThanOrEqual(1)
})
