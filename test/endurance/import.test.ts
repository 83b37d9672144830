import { afterAll, beforeAll, expect, it } from 'vitest'
import { sql } from '../../server/db/sql.ts'
import { jsonOf } from '../support/command-here.ts'
import { mattermostExport, slackExport, writeZip } from '../support/exports.ts'
import { type Imports, openImports } from '../support/imports.ts'

const MESSAGES = 100_000
const LIMIT_MS = 120_000

let imports: Imports

beforeAll(async () => {
  imports = await openImports()
})
afterAll(() => imports.close())

it.each([
  ['slack', slackExport],
  ['mattermost', mattermostExport],
] as const)(
  'takes 100,000 messages of %s within two minutes, and once',
  async (format, make) => {
    const { orgId } = await imports.emptyOrganization()
    const files = make({ people: 200, channels: 50, messages: MESSAGES })
    const broken = { ...files, 'channel-0/2024-01-01.json': '[{"type":"message"' }
    const path = await writeZip(`${imports.place()}.zip`, format === 'slack' ? broken : files)
    const take = async () =>
      jsonOf(await imports.begin(['import', format, path, '--org', orgId, '--json']).ended)
    const began = performance.now()
    const first = Object(await take())
    const took = performance.now() - began
    console.log(`${format}: ${first.messages.added} messages in ${Math.round(took)} ms`)
    expect(took).toBeLessThan(LIMIT_MS)
    // A day of Slack's export that is not JSON is left out, and reported.
    const lost = MESSAGES - first.messages.added
    if (format === 'slack') {
      expect(lost).toBeGreaterThan(0)
      expect(lost).toBeLessThan(100)
      expect(JSON.stringify(first.skipped)).toContain('channel-0/2024-01-01.json')
    } else expect(lost).toBe(0)

    expect(await take()).toMatchObject({
      messages: { added: 0, alreadyThere: first.messages.added },
      reactions: 0,
    })
    const [counts] = await imports.server.parley.db.query<
      Record<'messages' | 'counted' | 'replies', number>
    >(sql`
      select count(*) as messages, sum(reply_count)::integer as counted, count(parent_id) as replies
      from messages where org_id = ${orgId}`)
    expect(counts?.messages).toBe(first.messages.added)
    expect(counts?.counted).toBe(counts?.replies)
  },
  10 * LIMIT_MS,
)
