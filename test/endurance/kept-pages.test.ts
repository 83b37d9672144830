import { expect, it } from 'vitest'
import { growthByPages } from '../support/page-flood.ts'

const PAGES = 50_000
const LIMIT_MS = 20 * 60_000

it(
  'keeps what 50,000 different pages leave in memory below 10 MB, however long they come',
  async () => {
    const growth = await growthByPages(PAGES)
    console.log(`${PAGES} different pages: at most ${growth.toFixed(1)} MB more in memory`)
    expect(growth).toBeLessThan(10)
  },
  LIMIT_MS,
)
