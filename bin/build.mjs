import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const SOURCES = ['contract', 'server', 'tsconfig.json', 'tsconfig.build.json', 'package.json']
const STAMP = join(ROOT, 'dist', '.built-from')

/** Compiles `contract/` and `server/` into `dist/` unless that was already done from these very files. */
export async function buildIfStale() {
  if (!existsSync(join(ROOT, 'server'))) return
  const sources = describeSources()
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === sources) return
  console.error('Building Parley …')
  rmSync(join(ROOT, 'dist'), { recursive: true, force: true })
  const require = createRequire(import.meta.url)
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc')
  const result = spawnSync(process.execPath, [tsc, '-p', join(ROOT, 'tsconfig.build.json')], {
    stdio: 'inherit',
  })
  if (result.status !== 0) {
    console.error('The build failed; see above.')
    process.exit(1)
  }
  copyUncompiled()
  mkdirSync(join(ROOT, 'dist'), { recursive: true })
  writeFileSync(STAMP, sources)
}

/** What the compiler leaves behind: migrations, pages. */
function copyUncompiled() {
  for (const file of filesBelow('server')) {
    if (!file.endsWith('.ts')) cpSync(join(ROOT, file), join(ROOT, 'dist', file))
  }
}

function describeSources() {
  return SOURCES.flatMap(filesBelow)
    .map((file) => {
      const { size, mtimeMs } = statSync(join(ROOT, file))
      return `${file} ${size} ${mtimeMs}`
    })
    .join('\n')
}

function filesBelow(path) {
  if (!statSync(join(ROOT, path)).isDirectory()) return [path]
  return readdirSync(join(ROOT, path))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)))
}
