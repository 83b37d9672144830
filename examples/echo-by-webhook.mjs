// Says again what people say, told by webhooks. Run it with the credentials of a static-key bot in webhook mode,
// whose address leads here:
//
//   PARLEY_URL=http://127.0.0.1:8080 PARLEY_API_KEY=… PARLEY_API_SECRET=… PORT=9000 node examples/echo-by-webhook.mjs
//
// An event may come twice, with the same id; echo() makes a repeat harmless.
import { createServer } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { echo } from './echo.mjs'
import { connect, isFromParley } from './parley-client.mjs'

const parley = connect()

const server = createServer(async (request, response) => {
  try {
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    const sent = Buffer.concat(chunks)
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent
    if (!isFromParley(process.env.PARLEY_API_SECRET, request.headers, body)) {
      response.writeHead(401).end()
      return
    }
    await echo(parley, JSON.parse(body))
    response.writeHead(204).end()
  } catch (error) {
    console.error(error.message)
    response.writeHead(500).end() // Parley will try again
  }
})
server.listen(Number(process.env.PORT ?? 9000), '127.0.0.1', () =>
  console.log(`Listening on ${server.address().port}.`),
)
