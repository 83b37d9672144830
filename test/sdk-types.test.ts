import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect } from 'vitest'
import { everyPage, readme } from './support/guide.ts'
import { ROOT } from './support/pages.ts'
import { itAtNight } from './support/thorough.ts'

const LIBRARY = join(ROOT, 'sdk/python/parley')
/** A program of a page; parts of programs have no import of their own. */
const isProgram = (text: string): boolean => /^from parley import/m.test(text)

itAtNight('the Python library and the programs of all pages are clean under strict checks', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-types-'))
  try {
    await symlink(LIBRARY, join(folder, 'parley'))
    const programs = [readme, ...everyPage].flatMap(({ path, sections }) =>
      sections.flatMap(({ fences }) =>
        fences
          .filter(({ language, text }) => language === 'python' && isProgram(text))
          .map(({ text }) => ({ path, text })),
      ),
    )
    expect(programs.length).toBeGreaterThan(10)
    for (const [index, { path, text }] of programs.entries())
      await writeFile(join(folder, `${path.replaceAll(/\W/g, '_')}_${index}.py`), text)
    const template = join(ROOT, 'sdk/create-parley-bot/templates/python/bot.py')
    await symlink(template, join(folder, 'template.py'))
    const settings = { include: ['.'], typeCheckingMode: 'strict', pythonVersion: '3.9' }
    await writeFile(join(folder, 'pyrightconfig.json'), JSON.stringify(settings))
    const pyright = join(ROOT, 'node_modules/.bin/pyright')
    const said = await promisify(execFile)(pyright, ['--project', folder]).catch(({ stdout }) => ({ stdout }))
    expect(said.stdout).toContain('0 errors, 0 warnings')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
