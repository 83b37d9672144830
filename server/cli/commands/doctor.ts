import type { Config } from '../../config.ts'
import { type CommandOutput, command } from '../command.ts'
import { checkAddress } from '../doctor/address.ts'
import { type Check, fine, messageOf, problem } from '../doctor/check.ts'
import { checkDataFolder, checkMail, checkNode, checkPrograms } from '../doctor/machine.ts'
import { endWithSignals, loadConfig } from '../installation.ts'
import { columns } from '../output.ts'

export const doctor = command({}, async () => {
  endWithSignals()
  const settings = readSettings()
  const checks = [checkNode(), settings.check, ...(settings.config ? await checkAll(settings.config) : [])]
  return describe(checks)
})

/** The other checks need readable settings. */
function readSettings(): { config?: Config; check: Check } {
  try {
    return { config: loadConfig(), check: fine('Settings', 'all readable') }
  } catch (error) {
    return { check: problem('Settings', messageOf(error), 'Correct them in the environment or in .env.') }
  }
}

async function checkAll(config: Config): Promise<Check[]> {
  const { checkDatabase } = await import('../doctor/database.ts')
  const { checkFiles } = await import('../doctor/files.ts')
  const { checkSignOn } = await import('../doctor/sign-on.ts')
  return [
    await checkDataFolder(config),
    ...(config.databaseUrl === undefined ? [await checkPrograms()] : []),
    ...(await checkDatabase(config)),
    ...(await checkAddress(config)),
    await checkMail(config),
    ...(await checkSignOn(config)),
    ...(await checkFiles(config)),
  ]
}

function describe(checks: readonly Check[]): CommandOutput {
  const ok = checks.every((check) => check.ok)
  const lines = columns(
    checks.map(({ name, ok, detail }) => [`${ok ? 'ok     ' : 'problem'}  ${name}`, detail]),
  )
  const fixes = checks.flatMap(({ name, fix }) => (fix === undefined ? [] : [`  ${name}: ${fix}`]))
  return {
    json: { ok, checks },
    lines: [...lines, '', ...(ok ? ['All is well.'] : ['What to do:', '', ...fixes])],
    exitCode: ok ? 0 : 1,
  }
}
