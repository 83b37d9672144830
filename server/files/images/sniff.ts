import { fileTypeFromFile } from 'file-type'
import { kindOf, type Sniffed, UNKNOWN } from '../kinds.ts'

/** Found out from the content alone: names and declared types are often wrong, and decide nothing. */
export async function sniff(path: string): Promise<Sniffed> {
  const found = await fileTypeFromFile(path)
  const contentType = found?.mime.split(';')[0]
  return contentType === undefined ? UNKNOWN : { contentType, kind: kindOf(contentType) }
}
