/** A key becomes the name of a file: without a dot in front, it can be neither `..` nor a file that is hidden. */
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9_.-]*$/

/** Keys are made by this program, never by a caller, so another one is a mistake in the program. */
export function checkKey(key: string): void {
  if (!KEY.test(key)) throw new Error(`not a key of a stored file: ${JSON.stringify(key)}`)
}
