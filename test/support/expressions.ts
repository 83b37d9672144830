import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'

const ROOT = join(import.meta.dirname, '../..')
/** Folders whose code reads strangers' input, in the server or in a page. */
const FOLDERS = ['adapters', 'agent', 'contract', 'sdk', 'server', 'web/src']

/** An expression in the code, or a call that makes one. */
export type Expression = { file: string; line: number; source: string; flags: string }
export type MadeExpression = { file: string; line: number; code: string }

/** Every regular expression of the project's code. */
export async function readExpressions(): Promise<{ literals: Expression[]; made: MadeExpression[] }> {
  const literals: Expression[] = []
  const made: MadeExpression[] = []
  for (const folder of FOLDERS) {
    const names = await readdir(join(ROOT, folder), { recursive: true })
    for (const name of names.filter((each) => /\.(ts|tsx|mjs)$/.test(each) && !each.includes('dist/'))) {
      const file = join(folder, name)
      const code = await readFile(join(ROOT, file), 'utf8')
      const lineOf = (at: number) => code.slice(0, at).split('\n').length
      visit(parseAst(code, { lang: name.endsWith('x') ? 'tsx' : 'ts' }), (node) => {
        const { start } = node
        if (isExpression(node)) {
          const { pattern, flags } = node.regex
          literals.push({ file, line: lineOf(start), source: pattern, flags })
        } else if (isMaking(node)) made.push({ file, line: lineOf(start), code: code.slice(start, node.end) })
      })
    }
  }
  return { literals, made }
}

type Node = { type: string; start: number; end: number }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const isExpression = (node: Node): node is Node & { regex: { pattern: string; flags: string } } =>
  node.type === 'Literal' && 'regex' in node && node.regex !== undefined && node.regex !== null

const isMaking = (node: Node): boolean =>
  (node.type === 'NewExpression' || node.type === 'CallExpression') &&
  'callee' in node &&
  isNode(node.callee) &&
  'name' in node.callee &&
  node.callee.name === 'RegExp'

function visit(value: unknown, look: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) visit(each, look)
  if (!isNode(value)) return
  look(value)
  for (const child of Object.values(value)) if (typeof child === 'object') visit(child, look)
}
