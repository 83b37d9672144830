import { readFile } from 'node:fs/promises'
import { getDocumentProxy } from 'unpdf'

/** Pages whose text is read. */
const MAX_PAGES = 500

/** The text of a PDF file, page by page. One that is protected by a password has none. */
export async function readPdf(path: string, limit: number): Promise<string> {
  const bytes = await readFile(path)
  const document = await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
    // No glyph is drawn, nothing is fetched, and no code is made from fonts.
    disableFontFace: true,
    isEvalSupported: false,
    stopAtErrors: false,
    useSystemFonts: false,
  })
  let text = ''
  for (let number = 1; number <= Math.min(document.numPages, MAX_PAGES) && text.length < limit; number++) {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    for (const item of items) if ('str' in item) text += item.hasEOL ? `${item.str}\n` : item.str
    text += '\n'
    page.cleanup()
  }
  return text
}
