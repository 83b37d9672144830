// A bot of the library for tests that kill it: records what it handles, and answers all others.
import { appendFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const {
  DIE_AFTER,
  LIBRARY,
  LEDGER,
  POSITION,
  PARLEY_URL: url,
  API_KEY: apiKey,
  API_SECRET: apiSecret,
} = process.env
const { createBot, filePositions } = await import(pathToFileURL(LIBRARY).href)
const bot = createBot({ url, apiKey, apiSecret, positions: filePositions(POSITION), onError: () => {} })
bot.on('message', async ({ id, message, reply }) => {
  appendFileSync(LEDGER, `${id}\n`)
  await reply(`echo of ${message.text}`)
  // At the worst moment: answered, and not yet written down how far it has come.
  if (message.text === DIE_AFTER) process.kill(process.pid, 'SIGKILL')
})
await bot.start()
