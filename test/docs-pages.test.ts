import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseGuide } from '../contract/markdown/parse.ts'
import { buildLibrary } from '../sdk/build.mjs'
import {
  bodyOf,
  type DocsContent,
  groupsOf,
  headingsIn,
  linkTarget,
  sectionAbout,
} from '../web/src/views/docs/content.ts'
import {
  type Credential,
  type ExampleLanguage,
  exampleOf,
  languagesOf,
} from '../web/src/views/docs/examples.ts'
import { type Operation, operationsOf } from '../web/src/views/docs/operations.ts'
import { type OAuthTestBot, oauthBot, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { everyPage } from './support/guide.ts'
import { ROOT } from './support/pages.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { isInstalled } from './support/programs.ts'
import { PYTHON_ENVIRONMENT } from './support/python.ts'
import { send } from './support/wire.ts'

/** Statuses for examples although their ids are made up: it is not there, not ours, or taken. Never that it is malformed. */
const UNDERSTOOD = [200, 201, 204, 403, 404, 409]
/** Operations that need only the topic. */
const DONE = ['readMe', 'listTopics', 'createTopic', 'listMembers', 'createTask', 'createPoll', 'listStorage']
const LIMIT_MS = 300_000

let server: TestParley
let folder: string
let operations: Operation[]
let bot: StaticTestBot
let calendar: OAuthTestBot
let owner: TestPerson
let topicId: string

beforeAll(async () => {
  server = await startTestParley()
  folder = await mkdtemp(join(tmpdir(), 'parley-examples-'))
  // Makes curl print the status after each answer.
  await writeFile(join(folder, '.curlrc'), 'write-out = "\\n%{http_code}\\n"\n')
  await buildLibrary(join(folder, 'parley.mjs'))
  operations = operationsOf(Object(await (await fetch(`${server.url}/openapi.json`)).json()))
  const orgId = await organization(server)
  bot = await staticBot(server, orgId)
  calendar = await oauthBot(server, orgId)
  owner = await signInAs(server, { orgId, role: 'owner', name: 'Olu Adeyemi' })
  const members = [calendar.id, owner.profileId]
  const topic = await bot.post('/v2/topics', { name: 'Examples', members })
  topicId = Object(topic.body).id
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const operation = (id: string): Operation => {
  const found = operations.find((candidate) => candidate.id === id)
  if (!found) throw new Error(`there is no operation ${id}`)
  return found
}

/** The example as a reader runs it: with a topic and a person of theirs, and with free names. */
function written(one: Operation, language: ExampleLanguage, credential: Credential = 'key'): string {
  const text = exampleOf(one, language, server.url, credential)
  return text
    .replaceAll('9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d', topicId)
    .replaceAll('3f2b8a6e-1c4d-4e5f-9a0b-7c6d5e4f3a2b', owner.profileId)
    .replace(/Urgent|releases/, `$& by ${one.kind} in ${language}`)
}

const environment = () => ({
  ...PYTHON_ENVIRONMENT,
  HOME: folder,
  no_proxy: '127.0.0.1',
  PARLEY_API_KEY: bot.credentials.apiKey,
  PARLEY_API_SECRET: bot.credentials.apiSecret,
  PARLEY_CLIENT_ID: calendar.clientId,
  PARLEY_CLIENT_SECRET: calendar.clientSecret,
  PARLEY_SESSION: [...owner.cookies.values()][0] ?? '',
})

async function run(program: string, file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [file], {
    cwd: folder,
    env: environment(),
    timeout: LIMIT_MS,
    maxBuffer: 50_000_000,
  })
  return stdout
}

const ofBots = () => operations.filter((one) => languagesOf(one).length > 1)

/** The output of a runner: the status of each example, or the reason why it was not sent. */
async function outcomes(): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(folder, 'outcomes.json'), 'utf8'))
}

