// Writes the types of the library as one file, which stands beside the library's one file of JavaScript.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const IMPORT = /^import (?:type )?(?:[\s\S]*?) from "\.\/[^"]+";$/gm
const EXPORT_LIST = /^export (type )?\{([\s\S]*?)\} from "\.\/([^"]+)";$/gm

/**
 * Each file's declarations, one after the other, and one list of what is exported. Names of files differ from each
 * other's, so they can share a scope; what the list leaves out stays private.
 */
export async function declarationsOf(index) {
  const { isolatedDeclarationSync } = await import('rolldown/experimental')
  const folder = dirname(index)
  const texts = new Map()

  function read(name) {
    if (texts.has(name)) return
    const file = join(folder, name)
    const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'), { sourcemap: false })
    if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
    texts.set(name, code)
    for (const [, imported] of code.matchAll(/ from "\.\/([^"]+)";/g)) read(imported)
  }
  read('index.ts')

  const exported = [...texts.get('index.ts').matchAll(EXPORT_LIST)].flatMap(([, isType, names]) =>
    names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
      .map((name) => (isType && !name.startsWith('type ') ? `type ${name}` : name)),
  )
  texts.delete('index.ts')
  const declared = [...texts.values()].map((code) =>
    code
      .replaceAll(IMPORT, '')
      .replaceAll(/^export \{\};?$/gm, '')
      .replaceAll(/^export (?=declare|type|interface)/gm, '')
      .trim(),
  )
  return `// The types of parley.mjs, made from the sources of the library.\n${declared.join('\n')}\nexport {\n${exported
    .sort()
    .map((name) => `  ${name},\n`)
    .join('')}};\n`
}
