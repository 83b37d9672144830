import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, statfs, writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from '../scenario.ts'
import { plot } from './plot.ts'
import { nameOf, type Summary } from './summary.ts'

/** File systems in memory, where fsync costs nothing: tmpfs, ramfs. */
const IN_MEMORY = [0x01021994, 0x858458f6]

export type Machine = {
  commit: string
  node: string
  processor: string
  cores: number
  memoryGB: number
  /** The machine's load before the benchmark. */
  loadBefore: number
  /** Whether data was in memory, so that nothing waited for a disk. */
  inMemory: boolean
}

export type Results = {
  date: string
  machine: Machine
  options: { runs: number; seconds: number; quick: boolean }
  summaries: Summary[]
  runs: Record<string, Figure[][]>
  failures: Record<string, string>
}

export async function describeMachine(root: string, folder: string | undefined): Promise<Machine> {
  const { type } = await statfs(folder ?? tmpdir())
  return {
    commit: commitOf(root),
    node: process.versions.node,
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryGB: Math.round(totalmem() / 2 ** 30),
    loadBefore: loadavg()[0] ?? 0,
    inMemory: IN_MEMORY.includes(type),
  }
}

/** Returns the commit, with a plus for uncommitted changes. */
function commitOf(root: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    return `${git('rev-parse', '--short', 'HEAD')}${git('status', '--porcelain', 'server', 'contract') && '+'}`
  } catch {
    return 'unknown'
  }
}

const folderOf = (root: string): string => join(root, 'bench', 'results')

/** The newest result of each figure, so that a run of a few scenarios keeps the others. */
export async function readBefore(root: string): Promise<Summary[]> {
  const names = (await readdir(folderOf(root)).catch(() => [])).filter((name) => name.endsWith('.json'))
  const found = new Map<string, Summary>()
  for (const name of names.sort()) {
    const { summaries }: Results = JSON.parse(await readFile(join(folderOf(root), name), 'utf8'))
    for (const summary of summaries) found.set(nameOf(summary), summary)
  }
  return [...found.values()]
}

/** Returns the path without its ending. */
export async function writeResults(root: string, results: Results): Promise<string> {
  await mkdir(folderOf(root), { recursive: true })
  const path = join(folderOf(root), results.date.slice(0, 19).replaceAll(':', ''))
  await writeFile(`${path}.json`, `${JSON.stringify(results, undefined, 2)}\n`)
  const { cores, processor, commit } = results.machine
  const title = `Parley ${commit}, ${results.date.slice(0, 10)}, ${cores} cores (${processor})`
  await writeFile(`${path}.svg`, plot(results.summaries, title))
  return path
}
