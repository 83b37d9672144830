import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds package.json: the same from the sources and from what is built out of them. */
export const PROJECT_FOLDER = nearestPackage(dirname(fileURLToPath(import.meta.url)))

function nearestPackage(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder
  if (folder === dirname(folder)) throw new Error('package.json is missing')
  return nearestPackage(dirname(folder))
}

export async function readVersion(): Promise<string> {
  const description: unknown = JSON.parse(await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8'))
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : 'unknown'
}
