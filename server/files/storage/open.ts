import type { Config } from '../../config.ts'
import { DiskStorage } from './disk.ts'
import type { Storage } from './storage.ts'

/** The folder of the data folder, or a bucket where one is set. */
export async function openStorage(config: Pick<Config, 's3' | 'filesDir'>): Promise<Storage> {
  if (!config.s3) return new DiskStorage(config.filesDir)
  silenceStoreClient()
  // Loaded where it is used only: the client is more than a megabyte of code.
  const { S3Storage } = await import('./s3.ts')
  return new S3Storage(config.s3, config.filesDir)
}

/** The store client's warnings about future Node.js versions are not for those who run Parley. */
export function silenceStoreClient(): void {
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
}
