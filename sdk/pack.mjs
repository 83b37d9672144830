// Packs what others install: the library, `create-parley-bot` and the adapter for the Chat SDK for npm, the Python library
// as sdist and wheel.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { buildAdapter } from '../adapters/chat-sdk/build.mjs'
import { buildPackage } from './build.mjs'
import { tarOf } from './tar.mjs'
import { zipOf } from './zip.mjs'

const SDK = dirname(fileURLToPath(import.meta.url))
const ROOT = dirname(SDK)
const PYTHON = join(SDK, 'python')
const ADAPTER = join(ROOT, 'adapters', 'chat-sdk')
/** One tag of a wheel for every Python 3 on every machine. */
const TAG = 'py3-none-any'

/** Writes all packages into a folder, and returns the names of the files. */
export async function packAll(folder) {
  mkdirSync(folder, { recursive: true })
  const stage = mkdtempSync(join(tmpdir(), 'parley-packages-'))
  try {
    await buildPackage(join(stage, 'dist'))
    return [
      packLibrary(stage, folder),
      packCreate(stage, folder),
      await packAdapter(stage, folder),
      ...packPythonPackages(folder),
    ]
  } finally {
    rmSync(stage, { recursive: true, force: true })
  }
}

function packLibrary(stage, folder) {
  const own = join(stage, 'sdk')
  cpSync(join(stage, 'dist'), join(own, 'dist'), { recursive: true })
  for (const name of ['package.json', 'README.md']) cpSync(join(SDK, name), join(own, name))
  return npmPack(own, folder)
}

/** The libraries go into the package: a new bot has its library beside it, and nothing to fetch. */
function packCreate(stage, folder) {
  const own = join(stage, 'create')
  cpSync(join(SDK, 'create-parley-bot'), own, { recursive: true })
  const library = join(own, 'library', 'typescript')
  for (const name of ['parley.mjs', 'parley.d.mts']) cpSync(join(stage, 'dist', name), join(library, name))
  for (const [name, content] of pythonFiles()) {
    const file = join(own, 'library', 'python', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  return npmPack(own, folder)
}

async function packAdapter(stage, folder) {
  const own = join(stage, 'chat-sdk')
  await buildAdapter(join(own, 'dist'))
  for (const name of ['package.json', 'README.md']) cpSync(join(ADAPTER, name), join(own, name))
  return npmPack(own, folder)
}

function npmPack(own, folder) {
  cpSync(join(ROOT, 'LICENSE'), join(own, 'LICENSE'))
  const said = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: own,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return JSON.parse(said)[0].filename
}

/** The files of the Python library, as `[name, content]`. */
function pythonFiles() {
  return readdirSync(join(PYTHON, 'parley'))
    .filter((name) => /\.py$|^py\.typed$/.test(name))
    .sort()
    .map((name) => [`parley/${name}`, readFileSync(join(PYTHON, 'parley', name))])
}

function packPythonPackages(folder) {
  const project = readFileSync(join(PYTHON, 'pyproject.toml'), 'utf8')
  const { name, version, metadata } = describe(project)
  const license = readFileSync(join(ROOT, 'LICENSE'))
  const base = `${name.replaceAll('-', '_')}-${version}`

  const source = [
    ['PKG-INFO', Buffer.from(metadata)],
    ['pyproject.toml', Buffer.from(project)],
    ['README.md', readFileSync(join(PYTHON, 'README.md'))],
    ['LICENSE', license],
    ...pythonFiles(),
  ].map(([path, content]) => [`${base}/${path}`, content])
  writeFileSync(join(folder, `${base}.tar.gz`), gzipSync(tarOf(source)))

  const about = `${base}.dist-info`
  const wheel = [
    ...pythonFiles(),
    [`${about}/LICENSE`, license],
    [`${about}/METADATA`, Buffer.from(metadata)],
    [
      `${about}/WHEEL`,
      Buffer.from(`Wheel-Version: 1.0\nGenerator: parley\nRoot-Is-Purelib: true\nTag: ${TAG}\n`),
    ],
  ]
  const record = wheel.map(([path, content]) => {
    const hash = createHash('sha256').update(content).digest('base64url')
    return `${path},sha256=${hash},${content.length}\n`
  })
  const listed = [`${about}/RECORD`, Buffer.from(`${record.join('')}${about}/RECORD,,\n`)]
  writeFileSync(join(folder, `${base}-${TAG}.whl`), zipOf([...wheel, listed]))
  return [`${base}.tar.gz`, `${base}-${TAG}.whl`]
}

/** The metadata of the package, from what `pyproject.toml` says. */
function describe(project) {
  const fieldIn = (field) => new RegExp(`^${field} = "(.+)"$`, 'm').exec(project)?.[1] ?? ''
  const [, author] = /authors = \[\{ name = "([^"]+)" \}\]/.exec(project)
  const [name, version] = [fieldIn('name'), fieldIn('version')]
  const fields = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${fieldIn('description')}`,
    `Author: ${author}`,
    'License: MIT',
    `Project-URL: Repository, ${fieldIn('Repository')}`,
    `Requires-Python: ${fieldIn('requires-python')}`,
    'Description-Content-Type: text/markdown',
  ]
  const metadata = `${fields.join('\n')}\n\n${readFileSync(join(PYTHON, 'README.md'), 'utf8')}`
  return { name, version, metadata }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = resolve(process.argv[2] ?? join(ROOT, 'dist', 'packages'))
  for (const name of await packAll(folder)) console.log(join(folder, name))
}
