import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PROJECT_FOLDER } from '../project.ts'

export async function readVersion(): Promise<string> {
  const description: unknown = JSON.parse(await readFile(join(PROJECT_FOLDER, 'package.json'), 'utf8'))
  return typeof description === 'object' && description !== null && 'version' in description
    ? String(description.version)
    : 'unknown'
}
