import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { addPerson } from '../../server/actions/members.ts'
import { sql } from '../../server/db/sql.ts'
import { newUuid, randomToken, sha256 } from '../../server/ids.ts'
import { type Backstage, openBackstage } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import type { Scenario } from '../scenario.ts'

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]
const VISITS = 5
const DAY_MS = 86_400_000

type Visit = { paint: number; script: number }

/** What the browser itself says about the page: when it first painted something, and the scripts as they came. */
const READ = `(() => {
  const [{ startTime }] = performance.getEntriesByName('first-contentful-paint')
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  return { paint: startTime, script: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) }
})()`

export const pages: Scenario = {
  name: 'pages',
  title: "The console's first view in a browser that has never been there: scripts, and the first paint",
  target: { script: { valueUnder: 200 }, 'first paint': { valueUnder: 1000 } },
  async run(context) {
    const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path))
    if (executablePath === undefined) throw new Error('there is no Chromium here; CHROMIUM names one')
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    const token = await signIn(backstage)
    await backstage.close()
    const url = `http://127.0.0.1:${server.port}`
    const browser = await chromium.launch({ executablePath, args: FLAGS })
    context.onEnd(() => browser.close())
    return context.repeat(async () => {
      const visits: Visit[] = []
      for (let number = 0; number < VISITS; number++) {
        const visitor = await browser.newContext()
        await visitor.addCookies([{ name: 'parley_session', value: token, url }])
        const page = await visitor.newPage()
        await page.goto(`${url}/console/${backstage.orgId}`)
        await page.getByRole('heading', { level: 1 }).waitFor()
        visits.push(await page.evaluate(READ))
        await visitor.close()
      }
      const latency = latencyOf(visits.map(({ paint }) => paint))
      const script = Math.max(...visits.map((visit) => visit.script)) / 1024
      return [
        { name: 'script', unit: 'KB compressed', better: 'less', value: script },
        { name: 'first paint', unit: 'ms', better: 'less', value: latency.p50, latency },
      ]
    })
  },
}

async function signIn({ db, orgId }: Backstage): Promise<string> {
  const token = randomToken(256)
  const now = Date.now()
  await db.write(orgId, async (tx) => {
    const person = { name: 'Ada Okafor', email: 'ada@example.com', role: 'owner', status: 'Active' } as const
    const profileId = await addPerson(tx, person)
    await tx.query(sql`
      insert into sessions (token_hash, id, account_id, user_agent, created_at, last_seen_at, expires_at)
      select ${sha256(token)}, ${newUuid()}, account_id, '', ${now}, ${now}, ${now + DAY_MS}
      from profiles where org_id = ${orgId} and id = ${profileId}`)
  })
  return token
}
