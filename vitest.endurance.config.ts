import { defineConfig } from 'vitest/config'

/** What takes a minute rather than a second: `npm run test:endurance`. One after the other: each wants the machine. */
export default defineConfig({
  test: {
    include: ['test/endurance/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
