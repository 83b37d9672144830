import type { PageFacts } from './page.ts'

/** Pictures that are made of others: covers of topics, logos, emoji, and what previews of links show. */
export type PictureKind = 'cover' | 'logo' | 'emoji' | 'preview'

/** A task for the image process. Paths are of this machine; the result is written to `target`. */
export type ImageTask =
  | { kind: 'check'; path: string }
  | { kind: 'remake'; path: string; target: string; thumbnail: string; compress: boolean }
  | { kind: PictureKind; path: string; target: string }

/** Another task of the same process: to read the head of a page of the web, which was answered with this content type. */
export type PageTask = { kind: 'page'; path: string; contentType: string }

export type Picture = { contentType: string; width: number; height: number }

/** The result of a task. A page that states nothing about itself has no facts. */
export type Made = { picture: Picture } | { page: PageFacts | null }

/** How a task ended: with what it made, with a refusal in words for the caller, or with an error for the log. */
export type ImageReport = Made | { refused: string } | { failed: string }
