import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { at, organization, type StaticTestBot, staticBot } from './support/cast.ts'
import type { FormFile } from './support/forms.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { HTML, JPEG, moving, PDF, PNG, SVG, ZIP } from './support/samples.ts'
import { appeared, download, sendFiles } from './support/uploads.ts'
import { silence } from './support/wav.ts'
import { send } from './support/wire.ts'

const MINUTE = 60_000
const [GIF, WEBP] = [await moving('gif'), await moving('webp')]
const TEN = '0123456789'

let server: TestParley
let jobs: { stop(): Promise<void> }
let deploy: StaticTestBot
let topicId: string
let link: string

beforeAll(async () => {
  server = await startTestParley()
  jobs = startJobs(server)
  deploy = await staticBot(server, await organization(server))
  topicId = Object((await deploy.post('/v2/topics', { name: 'Plans', members: [] })).body).id
  link = await linkTo({ content: TEN, name: 'digits.txt' })
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

const resetClock = () => {
  server.clock.ahead = 0
}

async function attachmentOf(file: FormFile | Buffer | string) {
  const message = await appeared(deploy, await sendFiles(deploy, { topicId }, file))
  return message.attachmentDetails[0]
}
const linkTo = async (file: FormFile | Buffer | string): Promise<string> => (await attachmentOf(file)).url

async function refusal(url: string | URL): Promise<[number, string | null, string]> {
  const response = await fetch(url)
  return [response.status, response.headers.get('content-type'), await response.text()]
}
const REFUSED = [403, 'application/json; charset=utf-8', '"invalid link"']

function changed(change: (url: URL) => void): URL {
  const url = new URL(link)
  change(url)
  return url
}
const moved = (change: (path: string) => string) => (url: URL) => {
  url.pathname = change(url.pathname)
}
const put = (name: string, value: string) => (url: URL) => url.searchParams.set(name, value)

describe('a link', () => {
  it('names the file and how long it works', async () => {
    const { id, url } = await attachmentOf({ content: PDF, name: 'plan.pdf' })
    const { origin, pathname, searchParams } = new URL(url)
    expect(`${origin}${pathname}`).toBe(`${server.url}/attachments/${id}/plan.pdf`)
    expect([...searchParams.keys()]).toEqual(['expires', 'signature'])
    expect(Math.abs(Number(searchParams.get('expires')) - Date.now() - 60 * MINUTE)).toBeLessThan(MINUTE)
  })

  it('works without credentials, for an hour', async () => {
    onTestFinished(resetClock)
    expect(String(await download(link))).toBe(TEN)
    server.clock.ahead = 58 * MINUTE
    expect(String(await download(link))).toBe(TEN)
    server.clock.ahead = 60 * MINUTE
    expect(await refusal(link)).toEqual([403, REFUSED[1], '"link has expired"'])
  })

  it('is a new one in each read', async () => {
    const id = await sendFiles(deploy, { topicId }, 'notes')
    const first = (await appeared(deploy, id)).attachmentDetails[0].url
    onTestFinished(resetClock)
    server.clock.ahead = 61 * MINUTE
    const timestamp = String(Date.now() + server.clock.ahead)
    const later = Object((await deploy.get(`/v2/messages/${id}`, { timestamp })).body).attachmentDetails[0]
      .url
    expect((await refusal(first))[0]).toBe(403)
    expect(String(await download(later))).toBe('notes')
  })

  it.each([
    ['another expiry', put('expires', String(Date.now() + 10 * 60 * MINUTE))],
    [
      'the same expiry, written otherwise',
      (url: URL) => put('expires', `${url.searchParams.get('expires')}.0`)(url),
    ],
    ['no expiry', (url: URL) => url.searchParams.delete('expires')],
    ['two expiries', (url: URL) => url.searchParams.append('expires', '9999999999999')],
    ['another signature', put('signature', 'A'.repeat(43))],
    ['an empty signature', put('signature', '')],
    ['no signature', (url: URL) => url.searchParams.delete('signature')],
    ['another name', moved((path) => path.replace('digits.txt', 'digits.html'))],
    ['another kind', moved((path) => path.replace('att_', 'thb_'))],
    ['no kind', moved((path) => path.replace('att_', ''))],
    ['an id in capitals', moved((path) => path.replace(/(?<=att_)[^/]+/, (id) => id.toUpperCase()))],
  ])('with %s is refused', async (_, change) => {
    expect(await refusal(changed(change))).toEqual(REFUSED)
  })

  it('does not open another file', async () => {
    const other = new URL(await linkTo({ content: 'other', name: 'digits.txt' }))
    expect(await refusal(changed(moved(() => other.pathname)))).toEqual(REFUSED)
    expect(await refusal(changed(put('signature', other.searchParams.get('signature') ?? '')))).toEqual(
      REFUSED,
    )
  })

  it('of one server does not work on another with its own key', async () => {
    const other = await startTestParley({ secretKey: 'quite another key, long enough to be one' })
    onTestFinished(() => other.close())
    expect(await refusal(link.replace(server.url, other.url))).toEqual(REFUSED)
  })

  it('begins with STORAGE_URL where that is set', async () => {
    const node = await server.secondNode({
      storageUrl: 'https://files.example.com',
      filesDir: server.parley.config.filesDir,
    })
    const id = await sendFiles(deploy, { topicId }, PNG)
    await appeared(deploy, id)
    const [attachment] = (await appeared(at(node.url, deploy), id)).attachmentDetails
    for (const url of [attachment.url, attachment.thumbnailUrl]) {
      expect(url).toMatch(/^https:\/\/files\.example\.com\/attachments\//)
      await download(url.replace('https://files.example.com', server.url))
    }
  })

  it('is never in the log, used or refused', async () => {
    const signature = new URL(link).searchParams.get('signature') ?? ''
    await download(link)
    await refusal(changed(put('expires', '1')))
    const log = server.logLines.join('')
    expect(signature).not.toBe('')
    for (const secret of [signature, 'signature=', '/attachments/att_']) expect(log).not.toContain(secret)
  })
})

describe('a download', () => {
  it.each([
    ['digits.txt', TEN, 'application/octet-stream', 'attachment'],
    ['plan.pdf', PDF, 'application/pdf', 'attachment'],
    ['all.zip', ZIP, 'application/zip', 'attachment'],
    ['page.html', HTML, 'application/octet-stream', 'attachment'],
    ['page.xhtml', `<?xml version="1.0"?>${HTML}`, 'application/xml', 'attachment'],
    ['logo.svg', SVG, expect.stringMatching(/^application\/(xml|octet-stream)$/), 'attachment'],
    ['logo.png', PNG, 'image/png', 'inline'],
    ['photo.jpg', JPEG, 'image/jpeg', 'inline'],
    ['wave.gif', GIF, 'image/gif', 'inline'],
    ['wave.webp', WEBP, 'image/webp', 'inline'],
    ['voice.wav', silence(1), 'audio/wav', 'inline'],
  ])('of %s says what it is and runs nowhere', async (name, content, contentType, disposition) => {
    const { headers } = await fetch(await linkTo({ content, name }))
    expect(headers.get('content-type')).toEqual(contentType)
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=${name}`)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain('sandbox')
    expect(headers.get('cache-control')).toMatch(/^private, max-age=3\d\d\d$/)
  })

  it('of an SVG that calls itself something else is no page either', async () => {
    const { headers } = await fetch(await linkTo({ content: SVG, name: 'logo.svg', type: 'image/svg+xml' }))
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(headers.get('content-type')).not.toMatch(/svg|html/)
  })

  it.each([
    ['Pläne 🎈.txt', `filename*=UTF-8''Pl%C3%A4ne%20%F0%9F%8E%88.txt`],
    ['a "quoted"; name.txt', String.raw`filename="a \"quoted\"; name.txt"`],
  ])('is saved under its own name: %s', async (name, parameter) => {
    const { headers } = await fetch(await linkTo({ content: TEN, name }))
    expect(headers.get('content-disposition')).toContain(parameter)
  })

  it('of a file without a name has one', async () => {
    const url = await linkTo(TEN)
    expect(new URL(url).pathname).toMatch(/\/file$/)
    expect((await fetch(url)).headers.get('content-disposition')).toBe('attachment; filename=file')
  })

  it('of a thumbnail is an image in place', async () => {
    const { thumbnailUrl } = await attachmentOf({ content: PNG, name: 'logo.png' })
    const response = await fetch(thumbnailUrl)
    expect(response.headers.get('content-type')).toBe('image/webp')
    expect(response.headers.get('content-disposition')).toMatch(/^inline/)
    expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).format).toBe('webp')
  })

  it.each([
    ['bytes=2-5', '2345', 'bytes 2-5/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=8-100', '89', 'bytes 8-9/10'],
    ['bytes=0-0', '0', 'bytes 0-0/10'],
  ])('of a part: %s', async (range, content, contentRange) => {
    const response = await fetch(link, { headers: { range } })
    expect([response.status, await response.text()]).toEqual([206, content])
    expect(response.headers.get('content-range')).toBe(contentRange)
    expect(response.headers.get('content-length')).toBe(String(content.length))
    expect(response.headers.get('content-type')).toBe('application/octet-stream')
  })

  it('of a part that is not there is refused', async () => {
    const response = await fetch(link, { headers: { range: 'bytes=10-' } })
    expect([response.status, response.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    expect(await response.text()).not.toContain('<html')
  })

  it('of a range that is none is of the whole', async () => {
    const response = await fetch(link, { headers: { range: 'lines=1-2' } })
    expect([response.status, await response.text()]).toEqual([200, TEN])
    expect(response.headers.get('accept-ranges')).toBe('bytes')
  })

  it('can be asked about with HEAD', async () => {
    const response = await fetch(link, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
    expect(response.headers.get('content-length')).toBe('10')
    expect((await fetch(changed(put('signature', 'x')), { method: 'HEAD' })).status).toBe(403)
  })

  it('is not repeated for a client that has it already', async () => {
    const { pathname, search } = new URL(link)
    // `fetch` would add `Cache-Control: no-cache` to such a request.
    const ask = (etag: string) =>
      send(server.url, { method: 'GET', target: `${pathname}${search}`, headers: { 'if-none-match': etag } })
    const etag = (await fetch(link)).headers.get('etag') ?? ''
    expect(await ask(etag)).toMatchObject({ status: 304, text: '' })
    expect(await ask('"another"')).toMatchObject({ status: 200, text: TEN })
  })
})
