import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const ROW = /^\| `(?<name>\w+)` \(`(?<file>[^`]+)`\) \|(?<cells>.*)\| `(?<test>[^`]+)` \|$/

const rows = () => {
  const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split('## What a node remembers\n')
  const lines = section.split('\n## ')[0]?.split('\n') ?? []
  return lines.filter((line) => line.startsWith('| `')).map((line) => ROW.exec(line)?.groups ?? { line })
}

it('lists each memory of a node with a class that exists and a test that uses it', () => {
  expect(rows().length).toBeGreaterThan(20)
  for (const { name = '', file = '', test = '', line } of rows()) {
    expect(line, 'a row names its class, its file and its test').toBeUndefined()
    expect(readFileSync(file, 'utf8'), file).toMatch(
      new RegExp(`export (class|(async )?function) ${name}\\b`),
    )
    expect(existsSync(test), test).toBe(true)
  }
})

it('tells the bounds that are in the code', () => {
  for (const { name = '', file = '', cells = '' } of rows()) {
    const code = readFileSync(file, 'utf8')
    const [, , bound = ''] = `|${cells}`.split('|')
    for (const [, number, unit] of bound.matchAll(/(\d+) (MB|KB)/g)) {
      const bytes = unit === 'MB' ? `${number} * 1024 * 1024` : `${number} * 1024`
      expect(code, `${name}: ${number} ${unit}`).toContain(bytes)
    }
  }
})
