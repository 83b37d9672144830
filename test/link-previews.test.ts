import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { LinkPreview, Message } from '../contract/message.ts'
import { hostilePage } from '../fuzz/hostile-content.ts'
import { Random } from '../fuzz/random.ts'
import { forgetOldPreviews } from '../server/actions/messages/link-previews.ts'
import { sql } from '../server/db/sql.ts'
import { decodePage, type PageFacts, readPage } from '../server/files/images/page.ts'
import { JobRunner } from '../server/jobs/runner.ts'
import { linkIn } from '../server/link-in-text.ts'
import { previewing } from '../server/previews/preview.ts'
import { chatOf, refusal } from './support/chat.ts'
import { type ChatCast, chatCast } from './support/chat-cast.ts'
import { cpuMilliseconds } from './support/cpu-time.ts'
import { eventually } from './support/eventually.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PNG } from './support/samples.ts'
import { countOf } from './support/thorough.ts'

/** The beginning of a page that is read, and the most that reading it may cost. */
const PAGE_LENGTH = 512 * 1024
const PAGE_MS = 200

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const page = (title: string, more = '') =>
  `<!doctype html><html><head><title>${title}</title>${more}</head><body>`
const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`

type Answer = (response: ServerResponse) => void
const html =
  (body: string | Buffer, headers: Record<string, string> = HTML): Answer =>
  (response) =>
    response.writeHead(200, headers).end(body)

let server: TestParley
let cast: ChatCast
let stops: (() => Promise<void>)[]
let web: Server
let port: number
/** Answers of pages by path, and the number of requests for each. */
const pages = new Map<string, Answer>()
const asked = new Map<string, number>()
let dripped = 0

const at = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`

beforeAll(async () => {
  web = createServer((request, response) => {
    const path = request.url ?? ''
    asked.set(path, (asked.get(path) ?? 0) + 1)
    const answer = pages.get(path)
    if (answer) answer(response)
    else response.writeHead(404).end()
  })
  // Listens on every loopback address, of which previews may reach one.
  await new Promise<void>((resolve) => web.listen(0, '0.0.0.0', resolve))
  port = (web.address() as AddressInfo).port
  server = await startTestParley({ linkPreviewNetworks: ['127.0.0.1/32'] })
  const beside = await server.secondNode({ filesDir: server.parley.config.filesDir })
  cast = await chatCast(server)
  stops = [server, beside].map(({ parley }) => {
    const previews = previewing(parley)
    const runner = new JobRunner(parley, previews)
    return async () => {
      await runner.stop()
      await previews.close()
    }
  })
})
afterAll(async () => {
  cast.close()
  await Promise.all(stops.map((stop) => stop()))
  await server.close()
  web.closeAllConnections()
  await new Promise((resolve) => web.close(resolve))
})

const say = async (text: string): Promise<string> =>
  Object((await chatOf(cast.ada).post('messages', { topicId: cast.topicId, text })).body).id
const read = async (id: string): Promise<Message> =>
  Object((await chatOf(cast.ben).get(`messages/${id}`)).body)
const previewOf = async (id: string): Promise<LinkPreview | undefined> => (await read(id)).preview
const jobs = async (): Promise<number> => {
  const [row] = await server.parley.db.query<{ count: number }>(
    sql`select count(*) from jobs where kind = 'preview'`,
  )
  return row?.count ?? 0
}
/** Waits until these messages show what their links lead to, and every other link has been looked into. Jobs come after the answer to a send. */
const settled = async (ids: readonly string[]) => {
  for (const id of ids) await eventually(() => previewOf(id)).toBeDefined()
  await eventually(jobs).toBe(0)
}

