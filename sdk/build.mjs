// Writes sdk/api.ts from the contract, and the library as one file without imports, sdk/dist/parley.mjs, for Node 20 and for
// whatever else does not read TypeScript. The server needs neither.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const SDK = dirname(fileURLToPath(import.meta.url))

async function bundle(input, file) {
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await build.write({ file, format: 'esm' })
  await build.close()
}

/** The library for a folder of the caller's choice. */
export const buildLibrary = (file = join(SDK, 'dist', 'parley.mjs')) => bundle(join(SDK, 'index.ts'), file)

async function writeApi() {
  const folder = mkdtempSync(join(dirname(SDK), 'node_modules', '.sdk-'))
  try {
    await bundle(join(SDK, 'generate.ts'), join(folder, 'generate.mjs'))
    const { generateApi } = await import(pathToFileURL(join(folder, 'generate.mjs')).href)
    const file = join(SDK, 'api.ts')
    const text = generateApi()
    if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(file, text)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeApi()
  await buildLibrary()
  console.log('Wrote sdk/api.ts and sdk/dist/parley.mjs.')
}
