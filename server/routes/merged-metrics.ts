/** Puts metrics of several processes into one text, in which all lines of a metric stand together below its description. */
export function mergeMetrics(texts: readonly string[]): string {
  const [only, ...others] = texts
  if (others.length === 0) return only ?? ''
  const metrics = new Map<string, string[]>()
  for (const text of texts) {
    for (const part of text.split(/^(?=# HELP )/m)) {
      const lines = part.split('\n').filter((line) => line !== '')
      const description = lines.filter((line) => line.startsWith('# '))
      const [name = ''] = description
      const merged = metrics.get(name) ?? description
      metrics.set(name, [...merged, ...lines.slice(description.length)])
    }
  }
  return `${[...metrics.values()].flat().join('\n')}\n`
}