describe('a link preview', () => {
  it('comes after the message, for people who look, from a page that is asked once for all of them', async () => {
    const tags =
      meta('og:site_name', 'The Daily') +
      meta('og:description', 'All &amp; sundry') +
      meta('og:image', '/p.png')
    pages.set('/news', html(page('News', tags)))
    pages.set('/p.png', html(PNG, { 'content-type': 'image/png' }))
    const heard = await cast.stream(cast.ben)
    const ids = await Promise.all([1, 2, 3].map((count) => say(`${count}: see ${at('/news')}.`)))
    const { data } = await heard.next(({ event }) => event === 'message.previewed')
    await settled(ids)
    for (const id of ids) {
      const shown = await previewOf(id)
      expect(shown).toMatchObject({
        url: at('/news'),
        title: 'News',
        description: 'All & sundry',
        siteName: 'The Daily',
      })
      expect(shown?.thumbnailUrl).toMatch(`${server.url}/attachments/${shown?.imageId}/preview.webp?`)
    }
    const told: LinkPreview = Object(data).preview
    const picture = await fetch(told.thumbnailUrl ?? '')
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect([asked.get('/news'), asked.get('/p.png')]).toEqual([1, 1])
    // Bots get no event: no message was written.
    const { body } = await cast.bot.get('/v2/updates?limit=100')
    const types = Object(body).updates.map(({ eventType }: { eventType: string }) => eventType)
    expect(new Set(types)).toEqual(new Set(['message.created']))
    expect(Object((await cast.bot.get(`/v2/messages/${ids[0]}`)).body).preview.title).toBe('News')
  })

  it('is removed by the sender, and keeps its picture as long as a message shows it', async () => {
    pages.set('/mine', html(page('Mine', meta('og:image', '/p.png'))))
    const [one, two] = [await say(at('/mine')), await say(at('/mine'))]
    await settled([one, two])
    const { thumbnailUrl = '' } = (await previewOf(two)) ?? {}
    const remove = (who = cast.ada) => chatOf(who).delete(`messages/${one}/preview`)
    expect(refusal(await remove(cast.ben))).toMatchObject({ status: 403 })
    expect(refusal(await remove(cast.cy))).toMatchObject({ status: 404 })
    const heard = await cast.stream(cast.ben)
    expect((await remove()).status).toBe(204)
    const { data } = await heard.next(({ event }) => event === 'message.previewed')
    expect(data).toEqual({ topicId: cast.topicId, messageId: one, preview: null })
    expect(await previewOf(one)).toBeUndefined()
    server.clock.ahead += 25 * 3_600_000
    await server.parley.db.transaction((tx) => forgetOldPreviews(tx, tx.now(), 1000))
    await server.parley.files.sweep()
    const { thumbnailUrl: fresh = '' } = (await previewOf(two)) ?? {}
    expect(fresh).not.toBe(thumbnailUrl)
    expect((await fetch(fresh)).status).toBe(200)
    await chatOf(cast.ada).delete(`messages/${two}`)
    await server.parley.files.sweep()
    expect((await fetch(fresh)).status).toBe(404)
  })

  it('follows an edit, and is asked for again after a day', async () => {
    pages.set('/a', html(page('A')))
    pages.set('/b', html(page('B')))
    const id = await say(at('/a'))
    await settled([id])
    const edit = (text: string) => chatOf(cast.ada).patch(`messages/${id}`, { text })
    await edit(`Look: ${at('/a')}`)
    expect((await previewOf(id))?.title).toBe('A')
    await edit(at('/b'))
    await eventually(async () => (await previewOf(id))?.title).toBe('B')
    await edit('Nothing')
    expect(await previewOf(id)).toBeUndefined()
    server.clock.ahead += 25 * 3_600_000
    await settled([await say(at('/a'))])
    expect(asked.get('/a')).toBe(2)
  })

  it('is not made where the organization wants none', async () => {
    const path = `/people/organizations/${cast.orgId}`
    expect(Object((await cast.ada.patch(path, { linkPreviews: false })).body).linkPreviews).toBe(false)
    pages.set('/unseen', html(page('Unseen')))
    await say(at('/unseen'))
    await chatOf(cast.ada).patch(`messages/${await say('Later')}`, { text: at('/unseen') })
    await settled([])
    expect(asked.get('/unseen')).toBeUndefined()
    await cast.ada.patch(path, { linkPreviews: true })
  })

  it('does no harm, whatever a page does', async () => {
    pages.set('/drip', (response) => {
      response.writeHead(200, HTML)
      const timer = setInterval(() => response.write(' '), 50)
      response.on('close', () => {
        clearInterval(timer)
        dripped += 1
      })
    })
    const none = { drip: await say(at('/drip')) }
    const lead =
      (to: string): Answer =>
      (response) =>
        response.writeHead(302, { location: to }).end()
    pages.set('/inside', html(page('Inside')))
    pages.set('/to-inside', lead(at('/inside', '127.0.0.2')))
    pages.set('/to-file', lead('file:///etc/passwd'))
    pages.set('/round', lead(at('/round')))
    pages.set('/packed', html(page('Packed'), { ...HTML, 'content-encoding': 'gzip' }))
    pages.set('/json', html('{"title":"No"}', { 'content-type': 'application/json' }))
    pages.set('/gone', (response) => response.writeHead(410, HTML).end(page('Gone')))
    pages.set('/breaks', (response) => response.socket?.destroy())
    const paths = ['/to-inside', '/to-file', '/round', '/packed', '/json', '/gone', '/breaks']
    const refused = await Promise.all(paths.map((path) => say(at(path))))
    const inside = await say(at('/inside', '127.0.0.2'))
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    pages.set('/s.svg', html(svg, { 'content-type': 'image/svg+xml' }))
    pages.set('/liar.png', html(svg, { 'content-type': 'image/png' }))
    pages.set('/svg', html(page('Drawing', meta('og:image', '/s.svg'))))
    pages.set('/liar', html(page('Liar', meta('og:image', '/liar.png'))))
    pages.set('/far', html(page('Far', meta('og:image', at('/p.png', '127.0.0.2')))))
    pages.set('/bomb', html(page('Bomb', '<b '.repeat(700_000))))
    pages.set('/long', html(page('x'.repeat(400_000))))
    pages.set('/moved', lead('/svg'))
    const shown = new Map<string, string>()
    for (const path of ['/svg', '/liar', '/far', '/bomb', '/long', '/moved'])
      shown.set(path, await say(at(path)))
    await settled([...shown.values()])
    for (const id of [...refused, inside, none.drip]) expect(await previewOf(id)).toBeUndefined()
    expect(asked.get('/inside')).toBeUndefined()
    expect(asked.get('/round')).toBe(4)
    expect(dripped).toBe(1)
    const of = async (path: string) => previewOf(shown.get(path) ?? '')
    expect(await of('/svg')).toEqual({ url: at('/svg'), title: 'Drawing' })
    expect(await of('/liar')).toEqual({ url: at('/liar'), title: 'Liar' })
    expect(await of('/far')).toEqual({ url: at('/far'), title: 'Far' })
    expect((await of('/bomb'))?.title).toBe('Bomb')
    expect((await of('/long'))?.title).toBe('x'.repeat(200))
    expect(await of('/moved')).toMatchObject({ url: at('/moved'), title: 'Drawing' })
  })
})

