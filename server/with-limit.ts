/** Waits for work, but no longer than this. */
export async function withLimit(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds)
  })
  await Promise.race([work, limit]).finally(() => clearTimeout(timer))
}
