import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const HERE = dirname(fileURLToPath(import.meta.url))

/** The folder that holds package.json: the same from the sources and from what is built out of them. */
export const PROJECT_FOLDER = nearestPackage(HERE)

/** The folder of the build that this program is part of. Programs that run from the sources use the newest one (bin/build.mjs). */
export const BUILD_FOLDER = existsSync(join(HERE, 'image-process.js')) ? HERE : newestBuild()

function newestBuild(): string {
  const builds = join(PROJECT_FOLDER, 'dist', 'builds')
  const current = join(builds, 'current')
  return join(builds, existsSync(current) ? readFileSync(current, 'utf8') : 'none')
}

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

/** The id of the build that runs, which bin/build.mjs makes of the contents of all sources; `source` if nothing was built. */
export const readBuildId = (): Promise<string> =>
  readFile(join(HERE, 'build-id'), 'utf8').catch(() => 'source')
