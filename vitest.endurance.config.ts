import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/patience.ts'

/** Tests that take a minute rather than a second: `npm run test:endurance`. One after the other: each wants the machine. */
export default defineConfig({
  test: {
    include: ['test/endurance/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    expect: { poll: { timeout: PATIENCE_MS } },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
  },
})
