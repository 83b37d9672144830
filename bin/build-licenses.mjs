import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const LICENSE_FILE = /^(licen[cs]e|copying|notice)/i

/** The licences of all packages whose code is in what was built: they ask to be handed on with it. */
export function describeLicenses(moduleIds) {
  const folders = new Set(moduleIds.flatMap((id) => packageFolder(id) ?? []))
  return [...folders]
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const texts = readdirSync(folder)
        .filter((file) => LICENSE_FILE.test(file))
        .map((file) => readFileSync(join(folder, file), 'utf8').trim())
      return [`${name} ${version} (${license})`, ...texts].join('\n\n')
    })
    .sort()
    .join(`\n\n${'-'.repeat(80)}\n\n`)
}

/** `…/node_modules/@scope/name`; undefined: the module is no package's. Some have a package.json in folders of theirs, too. */
function packageFolder(moduleId) {
  const path = moduleId.replace(/^\0/, '').split('?')[0]
  const folder = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]
  return folder !== undefined && existsSync(join(folder, 'package.json')) ? folder : undefined
}
