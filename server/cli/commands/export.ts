import type { Summary } from '../../export/export.ts'
import { longCommand, optional, required } from '../command.ts'
import { findOrganization } from '../find.ts'
import { type Installation, withInstallation } from '../installation.ts'
import { columns, megabytes } from '../output.ts'
import { organizationId, text } from '../values.ts'

const PATH_LENGTH = 4096

/** The file's name, such as `acme-2026-05-01.tar`. */
function exportName(name: string, now: Date): string {
  const short = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40)
  return `${short || 'organization'}-${now.toISOString().slice(0, 10)}.tar`
}

export const recordColumns = ({ records, files, fileBytes }: Summary): string[] =>
  columns([
    ['Members', `${records.members}, ${records.bots} of them bots`],
    ['Topics', `${records.topics}`],
    ['Messages', `${records.messages}`],
    ['Files', `${files} (${megabytes(fileBytes)})`],
  ])

export const exportCommand = longCommand(
  {
    org: required(organizationId, 'The organization'),
    to: optional(
      text(PATH_LENGTH, 'FILE'),
      'The file, or s3://bucket/name; without it, a file with the date in the current folder',
    ),
  },
  ({ org, to }, work) => {
    const run = async ({ config, db }: Installation) => {
      const { name } = await findOrganization(db, org)
      const [{ exportOrganization }, { openPlace }, { openStorage }] = await Promise.all([
        import('../../export/export.ts'),
        import('../../backup/places.ts'),
        import('../../files/storage/open.ts'),
      ])
      const place = await openPlace(to ?? exportName(name, new Date()), config)
      const storage = await openStorage(config)
      try {
        const source = { connection: db.config, storage }
        const report = await exportOrganization(source, { id: org, name }, place, work)
        const { bytes, missing } = report
        return {
          json: { path: place.name, ...report },
          lines: [
            `${place.name} (${megabytes(bytes)}) holds "${name}":`,
            '',
            ...recordColumns(report),
            '',
            'It holds direct messages too: keep it as safe as the server. Passwords, keys and secrets are not in it.',
            ...(missing.length > 0
              ? [
                  `${missing.length} files were missing in the store before: ${missing.slice(0, 5).join(', ')}`,
                ]
              : []),
          ],
        }
      } finally {
        storage.close()
      }
    }
    return withInstallation('export', run, work)
  },
  {
    resume: 'No file is left. The same command begins again.',
    notes: [
      'The file is a tar archive: a line of JSON for each member, topic, message and so on, and the files beside them.',
      'Take it in at another server with `parley import parley FILE`.',
    ],
  },
)
