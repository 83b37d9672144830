import { defineConfig, mergeConfig } from 'vitest/config'
import everyday from './vitest.config.ts'

/** The program itself, and servers and databases that are started, killed and started again: `npm run test:processes`. */
const config = mergeConfig(everyday, defineConfig({}))
config.test.include = ['test/processes/*.test.ts']
// Each test starts several servers and databases of its own: more files at once only make each other late.
config.test.maxWorkers = 2
export default config
