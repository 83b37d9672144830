import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Agent } from 'undici'

/** Bounds of a fetched page: pages that need more time or bytes get no preview. */
const PAGE = { bytes: 512 * 1024, ms: 5000 }
const PICTURE = { bytes: 5 * 1024 * 1024, ms: 5000 }
const MAX_REDIRECTS = 3
const AGENT_NAME = 'ParleyBot/1.0 (link preview)'

type Bounds = { ms: number; signal: AbortSignal }
type Found = { url: URL; contentType: string; body: Readable }

/** The answer has no preview. */
export class NoPreview extends Error {
  override name = 'NoPreview'
}

/**
 * Requests an address, and follows its redirects. Each step is a connection of the guarded agent, which refuses
 * addresses outside the public internet; no cookies and no sender are sent along.
 */
async function ask<Result>(
  agent: Agent,
  address: string,
  accept: string,
  { ms, signal }: Bounds,
  use: (found: Found) => Promise<Result>,
): Promise<Result> {
  const call = new AbortController()
  const timer = setTimeout(() => call.abort(new NoPreview(`no complete answer within ${ms} ms`)), ms)
  const give = () => call.abort(signal.reason)
  signal.addEventListener('abort', give, { once: true })
  const aborted = new Promise<never>((_resolve, reject) => {
    call.signal.addEventListener('abort', () => reject(call.signal.reason), { once: true })
  })
  aborted.catch(() => {}) // heard of below, or not at all
  try {
    return await Promise.race([follow(agent, new URL(address), accept, call.signal, use), aborted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', give)
    call.abort() // the unread rest of an answer
  }
}

async function follow<Result>(
  agent: Agent,
  first: URL,
  accept: string,
  signal: AbortSignal,
  use: (found: Found) => Promise<Result>,
): Promise<Result> {
  let url = first
  for (let step = 0; ; step++) {
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      // Asks for uncompressed bytes: compressed ones could unpack to any size.
      headers: { accept, 'accept-encoding': 'identity', 'user-agent': AGENT_NAME },
      signal,
    })
    body.on('error', () => {}) // a broken body is reported where it is read
    const location = headers.location
    if (statusCode >= 300 && statusCode < 400 && typeof location === 'string') {
      body.destroy()
      if (step === MAX_REDIRECTS) throw new NoPreview('too many redirects')
      url = nextOf(url, location)
      continue
    }
    const contentType = String(headers['content-type'] ?? '').toLowerCase()
    if (statusCode !== 200) throw new NoPreview(`answered ${statusCode}`)
    if (!/^(identity)?$/i.test(String(headers['content-encoding'] ?? ''))) throw new NoPreview('packed')
    return use({ url, contentType, body })
  }
}

function nextOf(url: URL, location: string): URL {
  const next = URL.canParse(location, url.href) ? new URL(location, url.href) : undefined
  if (!next || !/^https?:$/.test(next.protocol) || next.username !== '' || next.password !== '')
    throw new NoPreview('leads to no address of the web')
  return next
}

/** Writes the beginning of a page, which has its metadata, into a file. */
export const fetchPage = (agent: Agent, address: string, path: string, signal: AbortSignal) =>
  ask(
    agent,
    address,
    'text/html,application/xhtml+xml',
    { ms: PAGE.ms, signal },
    async ({ url, contentType, body }) => {
      if (!/^(text\/html|application\/xhtml\+xml)\s*(;|$)/.test(contentType))
        throw new NoPreview(`is ${contentType}`)
      await pipeline(
        body,
        async function* beginning(chunks: AsyncIterable<Buffer>) {
          let left = PAGE.bytes
          for await (const chunk of chunks) {
            yield chunk.subarray(0, left)
            left -= chunk.length
            if (left <= 0) return
          }
        },
        createWriteStream(path),
      )
      return { url, contentType }
    },
  )

/** Writes a picture into a file. The image process detects its kind. */
export const fetchPicture = (agent: Agent, address: string, path: string, signal: AbortSignal) =>
  ask(agent, address, 'image/*', { ms: PICTURE.ms, signal }, async ({ contentType, body }) => {
    if (!contentType.startsWith('image/')) throw new NoPreview(`is ${contentType}`)
    let length = 0
    await pipeline(
      body,
      async function* bounded(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          length += chunk.length
          if (length > PICTURE.bytes) throw new NoPreview('picture too large')
          yield chunk
        }
      },
      createWriteStream(path),
    )
  })
