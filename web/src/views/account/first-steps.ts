/** The values in the samples: the bot, its topic, and its text. */
export type FirstSteps = {
  server: string
  apiKey: string
  apiSecret: string
  topicId: string
  greeting: string
  answer: string
}

/**
 * A signed message that runs as it stands in any shell with openssl. Seconds and three zeros, since macOS has no
 * `date +%N`; the body in single quotes and in one variable, so that what is signed is what is sent.
 */
export const curlSample = ({ server, apiKey, apiSecret, topicId, greeting }: FirstSteps): string =>
  `body='${JSON.stringify({ topicId, text: greeting }).replaceAll("'", "'\\''")}'
timestamp=$(date +%s)000
signature=$(printf '%s' "$timestamp.$body" | openssl dgst -sha256 -hmac '${apiSecret}' | sed 's/^.* //')
curl -sS -w '\\n' '${server}/v2/messages' \\
  -H 'Authorization: Bearer ${apiKey}' \\
  -H 'Content-Type: application/json' \\
  -H "X-Timestamp: $timestamp" \\
  -H "X-Signature: $signature" \\
  -d "$body"`

/** TypeScript that is also JavaScript, with the library that the server itself hands out. */
export const typescriptSample = ({ server, apiKey, apiSecret, answer }: FirstSteps): string =>
  `// curl -sSO ${server}/sdk/parley.mjs && node bot.mjs
import { createBot } from './parley.mjs'

const bot = createBot({
  url: '${server}',
  apiKey: '${apiKey}',
  apiSecret: '${apiSecret}',
})
bot.on('message', async ({ message, reply }) => {
  if (message.senderType === 'user') await reply(\`${answer} \${message.text}\`)
})
await bot.start()`

export const pythonSample = ({ server, apiKey, apiSecret, answer }: FirstSteps): string =>
  `# curl -sSO ${server}/sdk/parley.zip && python3 bot.py
import sys
sys.path.insert(0, "parley.zip")
from parley import Bot

bot = Bot("${server}", api_key="${apiKey}", api_secret="${apiSecret}")

@bot.on("message")
def reply(event):
    if event.message["senderType"] == "user":
        event.reply(f"${answer} {event.message['text']}")

bot.start()`
