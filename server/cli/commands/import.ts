import { join } from 'node:path'
import type { Archive } from '../../import/archive.ts'
import type { ImportReport } from '../../import/importer.ts'
import type { CheckedExport } from '../../import/parley.ts'
import type { ImportSource } from '../../import/source.ts'
import { readBytesLeft } from '../../queries/organization/file-quota.ts'
import { type Command, type CommandOutput, flag, longCommand, positional, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns } from '../output.ts'
import * as values from '../values.ts'
import { recordColumns } from './export.ts'

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

export const parley = longCommand(
  {
    export: positional(values.text(PATH_LENGTH, 'EXPORT'), 'The file that `parley export` wrote'),
    'dry-run': flag('Only reads it to its end, and says what would come'),
  },
  ({ export: path, 'dry-run': dryRun }, work) => {
    const run = async ({ config, db, secrets }: Installation) => {
      const [{ checkExport, importOrganization, refuseKnown }, { openPlace }, { openStorage }] =
        await Promise.all([
          import('../../import/parley.ts'),
          import('../../backup/places.ts'),
          import('../../files/storage/open.ts'),
        ])
      const place = await openPlace(path, config)
      const checked = await checkExport(place, db.clock(), work)
      await refuseKnown(db, checked.manifest)
      if (dryRun === true) return describeExport(checked, true)
      const storage = await openStorage(config)
      try {
        const incoming = join(config.filesDir, 'incoming')
        await importOrganization({ db, secrets, storage, incoming }, place, checked, work)
      } finally {
        storage.close()
      }
      return describeExport(checked, false)
    }
    return withInstallation('import', run, work)
  },
  {
    resume: 'Nothing of the organization is on this server. The same command begins again.',
    notes: [
      'The organization keeps its ids, and must not be on this server yet. All of it comes, or nothing.',
      'Keys and secrets are in no export: bots get new ones in the console, or with `parley bot replace-key`.',
    ],
  },
)

function describeExport({ manifest, summary }: CheckedExport, isDryRun: boolean): CommandOutput {
  const { organization, createdAt } = manifest
  return {
    json: { dryRun: isDryRun, organization, createdAt, ...summary },
    lines: [
      isDryRun
        ? `Nothing was written. The export of ${createdAt} would bring "${organization.name}":`
        : `"${organization.name}" is here, as it was at ${createdAt}:`,
      '',
      ...recordColumns(summary),
      ...(isDryRun
        ? []
        : [
            '',
            'People sign in with the password that they have here; who has none asks for a link at "Forgot your password?".',
            'Bots need a new key or secret (parley bot replace-key), and their webhooks wait until they are resumed.',
          ]),
    ],
  }
}

function importOf(
  product: string,
  about: string,
  open: (archive: Archive) => Promise<ImportSource>,
): Command {
  return longCommand(
    {
      export: positional(values.text(PATH_LENGTH, 'EXPORT'), about),
      org: required(values.organizationId, 'The organization that takes it'),
      'dry-run': flag('Only reads, and says what would come'),
    },
    ({ export: path, org, 'dry-run': dryRun }, work) => {
      const run = async ({ config, db }: Installation) => {
        const { name } = await findOrganization(db, org)
        const { openArchive } = await import('../../import/archive.ts')
        const { importInto } = await import('../../import/importer.ts')
        const { openFiles } = await import('../../import/files.ts')
        const archive = await openArchive(path)
        const isDryRun = dryRun === true
        const files = isDryRun ? undefined : await openFiles({ config, db }, org)
        try {
          const options = {
            isDryRun,
            maxFileBytes: config.maxFileBytes,
            files,
            ...(isDryRun && { bytesLeft: await readBytesLeft({ orgId: org }, db, config) }),
            work,
          }
          const report = await importInto(db, org, await open(archive), options)
          return describe(report, `${product} into "${name}"`, isDryRun)
        } finally {
          await files?.close()
          await archive.close()
        }
      }
      return withInstallation('import', run, work)
    },
    { resume: 'What came stays. The same command goes on where it stopped.', notes: NOTES },
  )
}

const staysDeleted = (count: number): string =>
  count === 0 ? '' : `, ${count} were deleted here and stay so`

function describe(report: ImportReport, what: string, isDryRun: boolean): CommandOutput {
  const { people, topics, messages, reactions, emoji, files, skipped } = report
  const would = isDryRun ? 'would be ' : ''
  return {
    json: { dryRun: isDryRun, ...report },
    lines: [
      isDryRun ? `Nothing was written. An import from ${what} would bring:` : `Imported from ${what}:`,
      '',
      ...columns([
        [
          'People',
          `${people.added} ${would}added${people.guests > 0 ? ` (${people.guests} of them as guests)` : ''}, ${people.matched} are here already, ${people.nameless} only as a name${staysDeleted(people.erased)}`,
        ],
        ['Topics', `${topics.added} ${would}added, ${topics.matched} are here already`],
        [
          'Messages',
          `${messages.added} ${would}added, ${messages.alreadyThere} are here already${staysDeleted(messages.deleted)}`,
        ],
        ['Reactions', `${reactions} ${would}added`],
        [
          'Emoji',
          `${emoji.added} ${would}added, ${emoji.alreadyThere} are here already${staysDeleted(emoji.deleted)}`,
        ],
        ['Files', `${files.added} ${would}added, ${files.alreadyThere} are here already`],
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
