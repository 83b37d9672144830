import type { Agent } from 'undici'

/** Bounds for reading a document, from the DNS lookup to the last byte. */
type Bounds = { bytes: number; ms: number }

/** Reads a JSON document from elsewhere. No redirect is followed; anything unexpected throws. */
export async function readJson(agent: Agent, url: URL, { bytes, ms }: Bounds): Promise<unknown> {
  const call = new AbortController()
  const timer = setTimeout(() => call.abort(new Error(`no complete answer within ${ms} ms`)), ms)
  // The agent hears of an abort only once it is connected; a name that is not found out must not keep us longer.
  const aborted = new Promise<never>((_resolve, reject) => {
    call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true })
  })
  aborted.catch(() => {}) // heard of below, or not at all
  try {
    const asked = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { accept: 'application/json' },
      signal: call.signal,
    })
    const { statusCode, headers, body } = await Promise.race([asked, aborted])
    const type = String(headers['content-type'] ?? '')
    if (statusCode !== 200 || !/^application\/([\w.-]+\+)?json\s*(;|$)/i.test(type)) {
      body.on('error', () => {}).destroy() // that it breaks off is what we want
      throw new Error(`answered ${statusCode} ${type}`)
    }
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of body) {
      length += chunk.length
      if (length > bytes) throw new Error(`longer than ${bytes} bytes`)
      chunks.push(chunk)
    }
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } finally {
    clearTimeout(timer)
  }
}
