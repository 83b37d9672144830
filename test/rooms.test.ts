import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const SERVER = join(import.meta.dirname, '../server')

/** Folders that must not know another, as docs/architecture.md says; the other way round they may. */
const FORBIDDEN = [
  ['auth', 'http'],
  ['queries', 'actions'],
  ['presenters', 'db'],
  ['files', 'actions'],
  ['actions', 'webhooks'],
  ['events', 'webhooks'],
  ['events', 'actions'],
  ['jobs', 'actions'],
  ['http', 'actions'],
  ['http', 'routes'],
  ['actions', 'routes'],
  ['db', 'queries'],
  ['postgres', 'db'],
] as const

type Import = { file: string; imported: string }

/** The folder of `server/` that a file is in; undefined for those that stand beside the folders and know them all. */
const folderOf = (file: string): string | undefined =>
  file.includes('/') && !file.startsWith('..') ? file.split('/')[0] : undefined

async function readImports(): Promise<Import[]> {
  const files = (await readdir(SERVER, { recursive: true })).filter((file) => file.endsWith('.ts'))
  const found = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(SERVER, file), 'utf8')
      const paths = [...text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path = '']) => path)
      return paths.map((path) => ({ file, imported: relative(SERVER, join(SERVER, dirname(file), path)) }))
    }),
  )
  return found.flat()
}

const imports = await readImports()

/** The folders that each folder imports from, with one import as an example. */
const graph = new Map<string, Map<string, Import>>()
for (const found of imports) {
  const [from, to] = [folderOf(found.file), folderOf(found.imported)]
  if (from === undefined || to === undefined || from === to) continue
  const known = graph.get(from) ?? new Map<string, Import>()
  graph.set(from, known.set(to, known.get(to) ?? found))
}

describe('the folders of the server', () => {
  it('are all looked at', () => {
    expect(imports.length).toBeGreaterThan(500)
    expect(graph.get('routes')?.has('actions')).toBe(true)
    expect(graph.get('http')?.has('auth')).toBe(true)
  })

  it.each(FORBIDDEN)('%s imports nothing from %s', (from, to) => {
    const wrong = imports.filter(({ file, imported }) => folderOf(file) === from && folderOf(imported) === to)
    expect(wrong).toEqual([])
  })

  it('never import each other, not even in a circle', () => {
    expect([...graph.keys()].flatMap((folder) => circleFrom(folder) ?? [])).toEqual([])
  })
})

/** The imports that lead from a folder back to itself, the shortest way. */
function circleFrom(start: string): string[] | undefined {
  const ways: { folder: string; way: string[] }[] = [{ folder: start, way: [] }]
  const seen = new Set<string>()
  for (const { folder, way } of ways) {
    for (const [next, { file, imported }] of graph.get(folder) ?? []) {
      const longer = [...way, `${file} imports ${imported}`]
      if (next === start) return longer
      if (!seen.has(next)) ways.push({ folder: next, way: longer })
      seen.add(next)
    }
  }
  return undefined
}
