import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join, posix } from 'node:path'
import { PROJECT_FOLDER } from '../project.ts'

const FOLDER = 'docs'
/** Pages whose file does not say what they are about, and pages beside `docs/`; those that are not installed are left out. */
const NAMES: Record<string, string> = {
  'docs/README.md': 'bot-api',
  'README.md': 'start',
  'SECURITY.md': 'reporting',
  'CHANGELOG.md': 'changes',
  'CONTRIBUTING.md': 'contributing',
}
/** Folders and files that pages may link to: those installed with the server for its operator. */
const LINKED = /^(examples|ops|\.env\.example|LICENSE)(\/|$)/
/** A relative link target: `](../examples/echo.mjs)`. */
const RELATIVE_LINK = /\]\(([\w./-]+)(?:#[\w-]+)?\)/g

export type Guides = {
  /** Pages by their name in addresses. */
  guides: { name: string; path: string }[]
  /** Paths of other files that pages link to, and of files in folders that they link to. */
  files: string[]
  /** The contents of all of these, by path. */
  texts: ReadonlyMap<string, string>
}

/** Reads the guides, and exactly the files that they link to. */
export async function readGuides(): Promise<Guides> {
  const texts = new Map<string, string>()
  const pages = [...(await filesIn(FOLDER)).filter((path) => path.endsWith('.md')), ...Object.keys(NAMES)]
  for (const path of new Set(pages)) await readInto(texts, path)
  const guides = [...texts.keys()].map((path) => ({ name: NAMES[path] ?? basename(path, '.md'), path }))
  const linked = [...texts].flatMap(([path, text]) =>
    Array.from(text.matchAll(RELATIVE_LINK), ([, link = '']) => posix.join(posix.dirname(path), link)),
  )
  const others = [...new Set(linked)].filter((path) => LINKED.test(path))
  const files = [...new Set((await Promise.all(others.map(filesIn))).flat())]
  for (const path of files) await readInto(texts, path)
  return { guides, files: files.filter((path) => texts.has(path)).sort(), texts }
}

/** The file itself, or the files of a folder; empty if it is missing. */
async function filesIn(path: string): Promise<string[]> {
  const found = await stat(join(PROJECT_FOLDER, path)).catch(() => undefined)
  if (!found?.isDirectory()) return found ? [path] : []
  const entries = await readdir(join(PROJECT_FOLDER, path), { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => posix.join(path, entry.parentPath.slice(join(PROJECT_FOLDER, path).length), entry.name))
    .sort()
}

async function readInto(texts: Map<string, string>, path: string): Promise<void> {
  const text = await readFile(join(PROJECT_FOLDER, path), 'utf8').catch(() => undefined)
  if (text !== undefined) texts.set(path, text)
}
