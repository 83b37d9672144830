import type { Archive } from '../../import/archive.ts'
import type { ImportReport } from '../../import/importer.ts'
import type { ImportSource } from '../../import/source.ts'
import { type Command, type CommandOutput, command, flag, positional, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'

const PATH_LENGTH = 4096
const NOTES = [
  'People are matched by their address; who is new is added, and can be sent an invitation from the console.',
  'Topics appear when all of their messages are there. The same export can be imported again: nothing comes twice.',
]

export const slack = importOf(
  'Slack',
  'The ZIP file that Slack exported, or the folder it was unpacked into',
  async (archive) => (await import('../../import/slack.ts')).openSlack(archive),
)
export const mattermost = importOf(
  'Mattermost',
  'The ZIP file of `mmctl export`, or the folder it was unpacked into',
  async (archive) => (await import('../../import/mattermost.ts')).openMattermost(archive),
)

function importOf(
  product: string,
  about: string,
  open: (archive: Archive) => Promise<ImportSource>,
): Command {
  return command(
    {
      export: positional(values.text(PATH_LENGTH, 'EXPORT'), about),
      org: required(values.organizationId, 'The organization that takes it'),
      'dry-run': flag('Only reads, and says what would come'),
    },
    ({ export: path, org, 'dry-run': dryRun }, asJson) =>
      withInstallation('import', async ({ db }) => {
        const { name } = await findOrganization(db, org)
        const { openArchive } = await import('../../import/archive.ts')
        const { importInto } = await import('../../import/importer.ts')
        const archive = await openArchive(path)
        try {
          const isDryRun = dryRun === true
          const options = { isDryRun, ...(!asJson && { onProgress: showProgress() }) }
          const report = await importInto(db, org, await open(archive), options)
          return describe(report, `${product} into "${name}"`, isDryRun)
        } finally {
          await archive.close()
        }
      }),
    NOTES,
  )
}

const PROGRESS_STEP = 10_000

function showProgress(): (messages: number) => void {
  let shown = 0
  return (messages) => {
    if (messages < shown + PROGRESS_STEP) return
    shown = messages - (messages % PROGRESS_STEP)
    process.stderr.write(`${shown} messages …\n`)
  }
}

function describe(report: ImportReport, what: string, isDryRun: boolean): CommandOutput {
  const { people, topics, messages, reactions, skipped } = report
  const would = isDryRun ? 'would be ' : ''
  return {
    json: { dryRun: isDryRun, ...report },
    lines: [
      isDryRun ? `Nothing was written. An import from ${what} would bring:` : `Imported from ${what}:`,
      '',
      ...columns([
        [
          'People',
          `${people.added} ${would}added, ${people.matched} are here already, ${people.nameless} only as a name`,
        ],
        ['Topics', `${topics.added} ${would}added, ${topics.matched} are here already`],
        ['Messages', `${messages.added} ${would}added, ${messages.alreadyThere} are here already`],
        ['Reactions', `${reactions} ${would}added`],
      ]),
      ...(skipped.length > 0
        ? [
            '',
            'Left out:',
            ...skipped.map(
              ({ reason, count, places }) =>
                `  ${count} ${reason}${places.length > 0 ? ` (${places.join('; ')}${count > places.length ? '; …' : ''})` : ''}`,
            ),
          ]
        : []),
    ],
  }
}
