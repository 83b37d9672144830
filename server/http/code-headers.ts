import type { RefusalName } from '../../contract/refusals/recognize.ts'

/** A name that stands in a header as it is. Keys of a caller's own, such as those of `values`, may not. */
const HEADER_SAFE = /^[\w.-]+$/

/** Headers that name a refusal: its code, and the field that it is about. */
export const codeHeaders = ({ code, field }: RefusalName): Record<string, string> => ({
  'X-Error-Code': code,
  ...(field !== undefined && HEADER_SAFE.test(field) && { 'X-Error-Field': field }),
})
