import { randomBytes } from 'node:crypto'
import type { TestBot } from './cast.ts'
import { type Answer, call, type RequestOptions } from './client.ts'

export type FormFile = { content: Buffer | string; name?: string; type?: string; part?: string }

/** A form as a client would build it, byte by byte, so that it can be signed and broken on purpose. */
export function form(
  meta: unknown,
  files: readonly FormFile[],
  { metaPart = 'metaPart' }: { metaPart?: string } = {},
): { body: Buffer; contentType: string } {
  const boundary = `----parley${randomBytes(12).toString('hex')}`
  const pieces: Buffer[] = []
  const part = (header: string, content: Buffer | string) =>
    pieces.push(Buffer.from(`--${boundary}\r\n${header}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n'))
  if (meta !== undefined) {
    const json = typeof meta === 'string' ? meta : JSON.stringify(meta)
    part(`Content-Disposition: form-data; name="${metaPart}"`, json)
  }
  for (const { content, name, type, part: field = 'filePart' } of files) {
    const fileName = name === undefined ? '' : `; filename="${name.replaceAll('"', '%22')}"`
    const contentType = type === undefined ? '' : `\r\nContent-Type: ${type}`
    part(`Content-Disposition: form-data; name="${field}"${fileName}${contentType}`, content)
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  return { body: Buffer.concat(pieces), contentType: `multipart/form-data; boundary=${boundary}` }
}

export function upload(
  bot: TestBot,
  path: string,
  meta: unknown,
  files: readonly FormFile[],
  options: RequestOptions & { metaPart?: string } = {},
): Promise<Answer> {
  const { body, contentType } = form(meta, files, options)
  return call(bot.url, bot.credentials, 'POST', path, {
    ...options,
    body,
    headers: { 'content-type': contentType, ...options.headers },
  })
}
