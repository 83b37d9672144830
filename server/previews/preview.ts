import { rm, stat } from 'node:fs/promises'
import type { Agent } from 'undici'
import { claimPreview, forgetPreview, recordPreview } from '../actions/messages/link-previews.ts'
import type { StoredFile } from '../files/files.ts'
import { finishJob, type Job, postponeJob } from '../jobs/queue.ts'
import type { JobDefinition } from '../jobs/runner.ts'
import { openGuardedAgent } from '../network/guard.ts'
import type { Parley } from '../parley.ts'
import { readPreviewTask } from '../queries/messages/link-previews.ts'
import type { StoredPreview } from '../queries/messages/messages.ts'
import { fetchPage, fetchPicture } from './fetch.ts'

/** Delay before looking again if another job is fetching the same page. */
const BESIDE_MS = 1000

type Parts = Pick<Parley, 'db' | 'clock' | 'config' | 'files' | 'images' | 'log'>
type Made = { preview: StoredPreview; file?: StoredFile }

/** Fetches what the first link of a message leads to, once for all messages of an organization, and puts it to the message. */
export function previewing(parley: Parts): JobDefinition & { close(): Promise<void> } {
  const { db, clock, config } = parley
  const agent = openGuardedAgent(config.linkPreviewNetworks)
  return {
    kind: 'preview',
    concurrency: 4,
    concurrencyOfOne: 2,
    retryAfterMs: [],

    async perform(job, signal) {
      const task = config.linkPreviews ? await readPreviewTask(db, job, clock()) : undefined
      if (!task) return finishJob(db, job)
      const { url, known } = task
      if (known) {
        await db.write(job.orgId, (tx) => recordPreview(tx, job, { url, isNew: false }))
        return
      }
      if (!(await claimPreview(db, job.orgId, url, clock())))
        return postponeJob(db, job, clock() + BESIDE_MS, 0)
      const made = await make(parley, agent, job, url, signal).catch((error: unknown) => {
        signal.throwIfAborted()
        parley.log.debug({ err: error, messageId: job.messageId }, 'a link has no preview')
        return undefined
      })
      await db.write(job.orgId, (tx) => recordPreview(tx, job, { url, isNew: true, ...made }))
    },

    async giveUp(job) {
      await forgetPreview(db, job)
    },

    close: () => agent.destroy(),
  }
}

async function make(
  parley: Parts,
  agent: Agent,
  { orgId }: Job,
  address: string,
  signal: AbortSignal,
): Promise<Made | undefined> {
  const page = await readPage(parley, agent, orgId, address, signal)
  if (!page) return undefined
  const { url, image, ...words } = page
  const preview = { url: address, ...words }
  if (image === undefined || !URL.canParse(image, url.href)) return { preview }
  const source = new URL(image, url.href)
  if (!/^https?:$/.test(source.protocol)) return { preview }
  const picture = await makePicture(parley, agent, orgId, source.href, signal).catch((error: unknown) => {
    signal.throwIfAborted()
    parley.log.debug({ err: error }, 'a preview has no picture')
    return undefined
  })
  if (!picture) return { preview }
  const { file, width, height } = picture
  return { preview: { ...preview, imageId: file.id, width, height }, file }
}

/** Reads a page in the process for images: what strangers write is parsed where it can be ended. */
async function readPage(
  { files, images }: Parts,
  agent: Agent,
  orgId: string,
  address: string,
  signal: AbortSignal,
) {
  const path = files.draftPath()
  try {
    const { url, contentType } = await fetchPage(agent, address, path, signal)
    const facts = await images.readPage(orgId, { path, contentType }, signal)
    return facts && { url, ...facts }
  } finally {
    await rm(path, { force: true })
  }
}

async function makePicture(
  { files, images }: Parts,
  agent: Agent,
  orgId: string,
  address: string,
  signal: AbortSignal,
) {
  const [path, target] = [files.draftPath(), files.draftPath()]
  try {
    await fetchPicture(agent, address, path, signal)
    const { contentType, width, height } = await images.makePicture(orgId, 'preview', { path, target })
    const { size } = await stat(target)
    const [file] = await files.store(orgId, [{ path: target, contentType, size }])
    return file && { file, width, height }
  } finally {
    await Promise.all([path, target].map((each) => rm(each, { force: true })))
  }
}
