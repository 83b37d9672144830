import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import { openBackstage } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import { makeSignedIn } from '../parts/people.ts'
import { SESSION_COOKIE } from '../parts/requests.ts'
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
    const [person] = await makeSignedIn(backstage, 1, 'owner')
    if (!person) throw new Error('there is a person')
    await backstage.close()
    const url = `http://127.0.0.1:${server.port}`
    const browser = await chromium.launch({ executablePath, args: FLAGS })
    context.onEnd(() => browser.close())
    return context.repeat(async () => {
      const visits: Visit[] = []
      for (let number = 0; number < VISITS; number++) {
        const visitor = await browser.newContext()
        await visitor.addCookies([{ name: SESSION_COOKIE, value: person.token, url }])
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
