import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../contract/openapi.ts'
import { commentsIn, proseFault } from './support/prose.ts'

const ROOT = join(import.meta.dirname, '..')
const FOLDERS = [
  'adapters',
  'agent',
  'bench',
  'bin',
  'contract',
  'examples',
  'faults',
  'fuzz',
  'sdk',
  'server',
  'test',
]
/** Files whose comments are still to be reworded. None may be added. */
const NOT_YET = [
  'contract/people/chat.ts',
  'server/actions/messages/streaming.ts',
  'server/config.ts',
  'server/db/migrate.ts',
  'server/errors.ts',
  'server/import/importer.ts',
  'server/parley.ts',
  'test/support/cast.ts',
]
/** A migration never changes once it has landed, and `sdk/api.ts` is generated. */
const UNCHANGEABLE = /^server\/db\/migrations\/|^sdk\/(api\.ts$|dist\/)|\/__pycache__\//

async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true })
  return names
    .map((name) => join(folder, name))
    .filter((file) => /\.(ts|tsx|mjs|sql)$/.test(file) && !UNCHANGEABLE.test(file))
}

describe('comments', () => {
  it.each(FOLDERS)('begin with what acts and name it, in %s', async (folder) => {
    const faults: string[] = []
    for (const file of await filesIn(folder)) {
      if (NOT_YET.includes(file)) continue
      const source = await readFile(join(ROOT, file), 'utf8')
      for (const comment of commentsIn(source, file.endsWith('.sql') ? '--' : '//')) {
        const fault = proseFault(comment)
        if (fault !== undefined) faults.push(`${file}:${comment.line} ${fault}: ${comment.text.slice(0, 80)}`)
      }
    }
    expect(faults).toEqual([])
  })

  it('are found in blocks, in lines and behind code', () => {
    const source = [
      '/**',
      ' * Reads the log',
      ' * from a position.',
      ' */',
      "const url = 'https://example.com' // the default",
      '  // Two lines',
      '  // of one comment.',
      '  {/* Drawn first. */}',
      '// biome-ignore lint: a directive is no comment',
    ].join('\n')
    expect(commentsIn(source, '//').map(({ line, text }) => [line, text])).toEqual([
      [1, 'Reads the log from a position.'],
      [5, 'the default'],
      [6, 'Two lines of one comment.'],
      [8, 'Drawn first.'],
    ])
    expect(commentsIn('select 1\n-- Read\n-- once.\n', '--')).toEqual([
      { line: 2, text: 'Read once.', isLabel: false },
    ])
  })

  it.each([
    ['As the message carries it that shows the poll.', 'The poll as embedded in its message.'],
    ['Of every form.', 'Refusals that any multipart request can get.'],
    ['The same for people.', 'Returns the caller as a person.'],
    ['Tells whoever waits for it.', 'Answers the polls that wait for it.'],
    ['A row that was changed meanwhile.', 'A row that changed in the meantime, in `whoever`.'],
  ])('need no decoding: not "%s" but "%s"', (decoded, plain) => {
    expect(proseFault({ text: decoded, isLabel: false })).toBeDefined()
    expect(proseFault({ text: plain, isLabel: false })).toBeUndefined()
  })
})

describe('texts for readers of the API', () => {
  const descriptions = (value: unknown): string[] =>
    Object.entries(Object(value)).flatMap(([name, inner]) =>
      typeof inner !== 'string' ? descriptions(inner) : /^(summary|description)$/.test(name) ? [inner] : [],
    )

  it('say what to do without "please"', () => {
    const texts = descriptions(openApiDocument('https://parley.example.com'))
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.filter((text) => /\bplease\b/i.test(text))).toEqual([])
  })
})
