import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine, type StartedServer } from '../support/command-line.ts'
import { eventually } from '../support/eventually.ts'
import { form } from '../support/forms.ts'
import { migratedFolder } from '../support/migrated-folder.ts'
import { PNG } from '../support/samples.ts'
import { isRunning, kill } from '../support/server-process.ts'

let parley: CommandLine
let environment: { DATA_DIR: string; PORT: string; SECRET_KEY: string }
let org: string
let bot: { botId: string; apiKey: string; apiSecret: string }
let topicId: string
let server: StartedServer

const url = () => server.said.address ?? ''
const start = async () => {
  server = await parley.start(environment)
}

beforeAll(async () => {
  parley = await openCommandLine()
  environment = {
    DATA_DIR: await migratedFolder('parley-images-'),
    PORT: '0',
    SECRET_KEY: 'a key for tests, long enough to be one',
  }
  await start()
  const made = await parley.json(
    ['org', 'create', '--name', 'Mill', '--admin-email', 'bo@example.com'],
    environment,
  )
  org = made.organizationId ?? ''
  bot = Object(
    await parley.json(['bot', 'create', '--org', org, '--name', 'Bo', '--credential', 'static'], environment),
  )
  const topic = await call(url(), bot, 'POST', '/v2/topics', { body: { name: 'Pictures', members: [] } })
  topicId = Object(topic.body).id
})
afterAll(async () => {
  await parley.close()
  await rm(environment.DATA_DIR, { recursive: true, force: true, maxRetries: 5 })
})

async function sendPicture() {
  const { body, contentType } = form({ topicId }, [{ content: PNG, name: 'logo.png' }])
  const headers = { 'content-type': contentType }
  return call(url(), bot, 'POST', '/v2/messages', { body, headers })
}

/** Processes started by this one. */
async function imageProcesses(parent = server.child.pid): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const found = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return new RegExp(`^PPid:\\s+${parent}$`, 'm').test(status) && command.includes('image-process.js')
    }),
  )
  return pids.filter((_, index) => found[index])
}

describe.skipIf(process.platform !== 'linux')('images', () => {
  it('are decoded outside of the server, by a process without its secrets', async () => {
    expect(await imageProcesses()).toEqual([])
    expect((await sendPicture()).status).toBe(200)
    const children = await imageProcesses()
    const maps = await Promise.all(children.map((pid) => readFile(`/proc/${pid}/maps`, 'utf8')))
    const child = children.find((_, index) => maps[index]?.includes('libvips'))
    expect(child).toBeDefined()
    expect(await readFile(`/proc/${server.child.pid}/maps`, 'utf8')).not.toContain('libvips')
    expect(await readFile(`/proc/${child}/environ`, 'utf8')).not.toContain('SECRET_KEY')
    expect(await readFile(`/proc/${child}/oom_score_adj`, 'utf8')).toBe('1000\n')
  })

  it('are sent by a command beside the running server, within the quota of the organization', async () => {
    const file = join(parley.folder, 'photo.png')
    await writeFile(file, PNG)
    const send = ['message', 'send', '--org', org, '--topic', topicId, '--from', bot.botId, '--file', file]
    const { messageId } = await parley.json(send, environment)
    await eventually(async () => {
      const { body } = await call(url(), bot, 'GET', `/v2/messages/${messageId}`)
      return Object(body).type
    }).toBe('image')

    const set = ['org', 'set', '--org', org, '--storage-quota-mb']
    expect(await parley.json([...set, '1'], environment)).toMatchObject({ storageQuotaMb: 1 })
    await writeFile(join(parley.folder, 'large.bin'), Buffer.alloc(1024 * 1024))
    const refused = await parley.run([...send.slice(0, -1), join(parley.folder, 'large.bin')], environment)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('storage quota exceeded')])
    expect(await parley.json([...set, 'default'], environment)).toMatchObject({ storageQuotaMb: null })
    expect((await parley.run([...set, '-1'], environment)).stderr).toContain(
      '--storage-quota-mb needs a value',
    )
  })

  it.each(['SIGKILL', 'SIGTERM'] as const)(
    'leave no process behind when the server ends: %s',
    async (signal) => {
      if (server.child.signalCode !== null) await start() // of the case before
      await sendPicture()
      const children = await imageProcesses()
      expect(children.length).toBeGreaterThan(0)
      if (signal === 'SIGKILL') await kill(server.child)
      else await server.stop()
      await eventually(async () => (await Promise.all(children.map(isRunning))).includes(true)).toBe(false)
    },
  )
})
