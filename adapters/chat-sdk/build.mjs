// Builds the adapter as one file of JavaScript, and its types, for Node 20: what is packed is `dist`.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { isolatedDeclarationSync } from 'rolldown/experimental'

const ADAPTER = dirname(fileURLToPath(import.meta.url))
const LIBRARY = '@parley-chat/sdk'
/** The library as it is imported in a checkout. */
const CHECKOUT = '../../sdk/index.ts'

export async function buildAdapter(folder) {
  const build = await rolldown({
    input: join(ADAPTER, 'index.ts'),
    platform: 'node',
    logLevel: 'silent',
    external: ['chat'],
    plugins: [
      {
        name: 'library',
        resolveId: (id) => (id === CHECKOUT ? { id: LIBRARY, external: true } : undefined),
      },
    ],
  })
  await build.write({ file: join(folder, 'index.js'), format: 'esm' })
  await build.close()
  writeDeclarations(folder)
}

/** Writes the types of each file, beginning with `index.ts`. */
function writeDeclarations(folder) {
  mkdirSync(folder, { recursive: true })
  const names = ['index']
  for (const name of names) {
    const file = join(ADAPTER, `${name}.ts`)
    const { code, errors } = isolatedDeclarationSync(file, readFileSync(file, 'utf8'), { sourcemap: false })
    if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join('; ')}`)
    for (const [, imported] of code.matchAll(/ from "\.\/(\w+)\.ts"/g))
      if (!names.includes(imported)) names.push(imported)
    const types = code
      .replaceAll(`"${CHECKOUT}"`, `"${LIBRARY}"`)
      .replaceAll(/ from "\.\/(\w+)\.ts"/g, ' from "./$1.js"')
    writeFileSync(join(folder, `${name}.d.ts`), types)
  }
}
