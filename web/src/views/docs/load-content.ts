import { connectionFailed } from '../../api/connection.ts'
import type { DocsContent, Guide } from './content.ts'
import { type OpenApi, operationsOf } from './operations.ts'

let loading: Promise<DocsContent> | undefined

/** Everything that can be read here, once for each visit. */
export function loadContent(): Promise<DocsContent> {
  loading ??= Promise.all([
    readPatiently<Pick<DocsContent, 'files'> & { guides: Omit<Guide, 'title'>[] }>('/docs/content.json'),
    readPatiently<OpenApi>('/openapi.json'),
  ]).then(([{ guides, files }, document]) => ({
    guides: guides.map((guide) => ({ ...guide, title: /^# (.*)$/m.exec(guide.text)?.[1] ?? guide.name })),
    files,
    operations: operationsOf(document),
  }))
  return loading
}

/** Asks again once the server is back, where it is away. */
async function readPatiently<Body>(path: string): Promise<Body> {
  for (;;) {
    const response = await fetch(path).catch(() => undefined)
    if (response?.ok) return response.json()
    if (response) throw new Error(`${path}: ${response.status}`)
    await connectionFailed()
  }
}
