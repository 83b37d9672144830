import { spawnSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { readConfig } from '../server/config.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

/** Seconds that a node may need after it has announced its end: what runs longer is cut off by itself after 20. */
const STOP_SECONDS = 30
/** Variables that belong to somebody else. */
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
  server = await startTestParley()
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
        Number(environment.DRAIN_SECONDS) + STOP_SECONDS,
      )
    }
    const [configMap, deployment] = await yaml('kubernetes.yaml')
    const { terminationGracePeriodSeconds, containers } = deployment.spec.template.spec
    const drain = Number(configMap.data.DRAIN_SECONDS)
    expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(drain + STOP_SECONDS)
    const { periodSeconds, timeoutSeconds, failureThreshold } = containers[0].readinessProbe
    expect(drain).toBeGreaterThan(periodSeconds * failureThreshold + timeoutSeconds)
    const { drainMs } = readConfig({ DATABASE_URL: 'postgres://localhost/parley' })
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
