import { openBrowser, visitorOf } from '../parts/browser.ts'
import { openBackstage } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import { makeSignedIn } from '../parts/people.ts'
import type { Scenario } from '../scenario.ts'

const VISITS = 5

type Visit = { paint: number; script: number }

/** The browser's own figures of the page: its first paint, and the scripts as they came. */
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
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    const [person] = await makeSignedIn(backstage, 1, 'owner')
    if (!person) throw new Error('there is a person')
    await backstage.close()
    const url = `http://127.0.0.1:${server.port}`
    const browser = await openBrowser(context)
    return context.repeat(async () => {
      const visits: Visit[] = []
      for (let number = 0; number < VISITS; number++) {
        const visitor = await visitorOf(browser, url, person)
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
