import type { RefusalCode } from '../../../contract/refusals/index.ts'
import type { Sniffed } from '../kinds.ts'
import type { MediaFacts } from '../media.ts'
import type { PageFacts } from './page.ts'

/** Pictures that are made of others: covers of topics, logos, emoji, and what previews of links show. */
export type PictureKind = 'cover' | 'logo' | 'emoji' | 'preview'

/** A task for the image process that ends in a picture. Paths are of this machine; the result is written to `target`. */
export type ImageTask =
  | { kind: 'check'; path: string }
  | { kind: 'remake'; path: string; target: string; thumbnail: string; compress: boolean }
  | { kind: PictureKind; path: string; target: string }

/** Everything that the image process does: each task reads one file of a stranger. */
export type FileTask =
  | ImageTask
  /** Reads the head of a page of the web, which was answered with this content type. */
  | { kind: 'page'; path: string; contentType: string }
  /** Finds out the content type of any file. */
  | { kind: 'sniff'; path: string }
  /** Finds out the length and the size of a sound or a film. */
  | { kind: 'media'; path: string; sniffed: Sniffed }
  /** Reads the text inside a file of this type, up to `limit` characters. */
  | { kind: 'text'; path: string; contentType: string; limit: number }

export type Picture = { contentType: string; width: number; height: number }

/** The result of a task. A page that states nothing about itself has no facts. */
export type Made =
  | { picture: Picture }
  | { page: PageFacts | null }
  | { sniffed: Sniffed }
  | { media: MediaFacts }
  | { text: string }

/** How a task ended: with what it made, with a refusal in words for the caller, or with an error for the log. */
export type ImageReport = Made | { refused: RefusalCode } | { failed: string }
