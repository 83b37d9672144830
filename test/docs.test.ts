import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EVENTS } from '../contract/events.ts'
import { anchorOf } from '../contract/markdown/guides.ts'
import type { Operation } from '../contract/operation.ts'
import { buildLibrary } from '../sdk/build.mjs'
import { createIncomingWebhook } from '../server/actions/bots/incoming-webhooks.ts'
import { createOrgUnit } from '../server/actions/members/org-units.ts'
import { OPERATOR } from '../server/actions/organization/audit.ts'
import { makeServiceToken } from '../server/actions/organization/service-tokens.ts'
import { startRehearsal } from '../server/actions/rehearsals/rehearsals.ts'
import type { ServiceTokenKind } from '../server/auth/service-tokens.ts'
import { sql } from '../server/db/sql.ts'
import { oauthBot, organization, person, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import {
  authentication,
  everyPage,
  functionsOf,
  guide,
  nameOf,
  operationOf,
  readme,
} from './support/guide.ts'
import { type Exchange, isEnd, isTyped, runPage, type StepRun } from './support/page-run.ts'
import { codeIn, type Page, ROOT, readPagesIn, type Section, SHOWING } from './support/pages.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInToProfile, type TestPerson } from './support/people.ts'
import { isInstalled } from './support/programs.ts'
import { Shown } from './support/shown.ts'

const TOOLS = ['bash', 'curl', 'openssl']

describe.skipIf(!TOOLS.every(isInstalled))(
  `with ${TOOLS.join(', ')}, what a page shows is what happens`,
  () => {
    let server: TestParley
    let folder: string
    let library: string
    beforeAll(async () => {
      server = await startTestParley({
        rateLimitPerMinute: 1000,
        orgUnitChangesPerMinute: 0,
        accessTokenSignature: 'key-pair',
      })
      folder = await mkdtemp(join(tmpdir(), 'parley-library-'))
      library = join(folder, 'parley.mjs')
      await buildLibrary(library)
    })
    afterAll(async () => {
      await server.close()
      await rm(folder, { recursive: true, force: true })
    })

    /** Each page has an organization of its own, with the people that the pages know. */
    async function run(page: Page): Promise<StepRun[]> {
      const orgId = await organization(server)
      const deploy = await staticBot(server, orgId, 'Deploy bot', {
        pollVoteEvents: true,
        opensDirectMessages: true,
      })
      const calendar = await oauthBot(server, orgId, 'Calendar bot')
      const ada = await person(server, orgId, 'Ada Okafor', { email: 'ada@example.com' })
      await person(server, orgId, 'Grace Lindqvist', { email: 'grace@example.com' })
      await server.parley.db.write(orgId, (tx) =>
        createOrgUnit(
          tx,
          { name: 'Field engineering', tag: 'field', type: 'Team', members: [ada, deploy.id] },
          OPERATOR,
        ),
      )
      // Members who join at one moment are in the order of their drawn ids.
      await server.parley.db.query(sql`
        update org_unit_members set joined_at = joined_at + 1 where org_id = ${orgId} and profile_id = ${deploy.id}`)
      const hooks: Record<string, string> = {}
      if (page.path === 'docs/incoming-webhooks.md') Object.assign(hooks, await makeHooks(ada, deploy))
      if (page.path === 'docs/rehearsals.md') Object.assign(hooks, await makeRehearsal(ada, deploy))
      if (page.path === 'docs/scim.md') hooks.SCIM_TOKEN = await makeToken('scim', orgId, ada)
      if (page.path === 'docs/audit-events.md') hooks.AUDIT_TOKEN = await makeToken('audit', orgId, ada)
      const variables = {
        ...hooks,
        KEY: deploy.credentials.apiKey,
        SECRET: deploy.credentials.apiSecret,
        CLIENT_ID: calendar.clientId,
        CLIENT_SECRET: calendar.clientSecret,
      }
      const preamble = functionsOf(page) === undefined ? (functionsOf(authentication) ?? '') : ''
      const act = ACTS[page.path]
      const onListening = async (runs: readonly StepRun[]) => {
        if (!act) return
        await confirmEverything(deploy)
        await act(await signInToProfile(server, { orgId, profileId: ada }), deploy, runs)
      }
      return runPage(page, server, { orgId, variables, preamble, library, onListening })
    }

    /** Acknowledges all events, so that a program gets only new ones. */
    async function confirmEverything(bot: StaticTestBot): Promise<void> {
      const { nextOffset } = Object((await bot.get('/v2/updates?offset=newest')).body)
      expect((await bot.get(`/v2/updates?offset=${nextOffset}`)).status).toBe(200)
    }

    /** Ada's actions on these pages when a bot listens. */
    const ACTS: Record<
      string,
      (ada: TestPerson, bot: StaticTestBot, runs: readonly StepRun[]) => Promise<void>
    > = {
      'docs/buttons.md': async (ada, bot, runs) => {
        const id = idOfLast(runs, '/v2/messages')
        const { actions } = Object((await bot.get(`/v2/messages/${id}`)).body)
        const answer = { actionsId: actions.id, elementId: actions.elements[0].id }
        expect((await chatOf(ada).post(`actions/${id}/press`, answer)).status).toBe(201)
      },
      'docs/questions.md': async (ada, bot, runs) => {
        const { body } = await bot.get(`/v2/questions/${idOfLast(runs, '/v2/questions')}`)
        const { messageId } = Object(body)
        const { actions } = Object((await bot.get(`/v2/messages/${messageId}`)).body)
        const answer = { actionsId: actions.id, elementId: actions.elements[0].id }
        expect((await chatOf(ada).post(`actions/${messageId}/press`, answer)).status).toBe(201)
      },
      'docs/commands.md': async (ada, bot) => {
        const topic = await bot.post('/v2/topics', { name: 'Releases', members: [ada.profileId] })
        await say(ada, Object(topic.body).id, '/deploy production')
      },
      'docs/messages.md': async (ada, _bot, runs) =>
        say(ada, idOfLast(runs, '/v2/topics'), 'How many days do I have left?'),
      // Each program of the page rehearses from the beginning.
      'docs/rehearsals.md': async (_ada, { orgId }) => {
        await server.parley.db.query(sql`
          update rehearsals set heard_seq = 0, current_seq = null, over_at = null where org_id = ${orgId}`)
        await server.parley.db.query(sql`delete from rehearsal_events where org_id = ${orgId}`)
      },
      'docs/streaming.md': async (ada, _bot, runs) =>
        say(ada, idOfLast(runs, '/v2/topics'), 'How is the build?'),
    }

    async function say(who: TestPerson, topicId: string, text: string): Promise<void> {
      expect((await chatOf(who).post('messages', { topicId, text })).status).toBe(201)
    }

    const idOfLast = (runs: readonly StepRun[], path: string): string => {
      const made = runs.flatMap(({ exchanges }) => exchanges)
      return Object(made.findLast(({ method, target }) => method === 'POST' && target === path)?.answer.body)
        .id
    }

    /** Makes the webhooks as an admin does in the console. */
    async function makeHooks(profileId: string, bot: StaticTestBot) {
      const topic = await bot.post('/v2/topics', { name: 'Builds', members: [profileId] })
      const wanted = { topicId: Object(topic.body).id, name: 'Builds' }
      const secret = 'correct-horse-battery-staple'
      return server.parley.db.write(bot.orgId, async (tx) => ({
        HOOK: (await createIncomingWebhook(tx, server.parley, OPERATOR, bot.id, wanted)).token,
        SIGNED_HOOK: (await createIncomingWebhook(tx, server.parley, OPERATOR, bot.id, { ...wanted, secret }))
          .token,
        HOOK_SECRET: secret,
      }))
    }

    /** A rehearsal as an admin begins it, of a topic in which they have asked something. */
    async function makeRehearsal(profileId: string, bot: StaticTestBot) {
      const { orgId } = bot
      await server.parley.db.query(
        sql`update profiles set role = 'owner' where org_id = ${orgId} and id = ${profileId}`,
      )
      const topic = await bot.post('/v2/topics', { name: 'Questions', members: [profileId] })
      await say(await signInToProfile(server, { orgId, profileId }), Object(topic.body).id, 'What is it?')
      const { token } = await server.parley.db.write(orgId, (tx) =>
        startRehearsal(tx, OPERATOR, { profileId }, bot.id, {}),
      )
      return { PARLEY_REHEARSAL: token }
    }

    /** The token of an identity provider or of a reader of the audit log, as it is made in the console. */
    const makeToken = async (kind: ServiceTokenKind, orgId: string, profileId: string): Promise<string> =>
      (await server.parley.db.write(orgId, (tx) => makeServiceToken(tx, { orgId, profileId }, kind, 0))).token

    const pages = [readme, ...guide].filter(({ sections }) => sections.some(({ steps }) => steps.length > 0))
    it.each(pages.map((page) => [page.path, page] as const))(
      '%s',
      async (_path, page) => {
        const runs = await run(page)
        const shown = new Shown()
        for (const stepRun of runs) expectShown(page, stepRun, shown)
        for (const section of page.sections) {
          const operation = operationOf(section)
          if (operation) expectDone(operation, section, runs)
        }
      },
      60_000,
    ) // a page starts some twenty programs, among them Python and Node
  },
)

/** Every request succeeds, except the last one if a refusal is shown; its answer is the one shown. */
function expectShown(page: Page, { step, exchanges, output }: StepRun, shown: Shown): void {
  const where = `${page.path}:${step.line}`
  const answerShown = step.shown?.language === 'text' ? undefined : step.shown
  const succeeded = answerShown ? exchanges.slice(0, -1) : exchanges
  for (const { answer, method, target } of succeeded.filter((one) => !isEnd(one.answer))) {
    expect(answer.status, `${where}: ${method} ${target} answered ${answer.text}`).toBeLessThan(300)
  }
  if (step.shown?.language === 'text') shown.expectText(output, step.shown.text, where)
  if (!answerShown) return
  const answer = exchanges.at(-1)?.answer
  if (!answer) throw new Error(`${where}: an answer is shown, but nothing was asked`)
  if (answerShown.language === 'http') shown.expectAnswer(answer, answerShown.text, where)
  else shown.expectBody(answer, answerShown.text, where)
}

/** The section has called its operation, and that caused the events that the section names. */
function expectDone(operation: Operation, section: Section, runs: StepRun[]): void {
  const done = runs
    .filter(({ step }) => section.steps.includes(step))
    .flatMap(({ exchanges }) => exchanges)
    .filter((exchange) => calls(exchange, operation) && exchange.answer.status < 300)
  expect(done.length, `"${section.heading}" calls ${nameOf(operation)}`).toBeGreaterThan(0)
  const caused = new Set(done.flatMap(({ events }) => events))
  expect([...caused].sort(), `"${section.heading}" causes`).toEqual(eventsIn(section).sort())
}

function calls({ method, target }: Exchange, operation: Operation): boolean {
  const [path = ''] = target.split('?')
  const pattern = operation.path.replace(/\{\w+\}/g, '[^/]+')
  return method === operation.method && new RegExp(`^${pattern}$`).test(path)
}

/** Event names of the paragraph that begins with "Causes". */
function eventsIn(section: Section): string[] {
  const [, paragraph = ''] = /^Causes ((?:.+\n)+)/m.exec(section.text) ?? []
  return codeIn(paragraph).filter((name) => name in EVENTS)
}

describe('the pages', () => {
  it('show no answer without a command that gives it', () => {
    for (const { path, sections } of [readme, ...guide]) {
      for (const { fences, steps } of sections) {
        const shown = steps.map((step) => step.shown)
        const loose = fences.filter(
          (fence) => SHOWING.includes(fence.language) && !fence.isOnlyRead && !shown.includes(fence),
        )
        expect(loose.map(({ line }) => `${path}:${line}`)).toEqual([])
      }
    }
  })

  it('define the same shell functions in the README and in the guide', () => {
    expect(functionsOf(readme)).toBe(functionsOf(authentication))
  })

  it('fit the types of Node and of the library, as strictly as our own code', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-types-'))
    try {
      const steps = [readme, ...guide].flatMap(({ path, sections }) =>
        sections.flatMap(({ steps }) => steps.filter(isTyped).map((step) => ({ path, step }))),
      )
      expect(steps.length).toBeGreaterThan(10)
      await writeFile(join(folder, 'parley.d.mts'), `export * from '${ROOT}/sdk/index.ts'\n`)
      await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
      const names = steps.map(({ path, step }) => `${basename(path, '.md')}-${step.line}.mts`)
      await Promise.all(
        names.map((name, index) => writeFile(join(folder, name), steps[index]?.step.text ?? '')),
      )
      const options =
        '--noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2023 --module nodenext'
      const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types')]
      const said = await promisify(execFile)(
        join(ROOT, 'node_modules/.bin/tsc'),
        [...options.split(' '), ...types, ...names],
        { cwd: folder },
      ).catch((error) => error)
      expect(said.stdout).toBe('')
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('can be pasted into zsh, which takes # and a bare ? for something else', () => {
    for (const page of [readme, ...everyPage]) {
      for (const { language, text, line } of page.sections.flatMap(({ fences }) => fences)) {
        if (language !== 'sh') continue
        const bare = text.replaceAll(/'[^']*'|"[^"]*"/g, '')
        expect(bare, `${page.path}:${line}`).not.toMatch(/(^|\s)#|\?/m)
      }
    }
  })

  it('name tests that there are, where they say how security is tested', () => {
    const page = readFileSync(join(ROOT, 'docs', 'security.md'), 'utf8')
    const tested = [...page.matchAll(/^Tested: ([\s\S]*?)(?=^Open:)/gm)].map(([, text = '']) => text)
    expect(tested.length, 'a list for each chapter but the one that does not apply').toBe(16)
    const names = tested.flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name))
    const paths = names.map((name) => (name.endsWith('/') ? name : `${name}.test.ts`))
    expect(paths.filter((path) => !existsSync(join(ROOT, 'test', path)))).toEqual([])
  })

  it('lead from a refused signature to the checker of the console', () => {
    for (const name of ['authentication.md', 'errors-and-limits.md']) {
      const page = readFileSync(join(ROOT, 'docs', name), 'utf8')
      expect(page, name).toMatch(/signature checker[^|]{0,200}\[console\]\([^)]+\/console\)/)
    }
  })

  it('have links that lead somewhere', () => {
    const all = [...readPagesIn('.'), ...everyPage]
    for (const page of all) {
      for (const [, link = ''] of page.prose.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^\w+:/.test(link)) continue
        const [file = '', anchor] = link.split('#')
        const path = file === '' ? page.path : relative(ROOT, join(ROOT, dirname(page.path), file))
        expect(existsSync(join(ROOT, path)), `${page.path} links to ${link}`).toBe(true)
        if (anchor === undefined) continue
        const target = all.find((candidate) => candidate.path === path)
        expect(target?.headings.map(anchorOf), `${page.path} links to ${link}`).toContain(anchor)
      }
    }
  })
})
