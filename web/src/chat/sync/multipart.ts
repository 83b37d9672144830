import type { Outgoing } from '../model.ts'

/**
 * The form of a message with files. Written by hand, since a request that is sent again with its key must be the same byte
 * for byte, and browsers choose another boundary each time. Files are referred to, not read.
 */
export function multipartOf({
  localId,
  topicId,
  parentId,
  alsoInTopic,
  text,
  files = [],
  waveform,
}: Outgoing): {
  body: Blob
  contentType: string
} {
  const boundary = `parley-${localId}`
  const meta = {
    topicId,
    ...(text !== '' && { caption: text }),
    ...(parentId !== undefined && { parentId }),
    ...(alsoInTopic && { alsoInTopic }),
    externalId: localId,
    ...(waveform && { waveform }),
  }
  const parts: (string | Blob)[] = [
    `--${boundary}\r\nContent-Disposition: form-data; name="metaPart"\r\n`,
    `Content-Type: application/json\r\n\r\n${JSON.stringify(meta)}\r\n`,
  ]
  for (const { name, type, blob = new Blob() } of files) {
    parts.push(
      `--${boundary}\r\nContent-Disposition: form-data; name="filePart"; filename="${quoted(name)}"\r\n`,
      `Content-Type: ${/^[\w.+-]+\/[\w.+-]+$/.test(type) ? type : 'application/octet-stream'}\r\n\r\n`,
      blob,
      '\r\n',
    )
  }
  parts.push(`--${boundary}--\r\n`)
  return { body: new Blob(parts), contentType: `multipart/form-data; boundary=${boundary}` }
}

/** Escapes a file name like browsers do in a form. */
const quoted = (name: string): string =>
  name.replace(/["\r\n]/g, (character) => ({ '"': '%22', '\r': '%0D', '\n': '%0A' })[character] ?? '')
