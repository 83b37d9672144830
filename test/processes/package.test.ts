import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '../support/client.ts'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { form } from '../support/forms.ts'
import { PNG } from '../support/samples.ts'

const run = promisify(execFile)

let parley: CommandLine
let packed: string

/**
 * Installs the package as a user without the sources does: npm fetches its dependencies, from its cache if possible.
 */
beforeAll(async () => {
  packed = await mkdtemp(join(tmpdir(), 'parley-packed-'))
  await run('npm', ['pack', '--pack-destination', packed])
  const [tarball = ''] = await readdir(packed)
  parley = await openCommandLine(async (folder) => {
    const options = ['--omit=dev', '--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', ['install', '--prefix', folder, ...options, join(packed, tarball)], { cwd: folder })
    return join(folder, 'node_modules', '.bin', 'parley')
  })
})
afterAll(async () => {
  await parley?.close()
  await rm(packed, { recursive: true, force: true })
})

it('runs from the npm package, without sources and without a bundler', async () => {
  const installed = await readdir(join(parley.folder, 'node_modules'))
  expect(installed).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(vite|rolldown|typescript)$/)]),
  )
  const own = join(parley.folder, 'node_modules', '@parley-chat', 'server')
  const files = await readdir(own, { recursive: true })
  expect(files).toEqual(expect.arrayContaining(['docs/operations.md', 'LICENSE', '.env.example']))
  expect(files.filter((file) => /^(web|contract|test|server\/cli)\b|\.map$/.test(file))).toEqual([])

  const licenses = await readFile(join(own, 'dist', 'licenses.txt'), 'utf8')
  for (const name of ['fastify', 'pg', 'react', 'lucide-react'])
    expect(licenses).toMatch(new RegExp(`^${name} \\d`, 'm'))

  const environment = { DATA_DIR: join(parley.folder, 'data'), PORT: '0' }
  const server = await parley.start(environment)
  const url = server.said.address ?? ''
  expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  const page = await (await fetch(url)).text()
  const script = /src="(\/[^"]+\.js)"/.exec(page)?.[1]
  expect((await fetch(url + script)).status).toBe(200)
  expect((await fetch(`${url}/docs`)).status).toBe(200)
  const { guides, files: linked } = Object(await (await fetch(`${url}/docs/content.json`)).json())
  expect(guides.length).toBeGreaterThan(30)
  expect(linked).toEqual(expect.arrayContaining(['.env.example', 'examples/echo.mjs', 'ops/haproxy.cfg']))

  const { organizationId = '' } = await parley.json(
    ['org', 'create', '--name', 'Mill', '--admin-email', 'bo@example.com'],
    environment,
  )
  const bot = Object(
    await parley.json(
      ['bot', 'create', '--org', organizationId, '--name', 'Bo', '--credential', 'static'],
      environment,
    ),
  )
  const topic = await call(url, bot, 'POST', '/v2/topics', { body: { name: 'Packed', members: [] } })
  // A picture, because a separate program with its own library reads it.
  const { body, contentType } = form({ topicId: Object(topic.body).id }, [{ content: PNG, name: 'logo.png' }])
  const sent = await call(url, bot, 'POST', '/v2/messages', {
    body,
    headers: { 'content-type': contentType },
  })
  expect(sent.status).toBe(200)

  // The package has the library too, which reads the sent message.
  const sdk = pathToFileURL(join(own, 'sdk', 'dist', 'parley.mjs')).href
  const { connect } = await import(sdk)
  const library = connect({ url, ...bot })
  const read = () => library.listMessages({ params: { topicId: Object(topic.body).id } })
  await expect.poll(read).toMatchObject({
    messages: expect.arrayContaining([expect.objectContaining({ type: 'image', senderName: 'Bo' })]),
  })
  expect(await server.stop()).toBe(0)
})
