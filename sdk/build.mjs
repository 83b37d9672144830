// Writes sdk/api.ts and sdk/python/parley/api.py from the contract, and the TypeScript library as one file without imports,
// sdk/dist/parley.mjs, for Node 20 and for whatever else does not read TypeScript. The server needs none of them.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { zipOf } from './zip.mjs'

const SDK = dirname(fileURLToPath(import.meta.url))

async function bundle(input, file) {
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await build.write({ file, format: 'esm' })
  await build.close()
}

/** Builds the library into a file of the caller's choice. */
export const buildLibrary = (file = join(SDK, 'dist', 'parley.mjs')) => bundle(join(SDK, 'index.ts'), file)

/** Packs the Python library as an archive that Python can import directly. */
export function packPython(file) {
  const folder = join(SDK, 'python', 'parley')
  const names = readdirSync(folder).filter((name) => /\.py$|^py\.typed$/.test(name))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, zipOf(names.sort().map((name) => [`parley/${name}`, readFileSync(join(folder, name))])))
}

/** Files generated from the contract: a generator, its function, and the file. */
const WRITTEN = [
  ['generate.ts', 'generateApi', 'api.ts'],
  ['generate-python.ts', 'generatePython', join('python', 'parley', 'api.py')],
]

async function writeApis() {
  const folder = mkdtempSync(join(dirname(SDK), 'node_modules', '.sdk-'))
  try {
    for (const [generator, name, target] of WRITTEN) {
      const module = join(folder, `${name}.mjs`)
      await bundle(join(SDK, generator), module)
      const text = (await import(pathToFileURL(module).href))[name]()
      const file = join(SDK, target)
      if (readFileSync(file, { encoding: 'utf8', flag: 'a+' }) !== text) writeFileSync(file, text)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeApis()
  await buildLibrary()
  console.log('Wrote sdk/api.ts, sdk/python/parley/api.py and sdk/dist/parley.mjs.')
}
