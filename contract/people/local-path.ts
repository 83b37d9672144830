/** Returns `to` if it is a path of this server, so that no link leads elsewhere after signing in. */
export function localPath(to: unknown, origin: string): string | undefined {
  if (typeof to !== 'string' || !/^\/(?![/\\])/.test(to) || !URL.canParse(to, origin)) return undefined
  const url = new URL(to, origin)
  // Dots are gone by now: of "/.//elsewhere" is left "//elsewhere", and browsers take that for a host.
  if (url.origin !== origin || url.pathname.startsWith('//')) return undefined
  return url.pathname + url.search + url.hash
}
