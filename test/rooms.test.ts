import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOMS } from '../map.ts'
import { readImports, readSource, type SourceImport, sourceFiles } from './support/source-imports.ts'

const ARCHITECTURE = 'docs/architecture.md'
const BEGIN = '<!-- Written from map.ts by `npx vitest run test/rooms.test.ts -u` -->\n\n'
const END = '\n\n<!-- End of the map -->'

const HELD = [
  'contract',
  'server',
  'web',
  'sdk',
  'adapters',
  'agent',
  'bench',
  'fuzz',
  'faults',
  'test/support',
  'bin',
  'examples',
]
const IGNORED = /^(\.|node_modules$|dist|data$|coverage$|screenshots$)/

const longestFirst = Object.keys(ROOMS).sort((one, other) => other.length - one.length)
const roomOf = (file: string): string | undefined =>
  longestFirst.find((room) => file === room || file.startsWith(`${room}/`))

const imports = HELD.flatMap(readImports)

/** The rooms that each room imports from, with one import as an example. */
const graph = new Map<string, Map<string, SourceImport>>()
for (const found of imports) {
  const [from = '', to = ''] = [roomOf(found.file), roomOf(found.imported)]
  if (from === to) continue
  const known = graph.get(from) ?? new Map<string, SourceImport>()
  graph.set(from, known.set(to, known.get(to) ?? found))
}

const say = ({ file, imported }: SourceImport): string => `${file} imports ${imported}`
const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !IGNORED.test(entry.name))
    .map((entry) => (path === '.' ? entry.name : `${path}/${entry.name}`))

describe('the map', () => {
  it('is held against all imports', () => {
    expect(imports.length).toBeGreaterThan(8000)
    expect(graph.get('server/routes/bot')?.has('server/actions')).toBe(true)
    expect(graph.get('web/src/views')?.has('web/src/kit')).toBe(true)
  })

  it('has every folder, and nothing that does not exist', () => {
    const folders = ['.', 'server', 'web/src'].flatMap(foldersIn)
    expect(folders.filter((folder) => roomOf(`${folder}/x`) !== folder)).toEqual([])
    expect(Object.keys(ROOMS).filter((room) => !existsSync(room))).toEqual([])
  })

  it('permits every import', () => {
    const forbidden = imports.filter(({ file, imported }) => {
      const [from = '', to = ''] = [roomOf(file), roomOf(imported)]
      return from !== to && !ROOMS[from]?.imports?.includes(to)
    })
    expect(forbidden.map(say)).toEqual([])
  })

  it('permits nothing that no file makes use of', () => {
    const unused = Object.entries(ROOMS).flatMap(([from, room]) =>
      (room.imports ?? []).filter((to) => !graph.get(from)?.has(to)).map((to) => `${from} → ${to}`),
    )
    expect(unused).toEqual([])
  })

  it('is the table of docs/architecture.md', async () => {
    const text = readSource(ARCHITECTURE)
    const [before = '', rest = ''] = text.split(BEGIN)
    const [, after = ''] = rest.split(END)
    await expect(`${before}${BEGIN}${table()}${END}${after}`).toMatchFileSnapshot(`../${ARCHITECTURE}`)
  })
})

describe('folders of the server', () => {
  const folders = Object.keys(ROOMS).filter((room) => room.startsWith('server/') && !room.endsWith('.ts'))

  it('import only those below them in the map, so that there is no circle', () => {
    const upwards = folders.flatMap((folder, index) =>
      folders.slice(0, index).flatMap((above) => graph.get(folder)?.get(above) ?? []),
    )
    expect(upwards.map(say)).toEqual([])
  })
})

describe('files', () => {
  it('import values in no circle, so that none is read before it is made', () => {
    expect(circleOf(imports.filter(({ typeOnly, dynamic }) => !typeOnly && !dynamic))).toEqual([])
  })

  it('would be found in a circle', () => {
    const both = [
      { file: 'a', imported: 'b' },
      { file: 'b', imported: 'c' },
      { file: 'c', imported: 'b' },
    ].map((found) => ({ ...found, typeOnly: false, dynamic: false }))
    expect(circleOf(both)).toEqual(['b imports c', 'c imports b'])
  })
})

