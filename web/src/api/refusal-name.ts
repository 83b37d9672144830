import type { RefusalCode } from '../../../contract/refusals/index.ts'

/** How the server names a refusal: its code, empty where something in between said no, and the field that it is about. */
export type RefusalName = { code: RefusalCode | ''; field?: string | undefined }

export const refusalName = (headers: { get(name: string): string | null }): RefusalName => ({
  code: (headers.get('X-Error-Code') ?? '') as RefusalName['code'], // as the contract promises, which the server's tests hold it to
  field: headers.get('X-Error-Field') ?? undefined,
})
