import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { BackupReport } from '../../backup/backup.ts'
import type { Config } from '../../config.ts'
import { OperatorError } from '../../errors.ts'
import { clusterFolder } from '../../postgres/cluster.ts'
import { type CommandOutput, longCommand, optional, required } from '../command.ts'
import { loadConfig } from '../installation.ts'
import { megabytes } from '../output.ts'
import { text } from '../values.ts'

const PATH_LENGTH = 4096
const NOTES = [
  'The backup holds everything: the database, the files and the secret key. Set BACKUP_PASSPHRASE to encrypt',
  'it; without the passphrase nobody can read it.',
]

export const backup = longCommand(
  {
    to: optional(
      text(PATH_LENGTH, 'FILE'),
      'The file, or s3://bucket/name; without it, a file with the date in the current folder',
    ),
  },
  async ({ to }, work) => {
    const config = loadConfig()
    refuseNothing(config)
    const [
      { openDatabase },
      { countRows, makeBackup },
      { openPlace },
      { openStorage },
      { loadSecretKeys },
      { backupName },
    ] = await Promise.all([
      import('../open.ts'),
      import('../../backup/backup.ts'),
      import('../../backup/places.ts'),
      import('../../files/storage/open.ts'),
      import('../../keys/key-file.ts'),
      import('../../backup/schedule.ts'),
    ])
    const place = await openPlace(to ?? backupName(new Date()), config)
    const database = await openDatabase(config, 'backup')
    const storage = await openStorage(config)
    try {
      const secretKeys = await loadSecretKeys(config)
      const source = { connection: database.connection, storage, secretKeys }
      const report = await makeBackup(source, place, config.backupPassphrase, work)
      return describe(place.name, report, countRows(report), config)
    } finally {
      storage.close()
      await database.close()
    }
  },
  { resume: 'No backup is left. The same command begins again.', notes: NOTES },
)

/** Refuses a missing database, which opening would create. */
function refuseNothing({ databaseUrl, dataDir }: Config): void {
  if (databaseUrl !== undefined || existsSync(clusterFolder(dataDir))) return
  throw new OperatorError(
    `There is nothing of Parley in ${dataDir}. Run this where the server runs, or set DATA_DIR to its folder.`,
  )
}

function describe(
  path: string,
  { tables, ...report }: BackupReport,
  rows: number,
  config: Config,
): CommandOutput {
  const isEncrypted = config.backupPassphrase !== undefined
  const { files, fileBytes, bytes, missing } = report
  return {
    json: { path, rows, isEncrypted, ...report },
    lines: [
      `${path} holds ${rows} rows and ${files} files (${megabytes(fileBytes)}) in ${megabytes(bytes)}, and was read back.`,
      isEncrypted
        ? 'It is encrypted: keep its passphrase where the backup is not.'
        : 'It is not encrypted and holds the secret key: keep it as safe as the server. BACKUP_PASSPHRASE encrypts the next one.',
      ...(missing.length > 0
        ? [`${missing.length} files were missing in the store before: ${missing.slice(0, 5).join(', ')}`]
        : []),
    ],
  }
}

export const restore = longCommand(
  { from: required(text(PATH_LENGTH, 'FILE'), 'The backup: a file, or s3://bucket/name') },
  async ({ from }, work) => {
    const config = loadConfig()
    const [
      { openDatabase },
      { countRows, verifyBackup },
      { restoreBackup },
      { openPlace },
      { openStorage },
      { keepSecretKeys },
    ] = await Promise.all([
      import('../open.ts'),
      import('../../backup/backup.ts'),
      import('../../backup/restore.ts'),
      import('../../backup/places.ts'),
      import('../../files/storage/open.ts'),
      import('../../keys/key-file.ts'),
    ])
    const place = await openPlace(from, config)
    const checked = await verifyBackup(place, config.backupPassphrase, { work, part: 'Checking' })
    const database = await openDatabase(config, 'restore')
    const storage = await openStorage(config)
    try {
      const target = {
        connection: database.connection,
        storage,
        incoming: join(config.filesDir, 'incoming'),
        keepSecretKeys: (keys: [string, ...string[]]) => keepSecretKeys(config, keys),
      }
      await restoreBackup(target, place, config.backupPassphrase, checked, work)
    } finally {
      storage.close()
      await database.close()
    }
    const { manifest, summary } = checked
    const rows = countRows(summary)
    const { createdAt, parleyVersion } = manifest
    return {
      json: { createdAt, parleyVersion, rows, files: summary.files },
      lines: [
        `The backup of ${createdAt} is restored: ${rows} rows and ${summary.files} files, each as it was.`,
        'Start the server with the same settings: parley start',
      ],
    }
  },
  {
    resume: 'The database is as empty as it was. The same command begins again.',
    notes: ['Nothing is replaced: where there is an installation already, the command refuses.', ...NOTES],
  },
)
