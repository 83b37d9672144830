import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    // Files share loaded modules: half of the time would go into loading the same ones again and again.
    isolate: false,
    // One more than there are cores: much of a test is waiting for another process.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
