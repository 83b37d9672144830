import { rm, stat } from 'node:fs/promises'
import { Refusal } from '../errors.ts'
import type { Parley } from '../parley.ts'
import type { StoredAttachment } from '../queries/messages/messages.ts'
import type { Files, StoredFile } from './files.ts'
import type { Draft } from './form.ts'
import { type Images, SIGN_UP } from './images/images.ts'

/** A future attachment, and the path of its unstored file. */
export type Inspected = Omit<StoredAttachment, 'id'> & { path: string }

/** Checks each file of a message for reasons to refuse it. Afterwards it is accepted, whatever processing finds. */
export async function inspectFiles(
  images: Images,
  orgId: string,
  drafts: readonly Draft[],
): Promise<Inspected[]> {
  const inspected: Inspected[] = []
  for (const { path, name, size } of drafts) {
    const { contentType, kind } = await images.sniff(orgId, path)
    if (kind === 'image') await images.check(orgId, path)
    inspected.push({ path, type: kind, ...(name !== undefined && { name }), contentType, size })
  }
  return inspected
}

/** Stores inspected files; each attachment gets the id of its file. */
export async function storeFiles(
  files: Files,
  orgId: string,
  inspected: readonly Inspected[],
): Promise<StoredAttachment[]> {
  const stored = await files.store(orgId, inspected)
  return stored.map(({ path: _, ...attachment }) => attachment)
}

/**
 * Makes and stores a cover, a logo or an emoji, and refuses files that are no such image. If storing fails, only the
 * picture is lost.
 */
export async function storePicture(
  { files, images, log }: Pick<Parley, 'files' | 'images' | 'log'>,
  owner: string,
  kind: 'cover' | 'logo' | 'emoji',
  draft: Draft | undefined,
): Promise<StoredFile[]> {
  if (!draft) return []
  const path = files.draftPath()
  try {
    const { contentType } = await images.makePicture(owner, kind, { path: draft.path, target: path })
    const { size } = await stat(path)
    const orgId = owner === SIGN_UP ? undefined : owner
    return await files.store(orgId, [{ path, contentType, size }]).catch((error: unknown) => {
      if (error instanceof Refusal) throw error
      log.error({ err: error }, 'a picture could not be stored; what it was for is created without it')
      return []
    })
  } finally {
    await rm(path, { force: true })
  }
}
