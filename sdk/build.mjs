// Writes sdk/api.ts and sdk/python/parley/api.py from the contract, and the TypeScript library as one file without imports,
// sdk/dist/parley.mjs with its types beside it, for Node 20 and for whatever else does not read TypeScript. The server
// needs none of them.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { declarationsOf } from './declarations.mjs'
import { zipOf } from './zip.mjs'

const SDK = dirname(fileURLToPath(import.meta.url))

const INDEX = join(SDK, 'index.ts')

async function bundle(input, file, format = 'esm') {
  const build = await rolldown({ input, platform: 'node', logLevel: 'silent' })
  await build.write({ file, format })
  await build.close()
}

/** Builds the library into a file of the caller's choice, which ends with `.mjs`, and its types beside it. */
export async function buildLibrary(file = join(SDK, 'dist', 'parley.mjs')) {
  await bundle(INDEX, file)
  writeFileSync(file.replace(/\.mjs$/, '.d.mts'), await declarationsOf(INDEX))
}

/** Builds what the npm package holds: the library for `import` and for `require`, each with its types. */
export async function buildPackage(folder = join(SDK, 'dist')) {
  await buildLibrary(join(folder, 'parley.mjs'))
  await bundle(INDEX, join(folder, 'parley.cjs'), 'cjs')
  copyFileSync(join(folder, 'parley.d.mts'), join(folder, 'parley.d.cts'))
}

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
  await buildPackage()
  console.log('Wrote sdk/api.ts, sdk/python/parley/api.py and sdk/dist.')
}
