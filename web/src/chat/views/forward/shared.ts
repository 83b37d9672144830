/** The cache in which the service worker keeps text and files shared by another app. */
const CACHE = 'parley-shared'
const PATH = '/share'
/** Shared content is given up if no place for it was chosen by then. */
const KEPT_MS = 600_000

export type Shared = { text: string; files: readonly File[] }
type Kept = { said: string[]; files: { name: string; type: string }[]; at: number }

export async function readShared(): Promise<Shared | undefined> {
  const kept: Kept | undefined = await (await window.caches?.match(PATH, { cacheName: CACHE }))?.json()
  if (!kept || kept.at + KEPT_MS < Date.now()) return undefined
  const files = await Promise.all(
    kept.files.map(async ({ name, type }, index) => {
      const file = await caches.match(`${PATH}/${index}`, { cacheName: CACHE })
      return file ? [new File([await file.blob()], name, { type })] : []
    }),
  )
  return { text: textOf(kept.said), files: files.flat() }
}

/** Apps give the same words several times: a title that begins the text, a link that ends it. */
const textOf = (said: readonly string[]): string =>
  said
    .filter(
      (one, index) =>
        one !== '' &&
        !said.some((other, at) => at !== index && other.includes(one) && (other !== one || at < index)),
    )
    .join('\n')

export const forgetShared = (): void => void window.caches?.delete(CACHE)
