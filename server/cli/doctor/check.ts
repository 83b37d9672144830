/** One thing that was looked at; `fix` is there exactly when it is not all right. */
export type Check = { name: string; ok: boolean; detail: string; fix?: string }

export const fine = (name: string, detail: string): Check => ({ name, ok: true, detail })
export const problem = (name: string, detail: string, fix: string): Check => ({
  name,
  ok: false,
  detail,
  fix,
})

export const messageOf = (error: unknown): string =>
  (error instanceof Error && error.message) || String(Object(error).code ?? error)
