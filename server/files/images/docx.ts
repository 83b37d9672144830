import { Parser } from 'htmlparser2'
import yauzl from 'yauzl'

/** Parts of a document with text that people read, in this order. */
const PARTS = /^word\/(document|footnotes|endnotes|comments|header\d{0,3}|footer\d{0,3})\.xml$/
/** Entries of the archive that are looked at. */
const MAX_ENTRIES = 2000
/** Bytes of all parts together once they are unpacked: a small archive may hold gigabytes. */
const MAX_XML_BYTES = 64 * 1024 * 1024

/** The text of a Word document: `document.xml` in a ZIP archive. */
export async function readDocx(path: string, limit: number): Promise<string> {
  const zip = await yauzl.openPromise(path, { autoClose: false })
  try {
    const parts: yauzl.Entry[] = []
    let entries = 0
    for await (const entry of zip.eachEntry()) {
      if (++entries > MAX_ENTRIES) break
      if (PARTS.test(entry.fileName)) parts.push(entry)
    }
    parts.sort((one, other) => rankOf(one) - rankOf(other))
    const reader = new XmlText(limit)
    let left = MAX_XML_BYTES
    for (const part of parts) {
      const stream = await zip.openReadStreamPromise(part)
      stream.setEncoding('utf8')
      for await (const piece of stream) {
        reader.take(String(piece))
        left -= String(piece).length
        if (reader.isFull || left <= 0) return reader.text
      }
      reader.endPart()
    }
    return reader.text
  } finally {
    zip.close()
  }
}

const rankOf = ({ fileName }: yauzl.Entry): number => (fileName === 'word/document.xml' ? 0 : 1)

/** Elements that end a line, and those that stand for a space. */
const LINES = new Set(['w:p', 'w:tr', 'w:br'])
const SPACES = new Set(['w:tab', 'w:tc'])

/** Collects what stands in `w:t` elements, the text runs of a document. */
class XmlText {
  text = ''
  #limit: number
  #inRun = false
  #parser: Parser

  constructor(limit: number) {
    this.#limit = limit
    this.#parser = this.#newParser()
  }

  get isFull(): boolean {
    return this.text.length >= this.#limit
  }

  take(xml: string): void {
    this.#parser.write(xml)
  }

  endPart(): void {
    this.#parser.end()
    this.#parser = this.#newParser()
    this.text += '\n'
  }

  #newParser(): Parser {
    return new Parser(
      {
        onopentagname: (name) => {
          this.#inRun = name === 'w:t'
        },
        onclosetag: (name) => {
          this.#inRun = false
          if (LINES.has(name)) this.text += '\n'
          else if (SPACES.has(name)) this.text += ' '
        },
        ontext: (text) => {
          if (this.#inRun && !this.isFull) this.text += text
        },
      },
      { xmlMode: true },
    )
  }
}
