import { defineConfig, mergeConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import everyday from './vitest.config.ts'

/** The files that take longest. Were one of them the last, the other worker would wait for it. */
const FIRST = ['ledger', 'backup', 'uploads', 'cli', 'rolling-restart']

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = FIRST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return place === -1 ? FIRST.length : place
    }
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other))
  }
}

/** The program itself, and servers and databases that are started, killed and started again: `npm run test:processes`. */
const config = mergeConfig(everyday, defineConfig({}))
config.test.include = ['test/processes/*.test.ts']
// Each test starts several servers and databases of its own: more files at once only make each other late.
config.test.maxWorkers = 2
config.test.sequence = { sequencer: LongestFirst }
export default config