describe('a page', () => {
  it('says what it is in the encoding that it names, in one line of plain text', () => {
    const read = (text: string | Buffer, type = 'text/html') => readPage(decodePage(Buffer.from(text), type))
    expect(read(Buffer.from(page('Stra\xdfe'), 'latin1'), 'text/html; charset=iso-8859-1')?.title).toBe(
      'Straße',
    )
    const named = Buffer.from(
      `<meta charset="windows-1251">${page('').replace('><', '>\xcf\xf0<')}`,
      'latin1',
    )
    expect(decodePage(named, 'text/html')).toContain('Пр')
    expect(read(page('Odd'), 'text/html; charset=klingon')?.title).toBe('Odd')
    expect(read(page('A\u202e &#x202e;B\n\u0000 C &unknown; &#xD800; &lt;b&gt;'))?.title).toBe(
      'A B C &unknown; <b>',
    )
    expect(read(page('<b>Not</b> bold'))?.title).toBe('<b>Not</b> bold')
    expect(read(`<!-- ${page('No')} --><script>"<title>No</title>"</script>${page('Yes')}`)?.title).toBe(
      'Yes',
    )
    expect(read(`<body>${page('Too late')}`)).toBeUndefined()
    expect(read(`<meta name='description' content='Only this'>`)).toBeUndefined()
    expect(read(page('T', `<meta content='a "b"' property=og:title>`))?.title).toBe('a "b"')
  })

  it('has its entities decoded as HTML says, other ones in text than in attributes', () => {
    const read = (content: string) =>
      readPage(page('&agrave;', `<meta property="og:image" content="${content}">`))
    expect(readPage(page('Voil&agrave; &Eacute;t&eacute; &copy 2 &amp;amp; a&copy=2'))?.title).toBe(
      'Voilà Été © 2 &amp; a©=2',
    )
    expect(read('/a?w=1&copy=2&reg3=4&amp;lt=5')?.image).toBe('/a?w=1&copy=2&reg3=4&lt=5')
    expect(read('/&agrave;?w=1&copy;=2&#x80;&copy')?.image).toBe('/à?w=1©=2€©')
  })

  it('is read as browsers read wrong markup', () => {
    const facts: [string, PageFacts | undefined][] = [
      ['<title>Never closed', { title: 'Never closed' }],
      [
        '<title>a<b</TITLE ><//><</><!x><?y?><meta name=description content=d>',
        { title: 'a<b', description: 'd' },
      ],
      ['<title>a</title><meta property="og:title" content="never closed', { title: 'a' }],
      ['<META PROPERTY=OG:TITLE CONTENT=bare/><p>', { title: 'bare/' }],
      ['<meta property=og:title property=x content=first content=second>', { title: 'first' }],
      ['<meta content="t" property="og:title"<meta name=description content=d>', { title: 't' }],
      ['<svg><title>a drawing</title></svg><title>the page</title>', { title: 'the page' }],
      ['<head></head><title>Too late</title>', undefined],
      ['<'.repeat(1000), undefined],
    ]
    for (const [written, said] of facts) expect([written, readPage(written)]).toEqual([written, said])
  })

  it('is read in bounded time, whatever is in it', () => {
    const check = (written: string) => {
      const read = () => readPage(decodePage(Buffer.from(written), 'text/html'))
      expect(cpuMilliseconds(PAGE_MS, read)).toBeLessThan(PAGE_MS)
    }
    const names = `<meta ${'a'.repeat(8000)}>`
    for (const part of [
      '<',
      '<!--',
      '<a "',
      '&',
      '<a>',
      '</b>',
      '<a></b>',
      '<meta a ',
      names,
      '<title>',
      '<svg>',
    ])
      for (const before of ['', '<title>', '<meta content="'])
        check(before + part.repeat(Math.ceil(PAGE_LENGTH / part.length)))
    fc.assert(
      fc.property(
        fc.nat().map((seed) => hostilePage(new Random(seed))),
        check,
      ),
      { seed: 1, numRuns: countOf(25, 100) },
    )
  })

  it('delays no other request while it is read', async () => {
    pages.set('/names', html(`${`<meta ${'a'.repeat(8000)}>`.repeat(63)}${page('Names')}`))
    let [longest, last] = [0, performance.now()]
    const timer = setInterval(() => {
      const now = performance.now()
      longest = Math.max(longest, now - last)
      last = now
    }, 5)
    await settled([await say(at('/names'))])
    clearInterval(timer)
    // Reading this page with expressions took 12 seconds; a busy machine may take a part of one.
    expect(longest).toBeLessThan(2000)
  })

  it('is the first link of a text that can be shown', () => {
    const links: [string, string | undefined][] = [
      ['nothing here', undefined],
      ['http is a word', undefined],
      ['see https://example.com/a.', 'https://example.com/a'],
      ['(https://example.com/a)', 'https://example.com/a'],
      ['https://example.com/a_(b)', 'https://example.com/a_(b)'],
      ['[text](https://example.com/x?y=1#z), and more', 'https://example.com/x?y=1'],
      ['<https://example.com/>', 'https://example.com/'],
      ['`https://example.com/` then https://example.org', 'https://example.org/'],
      ['```\nhttps://example.com\n```', undefined],
      ['https://ada:secret@example.com/', undefined],
      [`https://example.com/${'x'.repeat(3000)}`, undefined],
      ['https://', undefined],
    ]
    for (const [text, link] of links) expect([text, linkIn(text)]).toEqual([text, link])
    expect(linkIn(`see https://example.com/a${'.'.repeat(2000)}`)).toBe('https://example.com/a')
  })
})
