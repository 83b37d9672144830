import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandLine, openCommandLine } from '../support/command-line.ts'
import { type ExportFiles, writeFolder } from '../support/exports.ts'
import { copyMigrated, migratedFolder } from '../support/migrated-folder.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
const hasTerminals = spawnSync('script', ['--version']).status === 0
if (!hasTerminals) console.log('skipped: a terminal of its own needs `script` of util-linux')

/** More than two batches, so that an import can be stopped between them. */
const MESSAGES = 2500
const SLACK: ExportFiles = {
  'users.json': [{ id: 'U1', name: 'ada', profile: { real_name: 'Ada', email: 'ada@example.com' } }],
  'channels.json': [{ id: 'C1', name: 'releases', created: 1700000000, creator: 'U1', members: ['U1'] }],
  'releases/2023-11-14.json': Array.from({ length: MESSAGES }, (_, index) => ({
    type: 'message',
    user: 'U1',
    ts: `${1700000100 + index}.000100`,
    text: `Message ${index}`,
  })),
}

let parley: CommandLine
let home: { DATA_DIR: string }
let org: string
let slack: string
const folder = (name: string) => join(parley.folder, name)

beforeAll(async () => {
  parley = await openCommandLine()
  home = { DATA_DIR: await migratedFolder('parley-progress-') }
  const created = await parley.json(
    ['org', 'create', '--name', 'Mill', '--admin-email', 'bo@example.com'],
    home,
  )
  org = created.organizationId ?? ''
  slack = folder('slack')
  await writeFolder(slack, SLACK)
})
afterAll(async () => {
  await parley?.close()
  await rm(home.DATA_DIR, { recursive: true, force: true, maxRetries: 5 })
})

type Event = { event: string; part?: string; done?: number; total?: number | null }

/** Begins a command with `--json`, and presses Ctrl-C when this part begins. */
async function stopAt(part: string, args: readonly string[], environment: Record<string, string> = home) {
  const { child, ended } = parley.begin([...args, '--json'], environment)
  await sees(child, `"part":"${part}"`)
  child.kill('SIGINT')
  const { code, stdout, stderr } = await ended
  const lines = stderr.trim().split('\n')
  const events: Event[] = lines.slice(0, -1).map((line) => JSON.parse(line))
  return { code, stdout, said: lines.at(-1), events }
}

function sees(child: ChildProcess, text: string, stream = child.stderr): Promise<void> {
  return new Promise((resolve, reject) => {
    let written = ''
    stream?.on('data', (chunk: Buffer) => {
      written += chunk
      if (written.includes(text)) resolve()
    })
    child.once('close', () => reject(new Error(`it ended without ${text}: ${written}`)))
  })
}

/** Runs a command in a terminal of its own; `type` gets the text to wait for and what is typed then. */
async function inTerminal(command: string, type?: { after: string; keys: string }) {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: parley.folder,
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', TERM: 'xterm', ...home },
  })
  let shown = ''
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  if (type) {
    await sees(child, type.after, child.stdout)
    child.stdin.write(type.keys)
  }
  const code = await ended
  return { code, shown }
}

/** Lines that a terminal has on its screen in the end: each erased one is gone. */
const screenOf = (shown: string): string[] =>
  shown
    .replaceAll('\r\n', '\n')
    .split('\n')
    .map((line) => line.slice(line.lastIndexOf('\u001B[2K') + 1).replace('[2K', ''))
    .filter((line) => line !== '')

const drafts = async (): Promise<string[]> =>
  (await readdir(parley.folder)).filter((name) => name.endsWith('.partial'))

describe.skipIf(!hasTerminals)('in a terminal', () => {
  it('Ctrl-C keeps what an import brought, and the same command goes on', async () => {
    const command = `${process.execPath} ${PROGRAM} import slack ${slack} --org ${org}`
    const stopped = await inTerminal(command, { after: 'Messages: ', keys: '\u0003' })
    expect(stopped.code).toBe(130)
    expect(screenOf(stopped.shown).slice(-2)).toEqual([
      'Stopping when this step is done. Ctrl-C again stops at once.',
      'Stopped. What came stays. The same command goes on where it stopped.',
    ])
    const { messages } = Object(
      await parley.json(['import', 'slack', slack, '--org', org, '--dry-run'], home),
    )
    expect(messages.alreadyThere).toBeGreaterThan(0)
    expect(messages.added).toBeGreaterThan(0)
    const ended = await inTerminal(command)
    expect(ended.shown).toMatch(/Messages: 2,000 \(\d+ %\)|Messages: 1,000 \(\d+ %\)|Finishing/)
    expect(screenOf(ended.shown)).toContainEqual(
      expect.stringContaining(`${messages.added} added, ${messages.alreadyThere} are here already`),
    )
    expect(ended.code).toBe(0)
  })
})

