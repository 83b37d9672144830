import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defaultExclude, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/patience.ts'
import { IS_THOROUGH } from './test/support/thorough.ts'

/** The files that take longest. Were one of them the last, the other workers would wait for it. */
const FIRST = [
  ...['sdk-python', 'bot-chains', 'private-content', 'unfinished-requests', 'import', 'frozen-writers'],
  ...['docs', 'commit-rights', 'people-stream', 'people-access', 'walk', 'people-audit', 'sdk', 'packages'],
  ...['organization-removal', 'search-files', 'assistants', 'export', 'approval-changes'],
  ...['ledger', 'backup', 'cli', 'uploads', 'cli-acting', 'rolling-restart', 'crashes'].map(
    (name) => `processes/${name}`,
  ),
  ...['files', 'console-people', 'console-bots', 'team', 'tour', 'offline', 'conversation', 'bots'].map(
    (name) => `browser/${name}`,
  ),
  ...['shell', 'journey', 'cards', 'agents', 'phone'].map((name) => `browser/${name}`),
]

/**
 * Files that the gate leaves to the nightly run, one a line: each takes seconds, and hardly anything but a change of its own subject breaks
 * it.
 */
const AT_NIGHT = readFileSync('test/at-night.txt', 'utf8')
  .trim()
  .split('\n')
  .map((name) => `test/${name}.test.ts`)

const missing = AT_NIGHT.filter((file) => !existsSync(file))
if (missing.length > 0)
  throw new Error(`test/at-night.txt names files that are not there: ${missing.join(', ')}`)

/** Files that ask for the plans of one machine, which a cluster makes in another way. */
const ON_ONE_MACHINE = ['chat-cost', 'page-cost', 'webhooks-cost'].map((name) => `test/${name}.test.ts`)

/** `npm run test:cluster` takes all files, but for these, with the cases of every day. */
const IS_ON_CLUSTER = process.env.CITUS_URL !== undefined && process.env.CITUS_URL !== ''
const LEFT_OUT = IS_ON_CLUSTER ? ON_ONE_MACHINE : IS_THOROUGH ? [] : AT_NIGHT

/** A file that the command names runs at any time. */
const isNamed = process.argv.some((argument) => argument.startsWith('test/'))

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = FIRST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
      return place === -1 ? FIRST.length : place
    }
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Files share loaded modules: half of the time would go into loading the same ones again and again.
    isolate: false,
    // Keeps transformed files between runs, by their content: a second run of one file takes half as long to begin.
    experimental: { fsModuleCache: true },
    exclude: [...defaultExclude, ...(isNamed ? [] : LEFT_OUT)],
    expect: { poll: { timeout: PATIENCE_MS } },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
    projects: [
      {
        extends: true,
        test: {
          name: 'everyday',
          include: ['test/*.test.ts', 'test/races/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          setupFiles: ['test/support/each-file.ts'],
          // One more than there are cores: much of a test is waiting for another process.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        // The program itself, and servers and databases that are started, killed and started again.
        extends: true,
        test: {
          name: 'processes',
          include: ['test/processes/*.test.ts'],
          globalSetup: ['test/support/processes-setup.ts'],
          setupFiles: ['test/support/each-file.ts'],
          // Each test starts several servers and databases of its own: more files at once only make each other late.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        // The pages, in a real browser against a real server.
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/*.test.ts'],
          globalSetup: ['test/support/pages-setup.ts'],
          // Each file has a server, a database and visitors, which wait for each other much of the time.
          maxWorkers: 2,
          sequence: { groupOrder: 3 },
        },
      },
      {
        // Tests that take minutes, one after the other: each wants the machine.
        extends: true,
        test: {
          name: 'endurance',
          include: ['test/endurance/**/*.test.ts'],
          globalSetup: ['test/support/global-setup.ts'],
          isolate: true,
          fileParallelism: false,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
