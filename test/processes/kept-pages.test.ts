import { expect, it } from 'vitest'
import { growthByPages } from '../support/page-flood.ts'

/** Number of pages; `test/endurance/kept-pages.test.ts` asks for 50,000. */
const PAGES = 6000

it('keeps what thousands of different pages leave in memory below 10 MB', async () => {
  const growth = await growthByPages(PAGES)
  console.log(`${PAGES} different pages: at most ${growth.toFixed(1)} MB more in memory`)
  expect(growth).toBeLessThan(10)
})
