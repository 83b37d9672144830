import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../errors.ts'

/** The folder of mails on a server without SMTP: one file each, which every mail program can open. */
export const outboxFolder = (dataDir: string): string => join(dataDir, 'outbox')

const ENDING = '.eml'
const MAX_SHOWN = 100

/** Under a temporary name first: a file is there whole or not at all. Written again after a crash, it is the same file. */
export async function putIntoOutbox(
  folder: string,
  { id, createdAt }: { id: string; createdAt: number },
  bytes: Buffer,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `${new Date(createdAt).toISOString().replaceAll(':', '-')}-${id}${ENDING}`)
  const draft = `${path}.${process.pid}`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

export type OutboxMail = { to: string; subject: string; date: string; text: string }

/** The newest mails first: their names begin with their time. */
export async function readOutbox(folder: string): Promise<{ mails: OutboxMail[]; total: number }> {
  const names = (await namesIn(folder)).filter((name) => name.endsWith(ENDING)).sort()
  const newest = names.slice(-MAX_SHOWN).reverse()
  const texts = await Promise.all(newest.map((name) => readFile(join(folder, name), 'utf8')))
  return { mails: texts.map(readMail), total: names.length }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}

/** Reads what we wrote ourselves, which is one plain text; not any mail there is. */
function readMail(source: string): OutboxMail {
  const end = source.indexOf('\n\n')
  const lines = source
    .slice(0, end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
  const header = (name: string) => {
    const line = lines.find((candidate) => candidate.toLowerCase().startsWith(`${name}:`)) ?? ''
    return line.slice(name.length + 1).trim()
  }
  const body = source.slice(end + 2)
  // Short lines of ASCII are not encoded.
  const isEncoded = header('content-transfer-encoding') === 'quoted-printable'
  return {
    to: decodeWords(header('to')),
    subject: decodeWords(header('subject')),
    date: header('date'),
    text: isEncoded ? decodeQuotedPrintable(body.replace(/=\n/g, '')) : body,
  }
}

const ENCODED_WORD = /=\?utf-8\?([bq])\?([^?]*)\?=/gi

/** `=?UTF-8?Q?Caf=C3=A9?=`: headers outside of ASCII. The space between two such words is not part of the text. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(ENCODED_WORD, (_word, encoding: string, content: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(content, 'base64').toString()
        : decodeQuotedPrintable(content.replaceAll('_', ' ')),
    )
}

function decodeQuotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_match, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString()
}
