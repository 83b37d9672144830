import { spawnSync } from 'node:child_process'
import { appendFile, cp, mkdir, readdir, symlink, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILD_FOLDER } from '../../server/project.ts'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine, type StartedServer } from '../support/command-line.ts'
import { form } from '../support/forms.ts'
import { PNG } from '../support/samples.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = [
  'agent',
  'bin',
  'contract',
  'docs',
  'examples',
  'sdk',
  'server',
  'web',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
]

let parley: CommandLine
let checkout: string
let builds: string
let server: StartedServer
let environment: { DATA_DIR: string; PORT: string }

/** A checkout of its own, with the build that there is. */
beforeAll(async () => {
  parley = await openCommandLine(async (folder) => {
    checkout = join(folder, 'checkout')
    builds = join(checkout, 'dist', 'builds')
    const copy = (path: string) =>
      cp(join(ROOT, path), join(checkout, path), { recursive: true, preserveTimestamps: true })
    for (const path of SOURCES) await copy(path)
    await copy(join('dist', 'builds', basename(BUILD_FOLDER)))
    await symlink(join(ROOT, 'node_modules'), join(checkout, 'node_modules'))
    return join(checkout, 'bin', 'parley.mjs')
  })
  environment = { DATA_DIR: join(parley.folder, 'data'), PORT: '0' }
  server = await parley.start(environment)
})
afterAll(() => parley?.close())

/** A build that was used at this second after 1970, by a process of this id. */
async function formerBuild(name: string, at: number, pid?: number): Promise<void> {
  await mkdir(join(builds, name))
  if (pid !== undefined) await writeFile(join(builds, name, `used-by-${pid}`), '')
  await utimes(join(builds, name), at, at)
}

const endedProcess = () => spawnSync(process.execPath, ['--version']).pid

describe('a build', () => {
  it('stays as long as a server runs from it, whatever is built beside it', async () => {
    const before = (await readdir(builds)).filter((name) => name !== 'current')
    await formerBuild('third', 3)
    await formerBuild('left-by-a-crash', 2, endedProcess())
    await formerBuild('in-use', 1, process.pid)
    await mkdir(join(builds, `draft-${endedProcess()}`))

    await appendFile(join(checkout, 'web/src/main.tsx'), '\nwindow.name = "changed"\n')
    await appendFile(join(checkout, 'server/cli/main.ts'), '\nconsole.error("changed")\n')
    const other = await parley.run(['--version'], environment)
    expect(other).toMatchObject({ code: 0, stderr: expect.stringMatching(/Building Parley.*changed/s) })
    const after = (await readdir(builds)).sort()
    const [made] = after.filter((name) => /^[0-9a-f]{16}$/.test(name) && !before.includes(name))
    expect(made).toBeDefined()
    expect(after).toEqual([...before, 'current', 'in-use', made, 'third'].sort())

    const again = await parley.run(['--version'], environment)
    expect(again).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Building') })
    expect((await readdir(builds)).sort()).toEqual(after)
  })

  it('gives the server that runs from it its pages, its libraries and its programs, which it loads late', async () => {
    const url = server.said.address ?? ''
    const files = ['/sdk/parley.mjs', '/sdk/parley.zip', '/service-worker.js']
    for (const path of ['/', '/docs']) {
      const page = await (await fetch(url + path)).text()
      files.push(...[...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, file = '']) => file))
    }
    const worker = await (await fetch(`${url}/service-worker.js`)).text()
    files.push(...[...worker.matchAll(/"(assets\/[^"]+)"/g)].map(([, file = '']) => `/${file}`))
    expect(files.length).toBeGreaterThan(20)
    for (const file of new Set(files)) expect([file, (await fetch(url + file)).status]).toEqual([file, 200])

    const create = async (...args: string[]) => Object(await parley.json(args, environment))
    const { organizationId } = await create(
      'org',
      'create',
      '--name',
      'Mill',
      '--admin-email',
      'bo@example.com',
    )
    const bot = await create(
      'bot',
      'create',
      '--org',
      organizationId,
      '--name',
      'Bo',
      '--credential',
      'static',
    )
    const topic = await call(url, bot, 'POST', '/v2/topics', { body: { name: 'Builds', members: [] } })
    const { body, contentType } = form({ topicId: Object(topic.body).id }, [{ content: PNG, name: 'a.png' }])
    const headers = { 'content-type': contentType }
    expect((await call(url, bot, 'POST', '/v2/messages', { body, headers })).status).toBe(200)
  })
})
