import { defineConfig } from 'vitest/config'
import { PATIENCE_MS, TEST_LIMIT_MS } from './test/support/patience.ts'

/** The pages, in a real browser against a real server: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/support/pages-setup.ts'],
    // Files share loaded modules and the browser.
    isolate: false,
    // Each file has a server, a database and visitors, which wait for each other much of the time.
    maxWorkers: 2,
    expect: { poll: { timeout: PATIENCE_MS } },
    testTimeout: TEST_LIMIT_MS,
    hookTimeout: TEST_LIMIT_MS,
  },
})
