import { type OutgoingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import { type Answer, parseJson } from './client.ts'
import { checkPromise } from './promised.ts'

export type WireRequest = {
  method: string
  /** Written into the request line unchanged: nothing is encoded or normalized. */
  target: string
  headers?: OutgoingHttpHeaders
  body?: string | Buffer
}

/** Sends exactly this request; `fetch` would rewrite its path and could not give a GET a body. */
export function send(url: string, { method, target, headers = {}, body }: WireRequest): Promise<Answer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) }
    const wire = { hostname, port, method, path: target, headers: { ...length, ...headers } }
    const outgoing = request(wire, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('error', reject)
      incoming.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const answer = {
          status: incoming.statusCode ?? 0,
          body: parseJson(text),
          text,
          headers: new Headers(pairs(incoming.rawHeaders)),
        }
        try {
          checkPromise(method, target, answer)
          resolve(answer)
        } catch (error) {
          reject(error)
        }
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

/** Sends bytes that need not be HTTP, and gives back whatever comes until the other side hangs up. */
export function sendBytes(url: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}

function pairs(raw: string[]): [string, string][] {
  return raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : []))
}
