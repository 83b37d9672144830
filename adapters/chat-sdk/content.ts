import { createHash } from 'node:crypto'
import {
  type AdapterPostableMessage,
  type Attachment,
  convertEmojiPlaceholders,
  type FileUpload,
  isCardElement,
  stringifyMarkdown,
} from 'chat'
import type { FileInput } from '../../sdk/index.ts'
import { type Actions, renderCard } from './cards.ts'

export type Content = { text: string; actions?: Actions; files: FileInput[] }

/** Turns a message of the Chat SDK into what Parley takes: Markdown, buttons and files. */
export async function contentOf(message: AdapterPostableMessage): Promise<Content> {
  const { text, actions } = writtenIn(message)
  return {
    text: convertEmojiPlaceholders(text, 'discord'),
    ...(actions && { actions }),
    files: await filesIn(message),
  }
}

function writtenIn(message: AdapterPostableMessage): { text: string; actions?: Actions } {
  if (typeof message === 'string') return { text: message }
  if (isCardElement(message)) return renderCard(message)
  if ('card' in message) return renderCard(message.card)
  if ('raw' in message) return { text: message.raw }
  if ('markdown' in message) return { text: message.markdown }
  return { text: markdownOf(message.ast) }
}

/** Markdown of a tree, in which mentions stay mentions. */
export const markdownOf = (ast: Parameters<typeof stringifyMarkdown>[0]): string =>
  stringifyMarkdown(ast).replaceAll('\\<@', '<@').trimEnd()

async function filesIn(message: AdapterPostableMessage): Promise<FileInput[]> {
  const { files = [], attachments = [] } = Object(message) as {
    files?: FileUpload[]
    attachments?: Attachment[]
  }
  const uploads = files.map(({ filename, data, mimeType }) => ({
    name: filename,
    content: new Blob([bytesOf(data)], { type: mimeType ?? '' }),
  }))
  const attached = attachments.map(async ({ name, type, data, fetchData }) => {
    const content = data ?? (await fetchData?.())
    return content === undefined ? [] : [{ name: name ?? type, content: new Blob([bytesOf(content)]) }]
  })
  return [...uploads, ...(await Promise.all(attached)).flat()]
}

const bytesOf = (data: Buffer | Blob | ArrayBuffer): Blob | Uint8Array<ArrayBuffer> =>
  data instanceof Blob ? data : new Uint8Array(data)

/** Equal for equal content in an equal place, also in another process. */
export async function digestOf(place: unknown, { text, actions, files }: Content): Promise<string> {
  const digest = createHash('sha256').update(JSON.stringify([place, text, actions]))
  for (const { name, content } of files) {
    digest.update(JSON.stringify(name))
    for await (const chunk of new Blob([content]).stream()) digest.update(chunk)
  }
  return digest.digest('hex')
}
