import { textOf } from '../../contract/refusals/index.ts'
import { Refusal } from '../errors.ts'
import { cleanName } from '../files/form.ts'
import type { StoredAttachment } from '../queries/messages/messages.ts'
import type { ImportFiles } from './files.ts'
import type { ImportedFile, Skipped } from './source.ts'

/** Files that wait for their messages to be written: what a crash leaves behind is bounded. */
const FILES_AT_ONCE = 20

type Taken = {
  /** Empty in a dry run. */
  attachments: StoredAttachment[]
  count: number
  /** Markdown for files that are left out. */
  lines: string[]
}

export type FileOptions = {
  maxFileBytes: number
  /** Missing in a dry run, which judges files by the export's own facts. */
  files?: ImportFiles | undefined
  /** Bytes that the organization may still store, for a dry run; undefined means no limit. */
  bytesLeft?: number | undefined
}

/** Moves files of imported messages from the export into the store. */
export class MessageFiles {
  readonly counts = { added: 0, alreadyThere: 0 }
  readonly #options: FileOptions
  readonly #skipped: Skipped
  #waiting: StoredAttachment[] = []
  #foreseenBytes = 0

  constructor(options: FileOptions, skipped: Skipped) {
    this.#options = options
    this.#skipped = skipped
  }

  get isFull(): boolean {
    return this.#waiting.length >= FILES_AT_ONCE
  }

  /** Stores the files of a message. A refused file is reported, and leaves a line in the text. */
  async take(files: readonly ImportedFile[], maximum: number, place: string): Promise<Taken> {
    const taken: Taken = { attachments: [], count: 0, lines: [] }
    for (const file of files) {
      const reason = taken.count === maximum ? TOO_MANY : await this.#store(file, taken)
      if (reason === undefined) taken.count += 1
      else {
        taken.lines.push(file.line)
        this.#skipped.add(reason, nameOf(file, place))
      }
    }
    return taken
  }

  /** Stores a file, or returns why not. */
  async #store({ name, content }: ImportedFile, { attachments }: Taken): Promise<string | undefined> {
    if (typeof content === 'string') return content
    const { maxFileBytes, files } = this.#options
    const size = await content.size()
    if (size > maxFileBytes) return refused('file too large')
    if (size === 0) return refused('file is empty')
    if (!files) return this.#foresee(size)
    try {
      const stored = await files.storeFile({ name, open: content.open })
      attachments.push(stored)
      this.#waiting.push(stored)
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return refused(error.message)
    }
  }

  /** Counts a file of a dry run that would be stored, as large as the export says, or says why it would not. */
  #foresee(size: number): string | undefined {
    const { bytesLeft = Number.POSITIVE_INFINITY } = this.#options
    if (this.#foreseenBytes + size > bytesLeft) return refused(textOf('storage_quota_exceeded'))
    this.#foreseenBytes += size
    this.counts.added += 1
    return undefined
  }

  /** Counts files of a message that exists with `there` files. */
  pass(files: readonly ImportedFile[], there: number, place: string): void {
    this.counts.alreadyThere += there
    for (const file of files.filter(isThere).slice(there)) this.#skipped.add(TOO_LATE, nameOf(file, place))
  }

  /** Runs what writes the messages of the files that wait, and tells which it kept. The others are removed. */
  async during(write: () => Promise<number>): Promise<void> {
    const waiting = this.#waiting
    this.#waiting = []
    try {
      this.counts.added += await write()
    } finally {
      await this.#options.files?.discardFiles(waiting)
    }
  }
}

const nameOf = ({ name }: ImportedFile, place: string): string => `${place}, ${cleanName(name) ?? 'File'}`

/** Whether the export has its bytes. */
export const isThere = ({ content }: ImportedFile): boolean => typeof content !== 'string'

const TOO_LATE = 'files of messages that are here already without them'
const TOO_MANY = 'files that are more than a message can have'
const refused = (message: string): string => `files that are refused: ${message}`
