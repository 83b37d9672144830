import { rm, stat } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { StoredAttachment } from '../queries/messages.ts'
import type { Files, StoredFile } from './files.ts'
import type { Draft } from './form.ts'
import { checkImage, type Picture } from './images.ts'
import { sniff } from './kinds.ts'

/** An attachment to be, and where its file lies until it is stored. */
export type Inspected = Omit<StoredAttachment, 'id'> & { path: string }

/** Looks at each file of a message as far as it can be refused: afterwards it is accepted, whatever it turns out to be. */
export async function inspectFiles(drafts: readonly Draft[]): Promise<Inspected[]> {
  const inspected: Inspected[] = []
  for (const { path, name, size } of drafts) {
    const { contentType, kind } = await sniff(path)
    if (kind === 'image') await checkImage(path)
    inspected.push({ path, type: kind, ...(name !== undefined && { name }), contentType, size })
  }
  return inspected
}

/** Stores what was inspected; each attachment gets the id of its file. */
export async function storeFiles(files: Files, inspected: readonly Inspected[]): Promise<StoredAttachment[]> {
  const stored = await files.store(inspected)
  return stored.map(({ path: _, ...attachment }) => attachment)
}

/**
 * A cover or a logo: made, which refuses what is no such image, and then stored. A store that fails costs the picture, not
 * what it was for.
 */
export async function storePicture(
  files: Files,
  log: FastifyBaseLogger,
  draft: Draft | undefined,
  make: (path: string, target: string) => Promise<Picture>,
): Promise<StoredFile[]> {
  if (!draft) return []
  const path = files.draftPath()
  try {
    const { contentType } = await make(draft.path, path)
    const { size } = await stat(path)
    return await files.store([{ path, contentType, size }]).catch((error: unknown) => {
      log.error({ err: error }, 'a picture could not be stored; what it was for is created without it')
      return []
    })
  } finally {
    await rm(path, { force: true })
  }
}
