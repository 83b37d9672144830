import { createInterface } from 'node:readline/promises'
import { pino } from 'pino'
import { OperatorError } from '../../errors.ts'
import { type OrganizationSize, readOrganizationSize } from '../../queries/organization/organization-size.ts'
import { flag, longCommand, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns, megabytes } from '../output.ts'
import * as values from '../values.ts'

export const remove = longCommand(
  {
    org: required(values.organizationId, 'The organization'),
    yes: flag('Removes it without asking for its name'),
  },
  ({ org, yes }, work) => {
    const run = async ({ config, db }: Installation) => {
      const { name, isHome } = await findOrganization(db, org)
      if (isHome)
        throw new OperatorError(
          `"${name}" is the home organization of this server and stays. Name another one first: parley org set --org ID --home.`,
        )
      const size = await readOrganizationSize({ orgId: org }, db)
      if (!yes) await askForName(name, size)
      const [{ beginRemoval, removeShutOut }, { Files }, { openStorage }] = await Promise.all([
        import('../../actions/organization/organization-removal.ts'),
        import('../../files/files.ts'),
        import('../../files/storage/open.ts'),
      ])
      const files = new Files(db, await openStorage(config), config, pino({ level: 'silent' }))
      try {
        await beginRemoval(db, { orgId: org, name, size })
        await removeShutOut({ db, files }, org, work)
      } finally {
        files.storage.close()
      }
      return {
        json: { organizationId: org, name, removed: size },
        lines: [`The organization "${name}" is removed. With it went:`, '', ...describeSize(size)],
      }
    }
    return withInstallation('org remove', run, work)
  },
  {
    resume: 'Nobody can use the organization any more, and a part of it is gone. The same command goes on.',
    notes: [
      'Nothing brings it back but a backup. People who are in other organizations too keep their accounts.',
    ],
  },
)

/** Asks on standard error, so that what the command prints stays whole for a script. */
async function askForName(name: string, size: OrganizationSize): Promise<void> {
  const lines = [`"${name}" will be removed for good, with:`, '', ...describeSize(size), '']
  process.stderr.write(`${lines.join('\n')}\n`)
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')))
  try {
    const given = await Promise.race([terminal.question('Type its name to go on: '), closed])
    if (given.trim() !== name.trim())
      throw new OperatorError('Nothing was removed: that is not its name. --yes removes without asking.')
  } finally {
    terminal.close()
  }
}

function describeSize({ people, bots, topics, messages, files, bytes, holds }: OrganizationSize): string[] {
  return columns([
    ['People', String(people)],
    ['Bots', String(bots)],
    ['Topics', String(topics)],
    ['Messages', String(messages)],
    ['Files', `${files} (${megabytes(bytes)})`],
    ...(holds > 0 ? ([['Legal holds', String(holds)]] as const) : []),
  ])
}
