/** Pictures that are made of others: covers of topics, logos, emoji, and what previews of links show. */
export type PictureKind = 'cover' | 'logo' | 'emoji' | 'preview'

/** A task for the image process. Paths are of this machine; the result is written to `target`. */
export type ImageTask =
  | { kind: 'check'; path: string }
  | { kind: 'remake'; path: string; target: string; thumbnail: string; compress: boolean }
  | { kind: PictureKind; path: string; target: string }

export type Picture = { contentType: string; width: number; height: number }

/** How a task ended: with a picture, with a refusal in words for the caller, or with an error for the log. */
export type ImageReport = { picture: Picture } | { refused: string } | { failed: string }
