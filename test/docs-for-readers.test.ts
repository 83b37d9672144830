import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGuides } from '../server/routes/guides.ts'
import { guideHtml } from '../server/routes/plain-guide.ts'
import { ROOT } from './support/pages.ts'
import { startTestParley, type TestParley } from './support/parley.ts'

let server: TestParley
let guides: Awaited<ReturnType<typeof readGuides>>

beforeAll(async () => {
  server = await startTestParley()
  guides = await readGuides()
})
afterAll(() => server.close())

const get = async (path: string) => {
  const answer = await fetch(`${server.url}${path}`)
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

describe('for models', () => {
  it('the list of pages names each guide with an address that has it', async () => {
    const { status, headers, text } = await get('/llms.txt')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(headers.get('access-control-allow-origin')).toBe('*')
    expect(text).toMatch(/^# Parley\n\n> /)
    const addresses = Array.from(text.matchAll(/\]\((\S+)\)/g), ([, address = '']) => address)
    for (const { path } of guides.guides)
      expect(addresses).toContain(`${server.parley.config.baseUrl}/docs/raw/${path}`)
    expect(new Set(addresses).size).toBe(addresses.length)
    for (const address of addresses) {
      const path = address.replace(server.parley.config.baseUrl, '')
      expect((await get(path)).status, path).toBe(200)
    }
    expect(text).toContain('[Topics]')
    expect(text.length).toBeLessThan(10_000)
  })

  it('one file has all pages about the API, and none of the others', async () => {
    const { status, text } = await get('/llms-full.txt')
    expect(status).toBe(200)
    for (const name of ['topics', 'messages', 'mcp', 'authentication']) {
      const page = guides.texts.get(`docs/${name}.md`)
      expect(page).toBeDefined()
      expect(text).toContain(page?.trim())
    }
    expect(text).not.toContain(guides.texts.get('docs/decisions.md')?.slice(0, 200))
  })
})

describe('without scripts', () => {
  it('each guide is a page whose links lead somewhere', async () => {
    const addresses = new Set<string>()
    for (const { name } of guides.guides) {
      const { status, headers, text } = await get(`/docs/plain/${name}`)
      expect(status, name).toBe(200)
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(text).not.toMatch(/<script|<img| on\w+=/)
      expect(text.match(/<pre>/g)?.length ?? 0, name).toBe(text.match(/<\/pre>/g)?.length ?? 0)
      for (const [, target = ''] of text.matchAll(/<a href="([^"]+)"/g))
        if (target.startsWith('/')) addresses.add(target)
    }
    expect(addresses.size).toBeGreaterThan(100)
    const pages = new Map<string, string>()
    for (const address of addresses) {
      const [path = '', anchor] = address.split('#')
      const page = pages.get(path) ?? (await get(path)).text
      pages.set(path, page)
      expect(page, path).not.toBe('"not found"')
      if (anchor !== undefined) expect(page, address).toContain(`id="${anchor}"`)
    }
  })

  it('begins with the index, and says when there is no such page', async () => {
    expect((await get('/docs/plain')).text).toContain('<h1 id="the-bot-api">The bot API</h1>')
    for (const name of ['nothing', '..%2fpackage.json', 'README.md'])
      expect((await get(`/docs/plain/${name}`)).status).toBe(404)
    expect((await get('/docs')).text).toMatch(/<noscript>.*href="\/docs\/plain"/)
  })

  it('shows text as text', () => {
    const html = (markdown: string) =>
      guideHtml(markdown, (target) => (target === 'gone' ? undefined : target))
    expect(html('# A <b> & `c<d>`')).toBe('<h1 id="a-b--cd">A &lt;b&gt; &amp; <code>c&lt;d&gt;</code></h1>')
    expect(html('see **[this](x"y) and** *that* [gone](gone), 2 * 3 * 4')).toBe(
      '<p>see <strong><a href="x&quot;y">this</a> and</strong> <em>that</em> [gone](gone), 2 * 3 * 4</p>',
    )
    expect(html('| a | b |\n|---|---|\n| `x \\| y` | z |')).toBe(
      '<table><tr><th>a</th><th>b</th></tr><tr><td><code>x | y</code></td><td>z</td></tr></table>',
    )
    expect(html('- one\n  more\n- two\n  - inner\n\n1. first\n2. second')).toBe(
      '<ul><li><p>one more</p></li><li><p>two</p><ul><li><p>inner</p></li></ul></li></ul>\n<ol><li><p>first</p></li><li><p>second</p></li></ol>',
    )
    expect(html('<!-- not\nshown -->\n```sh\na < b\n\n# c\n```')).toBe(
      '<pre><code>a &lt; b\n\n# c</code></pre>',
    )
  })
})

it('the description for registries fits the package', () => {
  const read = (name: string) => Object(JSON.parse(readFileSync(join(ROOT, name), 'utf8')))
  const described = read('server.json')
  const installed = read('package.json')
  const [program] = described.packages
  expect(described.name).toBe(installed.mcpName)
  expect([described.version, program.version]).toEqual([installed.version, installed.version])
  expect(program.identifier).toBe(installed.name)
  expect(installed.repository.url).toBe(`git+${described.repository.url}.git`)
  expect(described.description.length).toBeLessThanOrEqual(100)
  const bridge = readFileSync(join(ROOT, 'server/cli/commands/mcp.ts'), 'utf8')
  for (const { name } of program.environmentVariables) expect(bridge).toContain(name)
})
