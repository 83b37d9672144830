import { isUtf8 } from 'node:buffer'
import { refusal } from '../errors.ts'

const JSON_TYPE = /^(application\/([\w.+-]+\+)?json|text\/plain)\s*(;|$)/i
const FORM_TYPE = /^application\/x-www-form-urlencoded\s*(;|$)/i

/** The JSON of a call, which some senders put into a form's field `payload`. */
export function readPayload(raw: Buffer, contentType: string | undefined): unknown {
  if (!isUtf8(raw)) throw refusal('body_not_utf8')
  const text = raw.toString('utf8')
  if (contentType === undefined || JSON_TYPE.test(contentType)) return parse(text)
  if (!FORM_TYPE.test(contentType))
    throw refusal('content_type_unsupported', {
      types: 'application/json or application/x-www-form-urlencoded',
    })
  // `curl -d '{"text":"…"}'` declares a form, and sends JSON.
  if (text.trimStart().startsWith('{')) return parse(text)
  const payload = new URLSearchParams(text).get('payload')
  if (payload === null) throw refusal('incoming_payload_missing')
  return parse(payload)
}

function parse(text: string): unknown {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw refusal('malformed_json')
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw refusal('body_not_object')
  return body
}
