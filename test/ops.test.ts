import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { organization, staticBot } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

/** Seconds that a node may need after it has announced its end: work that runs longer is cut off by itself after 20. */
const STOP_SECONDS = 30
/** Far more than a statement takes here, far less than the one that is slow on purpose. */
const SLOW_QUERY_MS = 2000
/** Variables of other programs. */
const NOT_OURS = ['NODE_ENV']

const read = (file: string) => readFile(`ops/${file}`, 'utf8')
const yaml = async (file: string) =>
  parseAllDocuments(await read(file), { merge: true }).map((document) => {
    expect([file, document.errors]).toEqual([file, []])
    return document.toJS()
  })
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found)

let server: TestParley
beforeAll(async () => {
  server = await startTestParley({ slowQueryMs: SLOW_QUERY_MS })
})
afterAll(() => server.close())

describe('the files in ops/', () => {
  it('ask for paths that the server has', async () => {
    const texts = await Promise.all(
      (await readdir('ops', { withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map(({ name }) => read(name)),
    )
    const paths = new Set(texts.flatMap((text) => all(text, /(?<![\w.])(\/(?:health|metrics)[/\w]*)/g)))
    expect([...paths].sort()).toEqual(['/health/live', '/health/ready', '/metrics'])
    for (const path of paths) expect([path, (await fetch(server.url + path)).status]).toEqual([path, 200])
  })

  it('set nothing that is no setting, and nothing that is refused', async () => {
    const known = all(await readFile('.env.example', 'utf8'), /^# ([A-Z0-9_]+)=/gm)
    const [compose] = await yaml('compose.yaml')
    const [configMap] = await yaml('kubernetes.yaml')
    const container = Object.fromEntries(
      all(await read('Containerfile'), /^ENV (.+)$/gm).flatMap((line) =>
        line.split(' ').map((pair) => pair.split('=')),
      ),
    )
    const unit = Object.fromEntries(
      all(await read('parley.service'), /^Environment=(.+)$/gm).flatMap((line) =>
        line.split(' ').map((pair) => pair.split('=')),
      ),
    )
    const given = '0123456789abcdef'.repeat(4)
    for (const settings of [
      {
        ...container,
        ...compose.services.node1.environment,
        BASE_URL: 'http://localhost:8080',
        SECRET_KEY: given,
      },
      {
        ...container,
        ...compose.services.node2.environment,
        BASE_URL: 'http://localhost:8080',
        SECRET_KEY: given,
      },
      { ...container, ...configMap.data },
      unit,
    ]) {
      const names = Object.keys(settings).filter((name) => !NOT_OURS.includes(name))
      expect(names.filter((name) => !known.includes(name))).toEqual([])
      readConfig(settings)
    }
  })

  it('leave a node the time that it takes to stop', async () => {
    const [compose] = await yaml('compose.yaml')
    for (const name of ['node1', 'node2']) {
      const { stop_grace_period, environment } = compose.services[name]
      expect(Number.parseInt(stop_grace_period, 10)).toBeGreaterThanOrEqual(
        Number(environment.DRAIN_MS) / 1000 + STOP_SECONDS,
      )
    }
    const [configMap, deployment] = await yaml('kubernetes.yaml')
    const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec
    const drain = Number(configMap.data.DRAIN_MS) / 1000
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + STOP_SECONDS)
    const { periodSeconds, timeoutSeconds, failureThreshold } = containers[0].readinessProbe
    expect(drain).toBeGreaterThan(periodSeconds * failureThreshold + timeoutSeconds)
    const { drainMs } = readConfig({})
    const [timeout] = all(await read('parley.service'), /^TimeoutStopSec=(\d+)$/gm)
    expect(Number(timeout)).toBeGreaterThanOrEqual(drainMs / 1000 + STOP_SECONDS)
  })

  it('select in Kubernetes what they label', async () => {
    const [, deployment, service, budget] = await yaml('kubernetes.yaml')
    const labels = { 'app.kubernetes.io/name': 'parley' }
    const { metadata, spec } = deployment.spec.template
    expect([deployment.kind, service.kind, budget.kind]).toEqual([
      'Deployment',
      'Service',
      'PodDisruptionBudget',
    ])
    expect([metadata.labels, service.spec.selector, budget.spec.selector.matchLabels]).toEqual([
      labels,
      labels,
      labels,
    ])
    expect(deployment.spec.selector.matchLabels).toEqual(labels)
    expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas)
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    expect(spec.containers[0].image).toBe(`parley:${version}`)
  })

  it('are read by the programs they are for, where those are installed', async () => {
    const haproxy = ['haproxy', '/usr/sbin/haproxy'].find((path) => spawnSync(path, ['-v']).status === 0)
    if (haproxy) expect(spawnSync(haproxy, ['-c', '-f', 'ops/haproxy.cfg'])).toMatchObject({ status: 0 })
    else console.log('not looked at: ops/haproxy.cfg (apt install haproxy)')
  })
})

describe('metrics', () => {
  const metrics = async () => (await fetch(`${server.url}/metrics`)).text()

  it('have what the alerts and the dashboard ask for', async () => {
    const bot = await staticBot(server, await organization(server))
    const topic = await bot.post('/v2/topics', { name: 'Watched', members: [] })
    await bot.post('/v2/messages', { topicId: Object(topic.body).id, text: 'Counted.' })
    const text = await metrics()
    const known = all(text, /^# TYPE (\S+)/gm)
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

    const [{ groups }] = await yaml('alerts.yaml')
    const rules: { alert: string; expr: string }[] = groups.flatMap(
      (group: { rules: unknown[] }) => group.rules,
    )
    const { panels } = JSON.parse(await read('dashboard.json'))
    const expressions: { where: string; expr: string }[] = [
      ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
      ...panels.flatMap(({ title, targets }: { title: string; targets: { expr: string }[] }) =>
        targets.map(({ expr }) => ({ where: title, expr })),
      ),
    ]
    expect(rules.length).toBeGreaterThan(10)
    const wrong: string[] = []
    for (const { where, expr } of expressions) {
      const selectors = [...expr.matchAll(/\b((?:parley|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g)]
      if (selectors.length === 0 && !expr.startsWith('up{')) wrong.push(`${where}: no metric of Parley`)
      for (const [, name = '', labels = ''] of selectors) {
        if (!known.includes(name.replace(/_(bucket|count|sum)$/, '')) && !known.includes(name))
          wrong.push(`${where}: there is no ${name}`)
        // Labels that Prometheus adds itself, or without a fixed value, cannot be looked for; an error is hoped not to be there.
        const fixed = labels
          .split(',')
          .map((label) => label.trim())
          .filter((label) => /^\w+="/.test(label) && !/^(job|instance|status)=/.test(label))
        const found = samples.some(
          (line) => line.startsWith(name) && fixed.every((label) => line.includes(label)),
        )
        if (fixed.length > 0 && !found) wrong.push(`${where}: no ${name} has ${fixed.join(', ')}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('say which version runs, that the database answers, how much room there is and how old the backup is', async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8'))
    const text = await metrics()
    expect(text).toContain(`parley_info{version="${version}",build="source"} 1\n`)
    expect(await readFile('ops/alerts.yaml', 'utf8')).toContain('count by (version, build) (parley_info)')
    expect(text).toContain('parley_database_up 1\n')
    expect(text).toMatch(/^parley_disk_free_bytes [1-9]/m)
    expect(text).toContain('parley_backup_age_seconds -1\n')
  })

  it('count slow queries, which the log names once and without their values', async () => {
    const slow = () => sql`select pg_sleep(${(SLOW_QUERY_MS + 100) / 1000}), ${'a secret'}::text`
    await Promise.all([
      server.parley.db.query(slow()),
      server.parley.db.query(slow()),
      server.parley.db.transaction((open) => open.query(slow())),
    ])
    expect(Number(all(await metrics(), /^parley_slow_queries_total (\d+)$/gm)[0])).toBeGreaterThanOrEqual(3)
    const lines = server.logLines.filter((line) => line.includes('pg_sleep'))
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'a slow query',
      statement: 'select pg_sleep($1), $2::text',
    })
    expect(server.logLines.join()).not.toContain('a secret')
  })
})
