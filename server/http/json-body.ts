import { isUtf8 } from 'node:buffer'
import { refusal } from '../errors.ts'

const JSON_TYPE = /^application\/(json|[\w.+-]+\+json)\s*(;|$)/i
/** An escaped NUL or half of a surrogate pair: only such texts are walked through. */
const SUSPICIOUS = /\\u(0000|d[89a-f])/i

/** The body as an object; none at all counts as `{}`. Text is kept as sent, so what cannot be kept is refused. */
export function parseJsonBody(raw: Buffer, contentType: string | undefined): unknown {
  if (raw.length === 0) return {}
  if (contentType !== undefined && !JSON_TYPE.test(contentType)) {
    throw refusal('content_type_unsupported', { types: 'application/json' })
  }
  if (!isUtf8(raw)) throw refusal('body_not_utf8')
  const text = raw.toString('utf8')
  const body = parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal('body_not_object')
  if (SUSPICIOUS.test(text)) refuseBrokenText(body)
  return body
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refusal('malformed_json')
  }
}

/** Text that cannot be kept as it was sent: the database holds no NUL, and UTF-8 no half of a pair. */
export function refuseBrokenText(body: unknown): void {
  const open: unknown[] = [body]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw refusal('characters_not_allowed')
    }
    if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) open.push(name, inner ?? 0)
    }
  }
}
