import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Refusal } from '../../errors.ts'
import { readPageFile } from './page.ts'
import type { ImageReport, ImageTask, Made, PageTask } from './task.ts'

/*
 * The program of the image process, a separate entry of the build. It decodes strangers' images and web pages, so that
 * a file which takes too long, too much memory or crashes the decoder ends this process and not the server.
 */

/** A third of the share of the server where both want the same core. More would starve images on a busy machine. */
const NICENESS = 5

/** Ends without its server, at once: an orderly exit would wait for the current image. */
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

setPriority(NICENESS) // before any thread is started: threads inherit it
try {
  writeFileSync('/proc/self/oom_score_adj', '1000') // if memory runs out, this process goes first
} catch {
  // The system is not Linux, or does not permit it.
}

const { makeImage } = await import('./work.ts')

const perform = async (task: ImageTask | PageTask): Promise<Made> =>
  task.kind === 'page'
    ? { page: (await readPageFile(task.path, task.contentType)) ?? null }
    : { picture: await makeImage(task) }

process.on('message', (task: ImageTask | PageTask) => {
  perform(task)
    .then(
      (made): ImageReport => made,
      (error: unknown): ImageReport =>
        error instanceof Refusal
          ? { refused: error.message }
          : { failed: error instanceof Error ? error.message : String(error) },
    )
    .then((report) => process.send?.(report))
})
process.send?.('ready')
