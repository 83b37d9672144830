import { execFile, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../sdk/index.ts'
import { packAll } from '../sdk/pack.mjs'
import { organization, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { ROOT } from './support/pages.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs } from './support/people.ts'
import { isInstalled } from './support/programs.ts'
import { PYTHON_ENVIRONMENT } from './support/python.ts'
import { atNight, IS_THOROUGH } from './support/thorough.ts'

const run = promisify(execFile)
const tsc = join(ROOT, 'node_modules', '.bin', 'tsc')

let server: TestParley
let orgId: string
let folder: string
let packed: string[]

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  folder = await mkdtemp(join(tmpdir(), 'parley-packages-'))
  packed = await packAll(join(folder, 'packed'))
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const packageOf = (pattern: RegExp): string =>
  join(folder, 'packed', packed.find((name) => pattern.test(name)) ?? 'none')

/** An empty folder in which nothing but these packages are installed, without a network. */
async function installed(name: string, ...patterns: RegExp[]): Promise<string> {
  const own = join(folder, name)
  await mkdir(own)
  await writeFile(join(own, 'package.json'), '{"private":true}')
  const options = ['--offline', '--no-audit', '--no-fund', '--no-package-lock', '--legacy-peer-deps']
  await run('npm', ['install', ...options, ...patterns.map(packageOf)], { cwd: own })
  return own
}

async function botInTopic(name: string) {
  const bot = await staticBot(server, orgId, name)
  const person = await signInAs(server, { orgId, name: `Person of ${name}` })
  const parley = connect({ url: server.url, ...bot.credentials })
  const { id: topicId } = await parley.createTopic({ body: { name, members: [person.profileId] } })
  const answers = async () => {
    const query = { senderId: bot.id, limit: 100 }
    const { messages } = await parley.listMessages({ params: { topicId }, query })
    return messages.filter(({ isSystem }) => !isSystem).map(({ text }) => text)
  }
  const environment = {
    PARLEY_URL: server.url,
    PARLEY_API_KEY: bot.credentials.apiKey,
    PARLEY_API_SECRET: bot.credentials.apiSecret,
  }
  const say = async (text: string) =>
    expect((await chatOf(person).post('messages', { topicId, text })).status).toBe(201)
  return { answers, environment, say }
}

it('the packages name the same version, author, licence and repository, and no foreign name', async () => {
  const read = async (path: string) => JSON.parse(await readFile(join(ROOT, path), 'utf8'))
  const main = await read('package.json')
  expect(main.name).toBe('@parley-chat/server')
  const adapter = await read('adapters/chat-sdk/package.json')
  expect(adapter.dependencies).toEqual({ '@parley-chat/sdk': main.version })
  for (const path of ['sdk', 'sdk/create-parley-bot', 'adapters/chat-sdk'].map(
    (name) => `${name}/package.json`,
  )) {
    const { version, author, license, repository } = await read(path)
    expect({ version, author, license, url: repository.url }).toEqual({
      version: main.version,
      author: main.author,
      license: main.license,
      url: main.repository.url,
    })
  }
  const project = await readFile(join(ROOT, 'sdk/python/pyproject.toml'), 'utf8')
  expect(project).toContain(`version = "${main.version}"`)
  expect(project).toContain(`name = "${main.author}"`)
  expect(packed).toEqual([
    `parley-chat-sdk-${main.version}.tgz`,
    `create-parley-bot-${main.version}.tgz`,
    `parley-chat-chat-sdk-adapter-${main.version}.tgz`,
    `parley_bots-${main.version}.tar.gz`,
    `parley_bots-${main.version}-py3-none-any.whl`,
  ])
})

describe('the npm package', () => {
  it('runs by `import` and by `require`, and compiles under `strict` with both resolutions', async () => {
    const own = await installed('library', /^parley-chat-sdk/)
    const esm = `import { createBot } from '@parley-chat/sdk'; console.log(typeof createBot)`
    await writeFile(join(own, 'a.mjs'), esm)
    await writeFile(join(own, 'b.cjs'), `console.log(typeof require('@parley-chat/sdk').createBot)`)
    for (const file of ['a.mjs', 'b.cjs'])
      expect((await run(process.execPath, [file], { cwd: own })).stdout).toBe('function\n')

    const lines = [
      `const bot = createBot({ url: 'https://chat.example.com', apiKey: 'key', apiSecret: 'secret' })`,
      `bot.on('message', async ({ message, reply }) => { await reply(message.text ?? '') })`,
      `bot.on('reaction.added', ({ data }) => { const emoji: string = data.emoji; return emoji })`,
      `async function look(headers: Headers) {`,
      `  const { updates } = await bot.parley.readUpdates()`,
      `  for (const update of updates) if (update.eventType === 'poll_vote.created') return update.data.voterId`,
      `  const event = await readWebhook({ secret: 'secret' }, headers, 'body')`,
      `  return event?.type === 'member.added' ? event.data.memberIds[0] : undefined`,
      `}`,
      `const code: ErrorCode = 'topic_archived'`,
      `export { look, code }`,
    ]
    const use = [`import { createBot, type ErrorCode, readWebhook } from '@parley-chat/sdk'`, ...lines].join(
      '\n',
    )
    const wrong = `${use}\n// @ts-expect-error\nbot.on('mesage', () => {})\n// @ts-expect-error\nconst other: ErrorCode = 'no_such_code'\nexport { other }\n`
    for (const name of ['use.mts', 'use.cts', 'use.ts']) await writeFile(join(own, name), wrong)
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--types', '']
    const check = (...args: string[]) => run(tsc, [...strict, ...args], { cwd: own })
    await check('--module', 'nodenext', 'use.mts', 'use.cts')
    await check('--module', 'esnext', '--moduleResolution', 'bundler', 'use.ts')
  })
})

describe('the adapter for the Chat SDK', () => {
  it('is installed beside the library, runs, and compiles under `strict`', async () => {
    const own = await installed('adapter', /^parley-chat-sdk/, /^parley-chat-chat-sdk-adapter/)
    await symlink(join(ROOT, 'node_modules/chat'), join(own, 'node_modules/chat'))
    const program = `import { createParleyAdapter } from '@parley-chat/chat-sdk-adapter'
console.log(createParleyAdapter({ url: 'http://x', apiKey: 'a', apiSecret: 'b' }).name)`
    await writeFile(join(own, 'a.mjs'), program)
    expect((await run(process.execPath, ['a.mjs'], { cwd: own })).stdout).toBe('parley\n')
    const use = `import { createParleyAdapter, type ParleyAdapterOptions } from '@parley-chat/chat-sdk-adapter'
import { Chat, type StateAdapter } from 'chat'
export const botWith = (state: StateAdapter, options: ParleyAdapterOptions) =>
  new Chat({ userName: 'helper', adapters: { parley: createParleyAdapter(options) }, state })
// @ts-expect-error
createParleyAdapter({ mode: 'pigeon' })`
    await writeFile(join(own, 'use.mts'), use)
    const strict = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--skipLibCheck']
    await run(tsc, [...strict, '--module', 'nodenext', '--types', '', 'use.mts'], { cwd: own }).catch(
      (error) => {
        throw new Error(error.stdout)
      },
    )
  })
})

describe('create-parley-bot', () => {
  const LANGUAGES = [
    { language: 'typescript', program: process.execPath, args: ['--env-file=.env', 'bot.mjs'] },
    ...atNight({ language: 'python', program: 'sh', args: ['start.sh'] } as const),
  ] as const

  it.each(LANGUAGES.filter(({ language }) => language !== 'python' || isInstalled('python3')))(
    'makes a bot with $language whose first answer comes at once',
    async ({ language, program, args }) => {
      const own = await installed(`create ${language}`, /^create-parley-bot/)
      const { answers, environment, say } = await botInTopic(`Made with ${language}`)
      const begun = Date.now()
      const create = join(own, 'node_modules', '.bin', 'create-parley-bot')
      const env = { ...process.env, ...environment }
      const { stdout } = await run(create, ['my-bot', '--language', language], { cwd: own, env })
      expect(stdout).not.toContain(environment.PARLEY_API_SECRET)
      const made = join(own, 'my-bot')
      expect((await stat(join(made, '.env'))).mode & 0o777).toBe(0o600)
      expect(await readFile(join(made, '.gitignore'), 'utf8')).toContain('.env\n')
      await expect(run(create, ['my-bot'], { cwd: own, env })).rejects.toThrow('my-bot is not empty')

      const { PYTHONPATH: _, ...outside } = PYTHON_ENVIRONMENT
      const bot = spawn(program, args, { cwd: made, env: outside, stdio: 'inherit' })
      try {
        await say('Are you there?')
        await expect.poll(answers).toEqual(['You said: Are you there?'])
        const took = Date.now() - begun
        expect(took, 'the first answer').toBeLessThan(120_000)
        await say('/hello') // the command is there: the bot has set it before it listened
        await expect.poll(answers).toContain(`Hello, Person of Made with ${language}!`)
      } finally {
        bot.kill('SIGKILL')
        await once(bot, 'exit')
      }
      if (language === 'typescript')
        await run(tsc, ['--project', '.', '--types', ''], { cwd: made }).catch((error) => {
          throw new Error(error.stdout)
        })
    },
  )

  it('says what it wants', async () => {
    const create = join(ROOT, 'sdk/create-parley-bot/index.mjs')
    const failure = (args: string[]) =>
      run(process.execPath, [create, ...args]).then(
        () => '',
        ({ stderr }) => stderr,
      )
    expect(await failure([])).toContain('Usage: create-parley-bot FOLDER')
    expect(await failure(['x', '--language', 'cobol'])).toContain('--language is typescript or python')
    expect(await failure(['x', '--speed', 'high'])).toContain('Usage: create-parley-bot FOLDER')
  })
})

describe.skipIf(!isInstalled('python3'))('the Python package', () => {
  const options = ['install', '--no-index', '--no-deps', '--disable-pip-version-check']
  async function expectImported(target: string) {
    const said = await run(
      'python3',
      [
        '-c',
        'import parley, sys; print(parley.__file__); parley.Bot("http://x", api_key="a", api_secret="b")',
      ],
      { cwd: folder, env: { ...PYTHON_ENVIRONMENT, PYTHONPATH: target } },
    )
    expect(said.stdout.trim()).toBe(join(target, 'parley', '__init__.py'))
  }

  it('is installed from the wheel', async () => {
    const target = join(folder, 'wheel')
    await run('python3', ['-m', 'pip', ...options, '--target', target, packageOf(/\.whl$/)], { cwd: folder })
    await expectImported(target)
    expect(await readFile(join(target, 'parley', 'py.typed'), 'utf8')).toBe('')
  })

  /** Whether the machine has what builds the sources: nothing is fetched. */
  const buildsWheels = spawnSync('python3', ['-c', 'import setuptools, wheel']).status === 0
  it.skipIf(!IS_THOROUGH || !buildsWheels)('is installed from the sources', async () => {
    const target = join(folder, 'sdist')
    const built = [...options, '--no-build-isolation', '--target', target, packageOf(/\.tar\.gz$/)]
    await run('python3', ['-m', 'pip', ...built], { cwd: folder })
    await expectImported(target)
  })
})
