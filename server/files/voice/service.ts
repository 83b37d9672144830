import { openAsBlob } from 'node:fs'
import { extname } from 'node:path'
import { Agent, FormData, fetch } from 'undici'
import type { Config } from '../../config.ts'
import { ANSWER_BYTES } from './limits.ts'

type Settings = Config['transcription']
/** A local file, and what its bytes said that it is. */
export type Sound = { path: string; contentType: string }

/** Engines are silent for minutes on long audio; the caller's signal is the limit. */
const PATIENT = new Agent({ headersTimeout: 0, bodyTimeout: 0 })

/** Asks an OpenAI-compatible `/v1/audio/transcriptions`. Failures tell the status only: an answer may quote the key. */
export async function askService(
  url: URL,
  settings: Settings,
  sound: Sound,
  signal: AbortSignal,
): Promise<string> {
  const answer = await fetch(url.origin + url.pathname + url.search, {
    method: 'POST',
    headers: { accept: 'application/json', ...authorization(url, settings) },
    body: await formOf(settings, sound),
    // A redirect would carry the sound to an address that the operator did not name.
    redirect: 'manual',
    signal,
    dispatcher: PATIENT,
  }).catch((error: unknown) => {
    // `fetch` itself only says that it failed.
    throw error instanceof TypeError && error.cause instanceof Error ? error.cause : error
  })
  if (!answer.ok) {
    await answer.body?.cancel()
    throw new Error(`${url.host} answered with status ${answer.status}`)
  }
  return textIn(await readAnswer(url, answer.body ?? []), url)
}

/** The file is read from the disk while it is sent. Its name is not told, only the ending, by which services judge. */
async function formOf({ model, language }: Settings, sound: Sound): Promise<FormData> {
  const form = new FormData()
  form.set('model', model)
  if (language !== undefined) form.set('language', language)
  form.set('response_format', 'json')
  form.set('file', await openAsBlob(sound.path), `voice${endingOf(sound)}`)
  return form
}

/** Endings by which services know a sound. */
const ENDINGS: Readonly<Record<string, string>> = {
  'audio/aac': '.aac',
  'audio/amr': '.amr',
  'audio/flac': '.flac',
  'audio/mp4': '.m4a',
  'audio/mpeg': '.mp3',
  'audio/ogg': '.ogg',
  'audio/wav': '.wav',
  'audio/webm': '.webm',
  'audio/x-m4a': '.m4a',
}

/** Stored files have no ending of their own; those that ffmpeg made have. */
const endingOf = ({ path, contentType }: Sound): string => extname(path) || (ENDINGS[contentType] ?? '')

function authorization(url: URL, { apiKey }: Settings): Record<string, string> {
  if (apiKey !== undefined) return { authorization: `Bearer ${apiKey}` }
  if (!url.username && !url.password) return {}
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }
}

async function readAnswer(url: URL, body: AsyncIterable<Uint8Array> | Uint8Array[]): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of body) {
    length += chunk.length
    if (length > ANSWER_BYTES) throw new Error(`${url.host} answered with more than ${ANSWER_BYTES} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

function textIn(answer: string, url: URL): string {
  const parsed = parse(answer)
  if (parsed === undefined) throw new Error(`${url.host} answered with something else than JSON`)
  if (typeof parsed === 'object' && parsed !== null && 'text' in parsed && typeof parsed.text === 'string') {
    return parsed.text
  }
  throw new Error(`${url.host} answered without a "text"`)
}

function parse(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}
