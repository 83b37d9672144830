/*
 * Forms with files. A form is a Blob of Blobs: nothing of a file is read before it is needed, and it can be read any number of
 * times, once to sign it and once for each try.
 */

/**
 * A file to send. A Blob is read as it is sent, so its size is no matter: `await openAsBlob(path)` of `node:fs` on Node and Deno, a
 * `File` in browsers. Bun reads it into memory before.
 */
export type FileInput = { name: string; content: Blob | Uint8Array<ArrayBuffer> | string }

export type Form = { content: Blob; contentType: string }

/** `boundary` must be the same for the same request: a form that is repeated with another one is another request. */
export async function formOf(meta: unknown, files: readonly FileInput[], boundary: string): Promise<Form> {
  const head = (disposition: string, type = '') =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type}\r\n`
  const partsOf = async ({ name, content }: FileInput) => [
    head(`name="filePart"; filename="${escaped(name)}"`),
    isLeftOut(content) ? await content.arrayBuffer() : content,
    '\r\n',
  ]
  const parts = (await Promise.all(files.map(partsOf))).flat()
  const metaPart = head('name="metaPart"', 'Content-Type: application/json\r\n') + JSON.stringify(meta)
  const content = new Blob([metaPart, '\r\n', ...parts, `--${boundary}--\r\n`])
  return { content, contentType: `multipart/form-data; boundary=${boundary}` }
}

/** Whether a Blob of Blobs leaves a file out without a word, as Bun's does with files on the disk. */
const isLeftOut = (content: FileInput['content']): content is Blob =>
  content instanceof Blob && new Blob(['-', content]).size !== content.size + 1

/** Escapes a file's name as browsers do. */
const escaped = (name: string): string =>
  name.replaceAll('"', '%22').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

/** The SHA-256 of a form, or with a secret its HMAC behind `prefix`, made bit by bit. Web Crypto wants all of it at once, so this needs `node:crypto`. */
export async function digestOf(form: Blob, signing?: { secret: string; prefix: string }): Promise<string> {
  const { createHash, createHmac } = await import('node:crypto').catch(() => {
    throw new Error('files are signed with node:crypto, which is not here: use clientId and clientSecret')
  })
  const digest = signing ? createHmac('sha256', signing.secret).update(signing.prefix) : createHash('sha256')
  for await (const chunk of form.stream()) digest.update(chunk)
  return digest.digest('hex')
}
