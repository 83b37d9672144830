/** How a file is downloaded. */
export type Download = {
  contentType: string
  /** The whole header, such as `attachment; filename="plan.pdf"`. */
  disposition: string
  seconds: number
}

/**
 * The store of files' bytes, by key (letters, digits, `-`, `_` and `.`). It knows nothing of messages or links;
 * which keys there should be is for the database to say.
 */
export type Storage = {
  /**
   * Takes over a finished local file, which is gone from `path` afterwards. When this returns, the file is kept whatever
   * crashes; until then whatever had this key before is kept. An older file of this key is replaced as a whole.
   */
  put(key: string, path: string, contentType: string): Promise<void>
  /** Lends the file as a local one for as long as `work` takes; it must not be changed. */
  lend<Result>(key: string, work: (path: string) => Promise<Result>): Promise<Result>
  /** The place to read it from: a local file that may be served as it is, or an address that answers for `seconds`. */
  locate(key: string, download: Download): Promise<{ path: string } | { url: string }>
  /** The origin from which browsers read files besides this server, as the policy of a page names it. */
  pageSource(): Promise<string | undefined>
  /** Removes the file; a missing one is no error. */
  remove(key: string): Promise<void>
  /** Throws a text for the operator if files cannot be stored now. */
  check(): Promise<void>
  close(): void
}

/** The key does not exist. */
export class NoSuchFile extends Error {
  override name = 'NoSuchFile'
}