describe('as events', () => {
  it('shows every part of a backup, with one object as its result', async () => {
    const { ended } = parley.begin(['backup', '--to', folder('whole.backup'), '--json'], home)
    const { code, stdout, stderr } = await ended
    expect([code, JSON.parse(stdout).path]).toEqual([0, folder('whole.backup')])
    const events: Event[] = stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect([...new Set(events.map(({ part }) => part))]).toEqual([
      'Tables',
      'Rows',
      'Files',
      'Reading it back',
    ])
    const rows = events.findLast(({ part }) => part === 'Rows')
    expect([rows?.done, rows?.total]).toEqual([JSON.parse(stdout).rows, JSON.parse(stdout).rows])
  })

  it('is silent with --quiet, and where nothing takes ten seconds', async () => {
    for (const more of [['--quiet'], ['--quiet', '--json'], []]) {
      const path = folder(`silent-${more.length}-${more.join('')}.backup`)
      const { code, stderr } = await parley.run(['backup', '--to', path, ...more], home)
      expect([code, stderr.replace(/^(Tables|Rows|Files|Reading it back): .*\n/gm, '')]).toEqual([0, ''])
    }
  })

  it('Ctrl-C leaves no half backup, and no half export', async () => {
    for (const [part, args] of [
      ['Tables', ['backup', '--to', folder('stopped.backup')]],
      ['Rows', ['backup', '--to', folder('stopped.backup')]],
      ['Records', ['export', '--org', org, '--to', folder('stopped.tar')]],
    ] as const) {
      const { code, stdout, said, events } = await stopAt(part, args)
      expect([code, stdout]).toEqual([130, ''])
      expect(said).toMatch(/^Stopped\. No (backup|file) is left\. The same command begins again\.$/)
      expect(events).toContainEqual({ event: 'stopping' })
      expect(existsSync(args.at(-1) ?? '')).toBe(false)
      expect(await drafts()).toEqual([])
    }
    await parley.json(['backup', '--to', folder('stopped.backup')], home)
    await parley.json(['export', '--org', org, '--to', folder('stopped.tar')], home)
  })

  it('Ctrl-C leaves an empty database to a restore, and nothing of an organization to an import', async () => {
    const there = { DATA_DIR: folder('restored') }
    const restore = ['restore', '--from', folder('whole.backup')]
    const stopped = await stopAt('Restoring', restore, there)
    expect([stopped.code, stopped.said]).toEqual([
      130,
      'Stopped. The database is as empty as it was. The same command begins again.',
    ])
    const { rows } = await parley.json(restore, there)
    expect(Number(rows)).toBeGreaterThan(MESSAGES)

    const elsewhere = { DATA_DIR: folder('elsewhere') }
    await copyMigrated(elsewhere.DATA_DIR)
    const bring = ['import', 'parley', folder('stopped.tar')]
    const broken = await stopAt('Importing', bring, elsewhere)
    expect([broken.code, broken.said]).toEqual([
      130,
      'Stopped. Nothing of the organization is on this server. The same command begins again.',
    ])
    expect(await parley.json(['org', 'list'], elsewhere)).toEqual({ organizations: [] })
    const { records } = Object(await parley.json(bring, elsewhere))
    expect(records.messages).toBeGreaterThanOrEqual(MESSAGES)
  })

  it('erases a person while it is watched', async () => {
    const { members } = Object(await parley.json(['member', 'list', '--org', org], home))
    const ada = members.find(({ email }: { email: string }) => email === 'ada@example.com')
    const args = ['member', 'erase', '--org', org, '--member', ada.profileId, '--with-messages', 'true']
    const { code, stdout, stderr } = await parley.begin([...args, '--json'], home).ended
    expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ isFinished: true })])
    expect(stderr).toContain('"part":"Erasing"')
  })
})
