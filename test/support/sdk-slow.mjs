// A bot whose answers take long: says when each begins and when it is done.
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'

const { LIBRARY, POSITIONS, QUEUE, ANSWER_MS } = process.env
const { createBot, filePositions, fileQueue } = await import(pathToFileURL(LIBRARY).href)
const bot = createBot({
  ...(POSITIONS && { positions: filePositions(POSITIONS) }),
  ...(QUEUE && { queue: fileQueue(QUEUE) }),
})
const say = (line) => console.log(JSON.stringify(line))

async function answer(text, reply) {
  say({ begun: text, at: Date.now() })
  await new Promise((resolve) => setTimeout(resolve, Number(ANSWER_MS)))
  await reply(`answer to ${text}`)
  say({ done: text })
}
bot.on('message', ({ message, reply }) => {
  if (message.senderType === 'user' && !message.text.startsWith('/')) return answer(message.text, reply)
})
bot.on('command', ({ command, reply }) => answer(`/${command.name}`, reply))

if (QUEUE) {
  const server = createServer(bot.nodeHandler)
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  say({ port: server.address().port })
} else say({})
await bot.start()
