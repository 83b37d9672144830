import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/patience.ts'

export default defineConfig({
  test: {
    include: ['test/*.test.ts', 'test/races/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/each-file.ts'],
    // Files share loaded modules: half of the time would go into loading the same ones again and again.
    isolate: false,
    // One more than there are cores: much of a test is waiting for another process.
    maxWorkers: availableParallelism() + 1,
    expect: { poll: { timeout: PATIENCE_MS } },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
  },
})
