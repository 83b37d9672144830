import { createHash } from 'node:crypto'

/** The checksum of a text file of ours. A checkout on another system may have other line ends. */
export const checksumOf = (text: string): string =>
  createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
