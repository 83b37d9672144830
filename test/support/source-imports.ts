import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/** One import of a source file; both paths begin at the top of the repository. */
export type SourceImport = {
  file: string
  imported: string
  /** Whether the import is gone at run time. */
  typeOnly: boolean
  /** Whether it is made when code runs, and not when the file is loaded. */
  dynamic: boolean
}

const STATIC = /^(?:import|export)\s+(type\s)?(?:[^;'"]*?\sfrom\s+)?['"](\.[^'"]+)['"]/gm
const DYNAMIC = /(typeof\s+)?\bimport\(\s*['"](\.[^'"]+)['"]/g

export const sourceFiles = (folder: string): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))

export const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The relative imports of files below a folder. Those of styles and data are left out. */
export function readImports(folder: string): SourceImport[] {
  return sourceFiles(folder).flatMap((file) => {
    const text = readSource(file)
    const importOf = (path: string) => relative(ROOT, join(ROOT, dirname(file), path))
    const found = [
      ...[...text.matchAll(STATIC)].map(([, type, path = '']) => ({
        file,
        imported: importOf(path),
        typeOnly: type !== undefined,
        dynamic: false,
      })),
      ...[...text.matchAll(DYNAMIC)].map(([, type, path = '']) => ({
        file,
        imported: importOf(path),
        typeOnly: type !== undefined,
        dynamic: true,
      })),
    ]
    return found.filter(
      ({ imported }) => /\.(ts|tsx|mjs)$/.test(imported) && existsSync(join(ROOT, imported)),
    )
  })
}