function expectUnderstood(answered: Record<string, unknown>): void {
  expect(Object.keys(answered).sort()).toEqual(
    ofBots()
      .map(({ id }) => id)
      .sort(),
  )
  const misunderstood = Object.entries(answered).filter(([, status]) => !UNDERSTOOD.includes(Number(status)))
  expect(misunderstood).toEqual([])
  for (const id of DONE) expect([id, Math.floor(Number(answered[id]) / 100)]).toEqual([id, 2])
}

describe('the examples of the docs', () => {
  it('are there for every operation of bots in all languages, and for those of people in curl', () => {
    expect(ofBots().length).toBeGreaterThan(40)
    for (const one of operations.filter(({ kind }) => kind !== 'event')) {
      const text = exampleOf(one, 'curl', 'https://chat.example.com', 'key')
      expect(text).toContain('https://chat.example.com')
      expect([one.id, text.match(/undefined|\[object/)]).toEqual([one.id, null])
    }
  })

  it(
    'are understood in curl',
    async () => {
      const commands = ofBots().map((one) => `echo '== ${one.id}'\n(\n${written(one, 'curl')}\n)`)
      await writeFile(join(folder, 'all.sh'), commands.join('\n'))
      const said = (await run('bash', 'all.sh')).split(/^== /m).slice(1)
      expectUnderstood(
        Object.fromEntries(said.map((part) => [part.split('\n')[0], Number(part.trim().split('\n').at(-1))])),
      )
    },
    LIMIT_MS,
  )

  it(
    'are understood in TypeScript',
    async () => {
      for (const one of ofBots()) await writeFile(join(folder, `${one.id}.mjs`), written(one, 'typescript'))
      const ids = ofBots().map(({ id }) => id)
      await writeFile(
        join(folder, 'all.mjs'),
        `import { writeFileSync } from 'node:fs'
const outcomes = {}
for (const id of ${JSON.stringify(ids)}) {
  outcomes[id] = await import(\`./\${id}.mjs\`).then(() => 200, (error) => error.status ?? String(error))
}
writeFileSync('outcomes.json', JSON.stringify(outcomes))`,
      )
      await run(process.execPath, 'all.mjs')
      expectUnderstood(await outcomes())
    },
    LIMIT_MS,
  )

  it.skipIf(!isInstalled('python3'))(
    'are understood in Python',
    async () => {
      await mkdir(join(folder, 'python'))
      for (const one of ofBots())
        await writeFile(join(folder, 'python', `${one.id}.py`), written(one, 'python'))
      await writeFile(
        join(folder, 'all.py'),
        `import json, pathlib
from parley import ParleyError
outcomes = {}
for path in sorted(pathlib.Path("python").iterdir()):
    try:
        exec(compile(path.read_text(), path.name, "exec"), {})
        outcomes[path.stem] = 200
    except ParleyError as error:
        outcomes[path.stem] = error.status
    except Exception as error:
        outcomes[path.stem] = repr(error)
pathlib.Path("outcomes.json").write_text(json.dumps(outcomes))`,
      )
      await run('python3', 'all.py')
      expectUnderstood(await outcomes())
    },
    LIMIT_MS,
  )

  it(
    'say what they say they do: a text is sent, in every language and with either kind of credentials',
    async () => {
      const texts = async () =>
        Object(await (await bot.get(`/v2/topics/${topicId}/messages?limit=100`)).body).messages.length
      const programs = {
        curl: ['bash', 'sh'],
        typescript: [process.execPath, 'mjs'],
        ...(isInstalled('python3') && { python: ['python3', 'py'] }),
      } as const
      const sendMessage = operation('sendMessage')
      await rm(join(folder, '.curlrc'))
      for (const credential of ['key', 'oauth'] as const) {
        for (const [language, [program, ending]] of Object.entries(programs)) {
          const before = await texts()
          const file = `one-${credential}.${ending}`
          const text = written(sendMessage, language as ExampleLanguage, credential)
          await writeFile(join(folder, file), text.replace(/replyTo[^,\n]*,?/, ''))
          await run(program, file)
          expect([language, credential, await texts()]).toEqual([language, credential, before + 1])
        }
      }
    },
    LIMIT_MS,
  )

  it('of people are understood with the session of one', async () => {
    const inOrganization = (text: string) =>
      text.replace(/organizations\/[0-9a-f-]{36}/, `organizations/${owner.orgId}`)
    const label = inOrganization(written(operation('createConsoleLabel'), 'curl'))
    await writeFile(join(folder, 'people.sh'), `${label}\n${written(operation('readAccount'), 'curl')}`)
    const said = await run('bash', 'people.sh')
    expect(said).toContain(owner.email)
    const labels = await owner.get(`/people/organizations/${owner.orgId}/labels`)
    expect(Object(labels.body).labels).toContainEqual(
      expect.objectContaining({ name: 'Urgent by people in curl' }),
    )
  })
})

describe('the docs', () => {
  it('have a page at each of their addresses, from this host alone', async () => {
    for (const path of ['/docs', '/docs/guides/messages', '/docs/api/sendMessage', '/docs/people']) {
      const response = await fetch(server.url + path)
      expect([path, response.status]).toEqual([path, 200])
      expect(response.headers.get('content-type')).toMatch(/^text\/html/)
      const page = await response.text()
      expect(page).not.toMatch(/(https?:)?\/\/[a-z]/i)
    }
  })

  it('bring every guide of the project, and the files that guides link to', async () => {
    const response = await fetch(`${server.url}/docs/content.json`, { headers: { 'Accept-Encoding': 'br' } })
    expect(response.headers.get('content-encoding')).toBe('br')
    expect(Number(response.headers.get('content-length'))).toBeLessThan(260_000)
    const { guides, files } = Object(await response.json())
    expect(guides.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining([...everyPage.map(({ path }) => path), 'README.md']),
    )
    const names = guides.map(({ name }: { name: string }) => name)
    expect(new Set(names).size).toBe(names.length)
    const [, inside] = groupsOf(guides).at(-1) ?? []
    expect(inside?.map(({ name }) => name).sort()).toEqual([
      'architecture',
      'contributing',
      'decisions',
      'interface',
    ])
    expect(files).toEqual(expect.arrayContaining(['.env.example', 'examples/echo.mjs', 'ops/haproxy.cfg']))
    for (const path of [...files, 'docs/topics.md']) {
      const file = await fetch(`${server.url}/docs/raw/${path}`)
      expect([path, file.status, file.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/plain; charset=utf-8',
      ])
      expect(await file.text()).toBe(await readFile(join(ROOT, path), 'utf8'))
    }
  })

  it('give no other file away', async () => {
    for (const path of [
      'package.json',
      'server/main.ts',
      '../package.json',
      'docs/../package.json',
      '%2e%2e/package.json',
      'docs%2f..%2fpackage.json',
      '/etc/passwd',
      '.env',
      '__proto__',
      'constructor',
    ]) {
      const { status } = await send(server.url, { method: 'GET', target: `/docs/raw/${path}` })
      expect([path, status]).toEqual([path, 404])
    }
  })

  it('have links that lead somewhere, all of them', async () => {
    const answer = Object(await (await fetch(`${server.url}/docs/content.json`)).json())
    const content: DocsContent = { ...answer, operations: operations }
    const anchorsOf = new Map(
      content.guides.map((guide) => [
        guide.name,
        headingsIn(parseGuide(bodyOf(guide), (link) => link)).map(({ anchor }) => anchor),
      ]),
    )
    const dead: string[] = []
    for (const guide of content.guides) {
      parseGuide(bodyOf(guide), (link) => {
        const to = linkTarget(guide.path, link, content)
        const [, name, anchor] = /^(?:\/docs\/guides\/([\w-]+))?#(.+)$/.exec(to ?? '') ?? []
        const anchors = anchorsOf.get(name ?? guide.name) ?? []
        if (to === undefined || (anchor !== undefined && !anchors.includes(anchor)))
          dead.push(`${guide.path}: ${link}`)
        return to
      })
    }
    expect(dead).toEqual([])
    const undescribed = content.operations.filter(
      (one) => one.access === 'bot' && sectionAbout(one, content.guides) === undefined,
    )
    expect(undescribed.map(({ id }) => id)).toEqual([])
  })
})
