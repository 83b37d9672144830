import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { migratedFolder } from '../support/migrated-folder.ts'

let parley: CommandLine
let beside: { DATA_DIR: string }
let url: string
let home: string

beforeAll(async () => {
  parley = await openCommandLine()
  beside = { DATA_DIR: await migratedFolder('parley-org-remove-') }
  url = (await parley.start({ ...beside, PORT: '0' })).said.address ?? ''
  home = await create('Mill', 'bo@example.com')
})
afterAll(async () => {
  await parley?.close()
  await rm(beside.DATA_DIR, { recursive: true, force: true, maxRetries: 5 })
})

const create = async (name: string, email: string) =>
  String(
    (await parley.json(['org', 'create', '--name', name, '--admin-email', email], beside)).organizationId,
  )
const remove = (org: string, input?: string, ...options: string[]) =>
  parley.begin(['org', 'remove', '--org', org, ...options], beside, input).ended
const list = async () => (await parley.run(['org', 'list'], beside)).stdout

describe('parley org remove', () => {
  it('says what will go, and asks for the name', async () => {
    const org = await create('Strangers Ltd', 'eve@example.com')
    const inputs = [undefined, 'Strangers\n', '\n']
    for (const { code, stderr } of await Promise.all(inputs.map((input) => remove(org, input)))) {
      expect(code).toBe(1)
      expect(stderr).toMatch(
        /"Strangers Ltd" will be removed for good, with:[\s\S]*People +1\n[\s\S]*Messages +\d+\n/,
      )
      expect(stderr).toContain('Nothing was removed: that is not its name.')
    }
    expect(await list()).toMatch(/Strangers Ltd\n {2}created [\d-]+, 1 person, 0 bots,/)
    const { code, stdout } = await remove(org, 'Strangers Ltd\n')
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'The organization "Strangers Ltd" is removed. With it went:',
    ])
    expect(await list()).not.toContain('Strangers Ltd')
  })

  it('works beside a running server, whose bots get 401 from then on', async () => {
    const org = await create('Quiet Harbour', 'mallory@example.com')
    const bot = await parley.json(
      ['bot', 'create', '--org', org, '--name', 'Bo', '--credential', 'static'],
      beside,
    )
    const { apiKey = '', apiSecret = '' } = bot
    const ask = async () => (await call(url, { apiKey, apiSecret }, 'GET', '/v2/topics')).status
    expect(await ask()).toBe(200)
    const { removed } = Object(await parley.json(['org', 'remove', '--org', org, '--yes'], beside))
    expect(removed).toMatchObject({ people: 1, bots: 1, holds: 0 })
    await eventually(ask).toBe(401)
    expect((await call(url, undefined, 'GET', '/health/ready')).status).toBe(200)
  })

  it('refuses the home organization, and one that is not there', async () => {
    const { code, stderr } = await remove(home, undefined, '--yes')
    expect([code, stderr]).toEqual([1, expect.stringContaining('"Mill" is the home organization')])
    const unknown = await remove('00000000-0000-4000-8000-000000000000', undefined, '--yes')
    expect(unknown.stderr).toContain('No organization has the id')
  })
})
