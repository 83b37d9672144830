import { rm, stat } from 'node:fs/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { StoredAttachment } from '../queries/messages.ts'
import type { Files, StoredFile } from './files.ts'
import type { Draft } from './form.ts'
import { checkImage, type Picture } from './images.ts'
import { refuseMislabelled, sniff } from './kinds.ts'

/** Looks at each file of a message as far as it can be refused: afterwards it is accepted, whatever it turns out to be. */
export async function inspectFiles(drafts: readonly Draft[]): Promise<StoredAttachment[]> {
  const attachments: StoredAttachment[] = []
  for (const draft of drafts) {
    const { contentType, kind } = await sniff(draft.path)
    refuseMislabelled(draft, contentType)
    if (kind === 'image') await checkImage(draft.path)
    const { name, size } = draft
    attachments.push({ id: '', type: kind, ...(name !== undefined && { name }), contentType, size })
  }
  return attachments
}

/** Stores what was inspected; each attachment gets the id of its file. */
export async function storeFiles(
  files: Files,
  drafts: readonly Draft[],
  inspected: readonly StoredAttachment[],
): Promise<StoredAttachment[]> {
  const stored = await files.store(
    drafts.map(({ path, size }, index) => ({
      path,
      size,
      contentType: inspected[index]?.contentType ?? 'application/octet-stream',
    })),
  )
  return inspected.map((attachment, index) => ({ ...attachment, id: stored[index]?.id ?? '' }))
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
