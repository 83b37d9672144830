// A bot of the library that receives webhooks, on Bun or Deno: prints its port, and answers what it hears.
const { LIBRARY, PARLEY_URL: url, API_KEY: apiKey, API_SECRET: apiSecret } = process.env
const { createBot } = await import(LIBRARY)
const bot = createBot({ url, apiKey, apiSecret })
bot.on('message', ({ message, reply }) => reply(`told of ${message.text.length} characters`))
const options = { hostname: '127.0.0.1', port: 0 }
if (globalThis.Bun) console.log(Bun.serve({ ...options, fetch: bot.fetchHandler }).port)
else Deno.serve({ ...options, onListen: ({ port }) => console.log(port) }, bot.fetchHandler)
