import { open } from 'node:fs/promises'
import { readDocx } from './docx.ts'
import { readPdf } from './pdf.ts'

/** Bytes at the beginning of a plain file that are read. */
const MAX_PLAIN_BYTES = 2 * 1024 * 1024
/** Bytes that tell whether it is text at all. */
const SAMPLE_BYTES = 8192
/** Files that are no text have more control characters than this, among a thousand. */
const MAX_CONTROLS = 5

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'

/** The text inside a file, up to a number of characters; empty where it has none, or is none of the kinds that are read. */
export async function readText(path: string, contentType: string, limit: number): Promise<string> {
  const text =
    contentType === 'application/pdf'
      ? await readPdf(path, limit)
      : contentType === DOCX
        ? await readDocx(path, limit)
        : await readPlain(path)
  return tidy(text).slice(0, limit)
}

/** Makes text fit for PostgreSQL, and shortens runs of spaces. */
const tidy = (text: string): string =>
  text
    .replaceAll('\0', ' ')
    .toWellFormed()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** Notes, Markdown, code, CSV: anything that is text, whatever it is called. */
async function readPlain(path: string): Promise<string> {
  const file = await open(path)
  try {
    const bytes = Buffer.alloc(MAX_PLAIN_BYTES)
    const { bytesRead } = await file.read(bytes, 0, MAX_PLAIN_BYTES, 0)
    return decode(bytes.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}

/** UTF-8 and UTF-16; what is neither, but has no control characters, is Windows-1252, as old spreadsheets write it. */
function decode(bytes: Buffer): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const controls = sample.reduce((sum, byte) => sum + (isControl(byte) ? 1 : 0), 0)
  if (sample.includes(0) || controls * 1000 > sample.length * MAX_CONTROLS) return ''
  try {
    // A character may be cut off at the end: `stream` waits for the rest of it.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** Control characters, apart from tabs, line breaks and page breaks. */
const isControl = (byte: number): boolean => (byte < 0x20 && (byte < 0x09 || byte > 0x0d)) || byte === 0x7f
