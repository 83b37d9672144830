import type { Answer } from './client.ts'
import { parseJson } from './client.ts'
import { checkPromise } from './promised.ts'

export type Sent = { headers?: Record<string, string>; contentType?: string }

/** Posts to an address as another program would; an object goes as JSON, anything else as it is. */
export async function postTo(
  url: string,
  body: unknown,
  { headers = {}, contentType = 'application/json' }: Sent = {},
): Promise<Answer> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...(contentType !== '' && { 'content-type': contentType }), ...headers },
    body: raw,
  })
  const text = await response.text()
  const answer = { status: response.status, body: parseJson(text), text, headers: response.headers }
  checkPromise('POST', new URL(url).pathname, answer)
  return answer
}
