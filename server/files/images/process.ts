import { writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'
import { Refusal } from '../../errors.ts'
import type { FileTask, ImageReport, Made } from './task.ts'

/*
 * The program of the image process, a separate entry of the build. It reads strangers' images, sounds, films, other
 * files and web pages, so that a file which takes too long, too much memory or crashes its reader ends this process and
 * not the server.
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

/** Loads readers before the first task, whose time is bounded. A process that only sniffs does without the decoder of images: 40 MB less. */
const LOADS: Record<string, () => Promise<unknown>> = {
  looks: () => import('./sniff.ts'),
  texts: () => import('./text.ts'),
  work: () => Promise.all([import('./work.ts'), import('../media.ts'), import('./page.ts')]),
}
await LOADS[process.argv[2] ?? 'work']?.()

async function perform(task: FileTask): Promise<Made> {
  switch (task.kind) {
    case 'page': {
      const { readPageFile } = await import('./page.ts')
      return { page: (await readPageFile(task.path, task.contentType)) ?? null }
    }
    case 'sniff': {
      const { sniff } = await import('./sniff.ts')
      return { sniffed: await sniff(task.path) }
    }
    case 'text': {
      const { readText } = await import('./text.ts')
      return { text: await readText(task.path, task.contentType, task.limit) }
    }
    case 'media': {
      const { inspectMedia } = await import('../media.ts')
      return { media: await inspectMedia(task.path, task.sniffed) }
    }
    default: {
      const { makeImage } = await import('./work.ts')
      return { picture: await makeImage(task) }
    }
  }
}

process.on('message', (task: FileTask) => {
  perform(task)
    .then(
      (made): ImageReport => made,
      (error: unknown): ImageReport =>
        error instanceof Refusal
          ? { refused: error.code }
          : { failed: error instanceof Error ? error.message : String(error) },
    )
    .then((report) => process.send?.(report))
})
process.send?.('ready')
