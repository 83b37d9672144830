// @ts-check
import { createBot, filePositions } from './parley.mjs'

// The file .env says where the server is and who the bot is.
const bot = createBot({ positions: filePositions('bot.position') })

await bot.parley.setCommands({ body: { commands: [{ name: 'hello', description: 'Say hello' }] } })

bot.on('message', async ({ message, reply }) => {
  if (message.senderType !== 'user' || message.text?.startsWith('/')) return
  await reply(`You said: ${message.text}`)
})

bot.on('command', async ({ command, reply }) => {
  await reply(`Hello, ${command.userName}!`)
})

const { name } = await bot.parley.readMe()
console.log(`${name} listens.`)
await bot.start()
