import { useEffect, useMemo, useState } from 'react'
import type { Attachment, Message } from '../../../../../../contract/message.ts'
import { useBytes } from '../../../../kit/number.ts'
import { Delayed } from '../../../../kit/skeleton.tsx'
import { fileTexts } from '../../../../texts/chat-files.ts'
import { useTexts } from '../../../../texts/texts.ts'
import { ColouredCode } from '../markdown/coloured.tsx'
import { readDelimited } from './delimited.ts'
import { DelimitedTable } from './delimited-table.tsx'
import styles from './document.module.css'
import { isDelimited, languageOf, previewOf } from './kinds.ts'
import { useLink } from './links.ts'
import viewer from './viewer.module.css'

/** Bytes of a text that are shown. */
const TEXT_BYTES = 65_536
/** A PDF is read as a whole before it is shown. */
const MAX_PDF_BYTES = 52_428_800

type Preview = { kind: 'text'; text: string; isCut: boolean } | { kind: 'pdf'; source: string }
type Failure = 'noPreview' | 'notText' | 'noPdfViewer'

/** Shows a document that browsers can show: a PDF, a table, code in colours, any other text. */
export function Document({ message, attachment }: { message: Message; attachment: Attachment }) {
  const t = useTexts(fileTexts)
  const { link } = useLink(message, attachment)
  const [preview, setPreview] = useState<Preview>()
  const [failure, setFailure] = useState<Failure>()
  const kind = previewOf(attachment)
  const { size, name } = attachment
  useEffect(() => {
    const leaving = new AbortController()
    let source: string | undefined
    const load = kind === 'pdf' ? loadPdf(link, size, leaving.signal) : loadText(link, size, leaving.signal)
    load.then(
      (loaded) => {
        if (loaded.kind === 'pdf') source = loaded.source
        if (leaving.signal.aborted && source !== undefined) URL.revokeObjectURL(source)
        else setPreview(loaded)
      },
      (error: unknown) =>
        !leaving.signal.aborted && setFailure(error instanceof NoPreview ? error.reason : 'noPreview'),
    )
    return () => {
      leaving.abort()
      if (source !== undefined) URL.revokeObjectURL(source)
    }
  }, [link, kind, size])
  if (failure) return <p className={viewer.note}>{t[failure]}</p>
  if (!preview)
    return (
      <Delayed>
        <p className={viewer.note}>{t.loading}</p>
      </Delayed>
    )
  if (preview.kind === 'pdf')
    return <iframe className={styles.document} src={preview.source} title={name ?? 'PDF'} />
  return <Text text={preview.text} isCut={preview.isCut} attachment={attachment} />
}

function Text({ text, isCut, attachment }: { text: string; isCut: boolean; attachment: Attachment }) {
  const t = useTexts(fileTexts)
  const bytes = useBytes()
  const isTable = isDelimited(attachment)
  const table = useMemo(() => (isTable ? readDelimited(text, isCut) : undefined), [isTable, text, isCut])
  return (
    // Focusable, so that the keyboard can scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={styles.document} tabIndex={0} aria-label={attachment.name}>
      {table ? (
        <DelimitedTable {...table} />
      ) : (
        <pre dir="auto">
          <ColouredCode text={text} language={languageOf(attachment)} />
        </pre>
      )}
      {table?.isCut && <p className={styles.rest}>{t.partOfTable}</p>}
      {!table && isCut && <p className={styles.rest}>{t.beginning(bytes(TEXT_BYTES))}</p>}
    </section>
  )
}

class NoPreview extends Error {
  readonly reason: Failure
  constructor(reason: Failure) {
    super(reason)
    this.reason = reason
  }
}

/** Any file is shown as text and nothing else, whatever its name: HTML and SVG appear as their source. */
async function loadText(link: string, size: number, signal: AbortSignal): Promise<Preview> {
  const response = await fetch(link, { signal, headers: { Range: `bytes=0-${TEXT_BYTES - 1}` } })
  if (!response.ok) throw new NoPreview('noPreview')
  const content = new Uint8Array(await response.arrayBuffer()).subarray(0, TEXT_BYTES)
  const isCut = size > TEXT_BYTES
  if (content.includes(0)) throw new NoPreview('notText')
  try {
    // A character at the cut may be there in part.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(content, { stream: isCut })
    return { kind: 'text', text, isCut }
  } catch {
    throw new NoPreview('notText')
  }
}

/** Loads a file as a PDF, whatever type the server names, so that only the browser's PDF viewer opens it. */
async function loadPdf(link: string, size: number, signal: AbortSignal): Promise<Preview> {
  if (navigator.pdfViewerEnabled === false) throw new NoPreview('noPdfViewer')
  if (size > MAX_PDF_BYTES) throw new NoPreview('noPreview')
  const response = await fetch(link, { signal })
  if (!response.ok) throw new NoPreview('noPreview')
  const content = new Blob([await response.arrayBuffer()], { type: 'application/pdf' })
  return { kind: 'pdf', source: URL.createObjectURL(content) }
}
