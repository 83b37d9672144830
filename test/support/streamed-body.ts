import { request } from 'node:http'
import { type Answer, parseJson } from './client.ts'
import { checkPromise } from './promised.ts'

/** A request whose body is written piece by piece. */
export type StreamedBody = {
  write(piece: string | Buffer): void
  end(piece?: string | Buffer): Promise<Answer>
  /** The answer, which may come before the end. */
  answer: Promise<Answer>
  /** Disconnects without a word. */
  cut(): void
}

export function openBody(
  who: { url: string; credentials: { token: string } },
  path: string,
  headers: Record<string, string> = {},
): StreamedBody {
  const sent = request(who.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${who.credentials.token}`,
      'content-type': 'text/plain; charset=utf-8',
      ...headers,
    },
  })
  const answer = new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (piece: string) => {
        text += piece
      })
      response.on('end', () => {
        const known = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ])
        resolve({
          status: response.statusCode ?? 0,
          body: parseJson(text),
          text,
          headers: new Headers(known),
        })
      })
    })
  })
  const checked = answer.then((given) => {
    checkPromise('POST', path, given)
    return given
  })
  checked.catch(() => {}) // a cut request's answer is not awaited
  sent.flushHeaders()
  return {
    write: (piece) => void sent.write(piece),
    end: (piece = '') => {
      sent.end(piece)
      return checked
    },
    answer: checked,
    cut: () => void sent.destroy(),
  }
}
