import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const ROW = /^\| `(?<name>\w+)` \(`(?<file>[^`]+)`\) \|(?<cells>.*)\| `(?<test>[^`]+)` \|$/

/** The table rows of docs/architecture.md below this heading. */
const rowsBelow = (heading: string) => {
  const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split(`### ${heading}\n`)
  const lines = section.split(/\n###? /)[0]?.split('\n') ?? []
  return lines.filter((line) => line.startsWith('| `')).map((line) => ROW.exec(line)?.groups ?? { line })
}
const stale = () => rowsBelow('Memories that can be stale')
const fixed = () => rowsBelow('Values that follow from their name')

it('lists each memory of a node with a class that exists and a test', () => {
  expect(stale().length).toBeGreaterThan(20)
  expect(fixed().length).toBeGreaterThan(0)
  for (const { name = '', file = '', test = '', line } of [...stale(), ...fixed()]) {
    expect(line, 'a row names its class, its file and its test').toBeUndefined()
    expect(readFileSync(file, 'utf8'), file).toMatch(
      new RegExp(`export (class|(async )?function) ${name}\\b`),
    )
    expect(existsSync(test), test).toBe(true)
  }
})

it('has a race of each memory that can be stale, which plays that very class', () => {
  for (const { name = '', file = '', test = '' } of stale()) {
    expect(test).toMatch(/^test\/races\/[\w-]+\.test\.ts$/)
    const code = readFileSync(test, 'utf8')
    expect(code, test).toMatch(new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\} from '../../${file}'`))
    expect(code, `${test} plays ${name}`).toMatch(new RegExp(`\\b(new ${name}\\(|${name}[<(])`))
    expect(code, test).toContain('race(')
  }
})

it('tells the bounds that are in the code', () => {
  for (const { name = '', file = '', cells = '' } of [...stale(), ...fixed()]) {
    const code = readFileSync(file, 'utf8')
    const [, , bound = ''] = `|${cells}`.split('|')
    for (const [, number, unit] of bound.matchAll(/(\d+) (MB|KB)/g)) {
      const bytes = unit === 'MB' ? `${number} * 1024 * 1024` : `${number} * 1024`
      expect(code, `${name}: ${number} ${unit}`).toContain(bytes)
    }
  }
})
