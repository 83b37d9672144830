import { createHmac, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type Bot, makeBots, makeTopics, openBackstage } from '../parts/cast.ts'
import { uploadFrame, uploadHead } from '../parts/requests.ts'
import type { Server } from '../parts/server.ts'
import type { Scenario } from '../scenario.ts'

const FILE_MB = 500
const MOST_MB = 600
const LIMIT_MS = 120_000

export const uploadMemory: Scenario = {
  name: 'upload-memory',
  title: 'The most resident memory of the server while it takes a 500 MB upload',
  target: { memory: { valueUnder: 200 } },
  async run(context) {
    const file = join(context.folder, 'large.bin')
    await writeLarge(file)
    return context.repeat(async () => {
      // The kernel keeps the peak for as long as the process lives: each run has a server of its own.
      const server = await context.startServer({ environment: { MAX_FILE_MB: String(MOST_MB) } })
      const backstage = await openBackstage(server)
      const [topic] = await makeTopics(backstage, await makeBots(backstage, 1), { botsEach: 1 })
      await backstage.close()
      const [bot] = topic?.bots ?? []
      if (!topic || !bot) throw new Error('there is a topic with a bot')
      const before = await server.memory()
      const began = performance.now()
      await uploadStreamed(server, topic.id, bot, file)
      const seconds = (performance.now() - began) / 1000
      const { peak } = await server.memory()
      await server.stop()
      return [
        {
          name: 'memory',
          unit: 'MB at most',
          better: 'less',
          value: peak / 2 ** 20,
          details: { beforeMB: before.now / 2 ** 20, seconds },
        },
      ]
    })
  },
}

/** Writes random bytes, different in each megabyte, so that nothing can compress them. */
async function writeLarge(path: string): Promise<void> {
  const file = await open(path, 'w')
  for (let written = 0; written < FILE_MB; written++) await file.write(randomBytes(2 ** 20))
  await file.sync()
  await file.close()
}

async function uploadStreamed(server: Server, topicId: string, bot: Bot, file: string): Promise<void> {
  const [before, after] = uploadFrame(topicId, 'Large', 'large.bin')
  const timestamp = String(Date.now())
  const hmac = createHmac('sha256', bot.apiSecret).update(`${timestamp}.`).update(before)
  for await (const chunk of createReadStream(file)) hmac.update(chunk)
  const signature = hmac.update(after).digest('hex')
  const length = before.length + (await stat(file)).size + after.length
  const head = uploadHead(bot.apiKey, timestamp, signature, length)

  const socket = connect(server.port, '127.0.0.1')
  const answered = new Promise<string>((resolve, reject) => {
    socket.setTimeout(LIMIT_MS, () => reject(new Error('no answer')))
    socket.once('data', (chunk) => resolve(chunk.toString()))
    socket.once('error', reject)
    socket.once('close', () => reject(new Error('the connection broke off')))
  })
  socket.write(head)
  socket.write(before)
  const content = createReadStream(file)
  content.on('end', () => socket.write(after))
  content.pipe(socket, { end: false })
  try {
    const answer = await answered
    if (!answer.startsWith('HTTP/1.1 200')) throw new Error(`not uploaded: ${answer.slice(0, 500)}`)
  } finally {
    content.destroy()
    socket.destroy()
  }
}
