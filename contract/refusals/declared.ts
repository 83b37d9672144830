export type RefusalStatus = 400 | 401 | 403 | 404 | 409 | 429 | 500 | 503

/** A refusal: its status, its text with `{placeholders}`, and the field that it is about, where that is always the same. */
export type Declared = readonly [status: RefusalStatus, text: string, field?: string]
