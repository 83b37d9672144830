import { defineConfig } from 'vitest/config'

/** The pages, in a real browser against a real server: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/browser/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Each file has a server, a database and a browser, which wait for each other much of the time.
    maxWorkers: 2,
    testTimeout: 150_000,
    hookTimeout: 150_000,
  },
})
