// Sends a file by the library, and prints the result and by how many bytes the program grew at most.
import { openAsBlob } from 'node:fs'

const { LIBRARY, URL: url, API_KEY: apiKey, API_SECRET: apiSecret, FILE: path, TOPIC: topicId } = process.env
const { connect } = await import(LIBRARY)
const parley = connect({ url, apiKey, apiSecret })
await parley.readMe()
const before = process.memoryUsage().rss
let most = before
const timer = setInterval(() => {
  most = Math.max(most, process.memoryUsage().rss)
}, 5)
const content = await openAsBlob(path)
const answer = await parley.sendMessage({ form: { topicId }, files: [{ name: 'film.bin', content }] })
clearInterval(timer)
console.log(JSON.stringify({ answer, size: content.size, grown: most - before }))
