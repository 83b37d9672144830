import { randomBytes } from 'node:crypto'
import { copyFile, open, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeBots, makeTopics, openBackstage, sendersOf } from '../parts/cast.ts'
import { latencyOf } from '../parts/histogram.ts'
import type { Load } from '../processes/load.ts'
import type { Scenario } from '../scenario.ts'

const FILE_MB = 10
/** Uploads prepared for each second, more than a disk takes. */
const MOST_PER_SECOND = 60

export const upload: Scenario = {
  name: 'upload',
  title: 'Upload of a 10 MB file, one after the other',
  floor: 'a copy of the same file in the same file system, with fsync',
  target: { uploaded: { ratioAtLeast: 0.35 } },
  async run(context) {
    const server = await context.startServer()
    const backstage = await openBackstage(server)
    context.onEnd(backstage.close)
    const topics = await makeTopics(backstage, await makeBots(backstage, 2), { botsEach: 2, people: 5 })
    const load = context.startProcess<Load>('load')
    const file = join(context.folder, 'upload.bin')
    await writeFile(file, randomBytes(FILE_MB * 2 ** 20))

    return context.repeat(async () => {
      const copies = await copyFor(file, context.seconds)
      const uploads = await load.ask('run', {
        ports: [server.port],
        connections: 1,
        seconds: context.seconds,
        warmUpSeconds: 0.5,
        plan: {
          kind: 'upload',
          senders: sendersOf(topics),
          file,
          most: Math.ceil(MOST_PER_SECOND * context.seconds),
        },
        expect: 200,
      })
      return [
        {
          name: 'uploaded',
          unit: 'MB/s',
          better: 'more',
          value: uploads.perSecond * FILE_MB,
          floor: (copies.length / context.seconds) * FILE_MB,
          latency: uploads.latency,
          details: { copyP99: latencyOf(copies).p99, uploads: uploads.count },
        },
      ]
    })
  },
}

/** Milliseconds of each copy. */
async function copyFor(file: string, seconds: number): Promise<number[]> {
  const target = `${file}.copy`
  const times: number[] = []
  const until = performance.now() + seconds * 1000
  for (let now = performance.now(); now < until; now = performance.now()) {
    await rm(target, { force: true })
    const began = performance.now()
    await copyFile(file, target)
    const copy = await open(target, 'r+')
    await copy.sync()
    await copy.close()
    times.push(performance.now() - began)
  }
  await rm(target, { force: true })
  return times
}
