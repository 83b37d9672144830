import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { newUuid } from '../server/ids.ts'
import { PROJECT_FOLDER } from '../server/project.ts'
import { administer, removeOnCluster } from './support/cluster.ts'
import { SECRET_KEY } from './support/parley.ts'

/*
 * Follows docs/scaling.md from its first block to its last, on the machines of CITUS_URL instead of those that it names. Settings that take a
 * restart must be what it says there already.
 */
const cluster = inject('cluster')
if (!cluster) console.log('skipped: following docs/scaling.md needs a cluster (CITUS_URL)')

const BLOCK = /^```(sql|sh)\n([\s\S]*?)^```$/gm
const HEAD = /^-- on (.*), in (\w+)\n/
/** A coordinator and the workers that the page has. */
const MACHINES = 4

type Step = { language: string; head: string; text: string }

describe.skipIf(!cluster)('docs/scaling.md', () => {
  const machines = cluster ?? []
  const [coordinator = {}, ...workers] = machines
  const database = `guide_${newUuid().replaceAll('-', '')}`
  const { user, password = '', host, port } = coordinator
  let folder: string
  let steps: Step[]
  let organization = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-guide-'))
    const page = await readFile(join(PROJECT_FOLDER, 'docs', 'scaling.md'), 'utf8')
    steps = [...page.matchAll(BLOCK)].map(([, language = '', text = '']) => ({
      language,
      head: text.split('\n')[0] ?? '',
      text,
    }))
  })
  afterAll(async () => {
    await rm(folder, { recursive: true, force: true })
    await removeOnCluster(machines, database)
  })

  const machinesOf = (place: string): pg.ClientConfig[] => {
    if (place === 'each machine') return machines.slice(0, 3)
    if (place === 'the coordinator') return [coordinator]
    const worker = workers[Number(/^worker (\d)$/.exec(place)?.[1]) - 1]
    if (!worker) throw new Error(`the page names "${place}"`)
    return [worker]
  }
  const translated = (text: string) =>
    text
      .replaceAll(/'coordinator\.internal', 5432/g, `'${host}', ${port}`)
      .replaceAll(/'worker-(\d)\.internal', 5432/g, (_, n) => {
        const worker = workers[Number(n) - 1]
        return `'${worker?.host}', ${worker?.port}`
      })
      .replaceAll(/worker-(\d)\.internal:5432/g, (_, n) => {
        const worker = workers[Number(n) - 1]
        return `${worker?.host}:${worker?.port}`
      })
      .replaceAll(/database parley/g, `database ${database}`)
      .replaceAll('ORGANIZATION', organization)

  const parley = async (...args: string[]) => {
    const program = join(PROJECT_FOLDER, 'bin', 'parley.mjs')
    const environment = {
      PATH: process.env.PATH,
      HOME: folder,
      DATABASE_URL: `postgres://${user}:${password}@${host}:${port}/${database}`,
      DATA_DIR: folder,
      SECRET_KEY,
    }
    const running = promisify(execFile)(process.execPath, [program, ...args], { env: environment })
    const { stdout } = await running.catch((error: { stdout: string; stderr: string; code: number }) => {
      if (args[0] === 'doctor') return error // a machine for tests has no durable settings
      throw new Error(`${args.join(' ')}: ${error.stdout} ${error.stderr}`)
    })
    return stdout
  }

  const runSql = async (text: string) => {
    const [, place = '', where = ''] = HEAD.exec(text) ?? []
    const statements = translated(text.replace(HEAD, ''))
      .split(/;\n/)
      .filter((statement) => statement.trim() !== '')
    for (const machine of machinesOf(place)) {
      for (const statement of statements) {
        const setting = /^alter system set (\w+) = '(\w+)'$/.exec(statement.trim())
        if (!setting) await administer(machine, where === 'parley' ? database : where, statement)
        else await expectSetting(machine, setting[1] ?? '', setting[2] ?? '')
      }
    }
  }
  const expectSetting = async (machine: pg.ClientConfig, name: string, value: string) => {
    const client = new pg.Client({ ...machine, database: 'postgres' })
    await client.connect()
    const { rows } = await client.query('select current_setting($1) as value', [name])
    await client.end()
    expect(rows[0].value).toContain(value)
  }

  it.skipIf(machines.length < MACHINES)(
    'leads from plain machines to a cluster that grows and shrinks',
    async () => {
      expect(steps.length).toBeGreaterThan(8)
      for (const { language, text } of steps) {
        if (language === 'sql') {
          await runSql(text)
          continue
        }
        for (const line of text.trim().split('\n')) {
          const said = await parley(...translated(line.replace(/^parley /, '')).split(' '))
          if (!line.includes('doctor')) continue
          expect(
            said.match(/^ +problem +(.*)$/gm)?.filter((problem) => !problem.includes('Durability')),
          ).toEqual([])
          expect(said).toMatch(/Functions on .* up to date/)
          if (organization !== '') continue
          const org = ['--name', 'Mill', '--admin-email', 'bo@example.com', '--json']
          organization = JSON.parse(await parley('org', 'create', ...org)).organizationId
        }
      }
      const status = JSON.parse(await parley('status', '--json'))
      const first = workers[0]
      expect(status.machines.map(({ name }: { name: string }) => name)).not.toContain(
        `${first?.host}:${first?.port}`,
      )
      expect(await parley('org', 'list')).toContain('Mill')
    },
  )
})