describe('statements', () => {
  const files = sourceFiles('server').map((file) => ({
    file,
    room: roomOf(file) ?? '',
    text: readSource(file),
  }))

  it('stand only in rooms that may have them', () => {
    const wrong = files.filter(({ room, text }) => ROOMS[room]?.sql === undefined && hasStatement(text))
    expect(wrong.map(({ file }) => file)).toEqual([])
    const unused = Object.keys(ROOMS).filter(
      (room) => ROOMS[room]?.sql && !files.some((file) => file.room === room && hasStatement(file.text)),
    )
    expect(unused, 'rooms that may have statements, and have none').toEqual([])
  })

  it('write only the tables that the map gives to their room', () => {
    const writes = files.flatMap(({ file, room, text }) =>
      tablesWritten(text).map((table) => ({ file, room, table })),
    )
    expect(writes.length).toBeGreaterThan(150)
    const permits = (room: string, table: string) =>
      [ROOMS[room]?.sql].flat().some((permitted) => permitted === table || permitted === '*')
    expect(writes.filter(({ room, table }) => !permits(room, table))).toEqual([])
    const unused = Object.entries(ROOMS).flatMap(([room, { sql = [] }]) =>
      [sql]
        .flat()
        .filter((table) => table !== '*' && table !== 'reads')
        .filter((table) => !writes.some((write) => write.room === room && write.table === table))
        .map((table) => `${room} writes ${table}`),
    )
    expect(unused).toEqual([])
  })

  it('of events are left to actions: nothing else emits', () => {
    const emitting = files.filter(
      ({ room, text }) => !/^server\/(actions|events)$/.test(room) && /(?<!\.)\bemit\w*\(/.test(text),
    )
    expect(emitting.map(({ file }) => file)).toEqual([])
  })
})

/** Imports that lead from a file back to it; none if there is no circle. */
function circleOf(all: readonly SourceImport[]): string[] {
  const found = new Map<string, SourceImport[]>()
  for (const one of all) found.set(one.file, [...(found.get(one.file) ?? []), one])
  const done = new Set<string>()
  const search = (file: string, way: readonly SourceImport[]): string[] => {
    const begin = way.findIndex((step) => step.file === file)
    if (begin >= 0) return way.slice(begin).map(say)
    if (done.has(file)) return []
    for (const step of found.get(file) ?? []) {
      const circle = search(step.imported, [...way, step])
      if (circle.length > 0) return circle
    }
    done.add(file)
    return []
  }
  for (const file of found.keys()) {
    const circle = search(file, [])
    if (circle.length > 0) return circle
  }
  return []
}

const hasStatement = (text: string): boolean =>
  /\bsql`|\.query\w*(<[^(]*>)?\(\s*['"`]/.test(text.replaceAll(/^import .*$/gm, ''))

/** Tables that statements of a file write, as far as they name them; one that is put in by `${…}` is not seen. */
function tablesWritten(text: string): string[] {
  const named = text.matchAll(
    /\b(?:insert into|delete from|truncate) (\w+)|\bupdate (\w+)(?: as)?(?: \w+)?\s+set\b/g,
  )
  const cleaned = text.includes('clean-some.ts') ? text.matchAll(/\btable: '(\w+)'/g) : []
  const called = [/\b(?:write|insert)_messages\(/, /\bappend_event\w*\(/].flatMap((call, index) =>
    call.test(text) ? [['messages', 'events'][index] ?? ''] : [],
  )
  return [...new Set([...[...named, ...cleaned].map(([, one, other]) => one ?? other ?? ''), ...called])]
}

function table(): string {
  const short = (room: string) => `\`${room.replace(/^server\//, '')}\``
  const statements = (sql: string | readonly string[]) =>
    typeof sql === 'string'
      ? sql
      : sql[0] === '*'
        ? 'writes any table'
        : `writes ${sql.map((one) => `\`${one}\``).join(', ')}`
  const rows = Object.entries(ROOMS).map(([room, { purpose, sql = '', never = '', imports: permitted }]) => {
    const list = permitted?.map(short).join(', ') ?? 'anything'
    return `| \`${room}${room.endsWith('.ts') ? '' : '/'}\` | ${purpose} | ${list} | ${statements(sql)} | ${never} |`
  })
  return ['| room | what it is for | imports | SQL | never |', '|---|---|---|---|---|', ...rows].join('\n')
}
