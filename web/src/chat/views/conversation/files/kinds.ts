import type { Attachment } from '../../../../../../contract/message.ts'

const PLAYED = /^(image\/(jpeg|png|gif|webp|avif)|(audio|video)\/.+)$/
const TEXT_NAMES =
  /\.(txt|md|markdown|csv|tsv|log|json|jsonl|xml|ya?ml|toml|ini|conf|env|sh|sql|diff|patch|html?|css|svg|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|php|lua|pl|r|tex|srt|vtt|ics|vcf)$/i

/** The server could not process a file whose content type names a medium while its type is a plain file. */
export const isUnprocessed = ({ type, contentType }: Attachment): boolean =>
  type === 'file' && PLAYED.test(contentType)

/** How a document can be looked at in place. By its name only whether it is tried as text; it is never more than text then. */
export function previewOf({ type, contentType, name = '' }: Attachment): 'pdf' | 'text' | undefined {
  if (type !== 'file') return undefined
  if (contentType === 'application/pdf') return 'pdf'
  return contentType.startsWith('text/') || TEXT_NAMES.test(name) ? 'text' : undefined
}

/** Whether a text is tried as a table. */
export const isDelimited = ({ contentType, name = '' }: Attachment): boolean =>
  /^text\/(csv|tab-separated-values)\b/.test(contentType) || /\.(csv|tsv)$/i.test(name)

/** The language that a file's name tells, as code blocks name theirs; the highlighter knows which there are. */
export const languageOf = ({ name = '' }: Attachment): string =>
  /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
