import { deflateRawSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from '../server/db/sql.ts'
import { wordPlaces } from '../server/search/words.ts'
import { organization, type StaticTestBot, staticBot } from './support/cast.ts'
import { chatOf } from './support/chat.ts'
import { eventually } from './support/eventually.ts'
import { startJobs } from './support/jobs.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type TestPerson } from './support/people.ts'
import { longestTurn, workOf } from './support/processor-time.ts'
import { type Found, marked, searchesOf } from './support/searching.ts'
import { appeared, sendFiles } from './support/uploads.ts'

let server: TestParley
let orgId: string
let ada: TestPerson
let ben: TestPerson
let bot: StaticTestBot
let topicId: string
let jobs: ReturnType<typeof startJobs>

const { ready, ask, excerpts, ids, found } = searchesOf(() => server)

beforeAll(async () => {
  server = await startTestParley()
  orgId = await organization(server)
  ada = await signInAs(server, { orgId, name: 'Ada Okafor', role: 'owner' })
  ben = await signInAs(server, { orgId, name: 'Ben' })
  bot = await staticBot(server, orgId)
  topicId = Object((await bot.post('/v2/topics', { name: 'Papers', members: [ada.profileId] })).body).id
  jobs = startJobs(server)
})
afterAll(async () => {
  await jobs.stop()
  await server.close()
})

async function send(name: string, content: string | Buffer): Promise<string> {
  const id = await sendFiles(bot, { topicId }, { name, content })
  await appeared(bot, id)
  await ready()
  return id
}
const textsLeft = async () =>
  (await server.parley.db.query(sql`select from search_file_texts where org_id = ${orgId} and text <> ''`))
    .length

const textJobs = async () =>
  (await server.parley.db.query(sql`select from jobs where org_id = ${orgId} and kind = 'text'`)).length

/** A ZIP archive. */
function zip(files: Record<string, string>): Buffer {
  const [parts, directory]: [Buffer[], Buffer[]] = [[], []]
  for (const [name, content] of Object.entries(files)) {
    const [bytes, data] = [Buffer.from(name), deflateRawSync(content)]
    const sizes = [u32(crc32(Buffer.from(content))), u32(data.length), u32(Buffer.byteLength(content))]
    const shared = Buffer.concat([
      Buffer.from('14000000080000000000', 'hex'),
      ...sizes,
      u16(bytes.length),
      u16(0),
    ])
    const at = parts.reduce((sum, { length }) => sum + length, 0)
    parts.push(Buffer.concat([Buffer.from('504b0304', 'hex'), shared, bytes, data]))
    directory.push(
      Buffer.concat([Buffer.from('504b01021400', 'hex'), shared, Buffer.alloc(10), u32(at), bytes]),
    )
  }
  const [local, central] = [Buffer.concat(parts), Buffer.concat(directory)]
  const count = u16(directory.length)
  const end = [
    Buffer.from('504b050600000000', 'hex'),
    count,
    count,
    u32(central.length),
    u32(local.length),
    u16(0),
  ]
  return Buffer.concat([local, central, ...end])
}
const u16 = (value: number) => Buffer.from([value & 255, value >> 8])
function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
function crc32(bytes: Buffer): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

const TYPES =
  '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const docx = (xml: string) =>
  zip({
    '[Content_Types].xml': `<?xml version="1.0"?>${TYPES}`,
    'word/document.xml': `<?xml version="1.0"?><w:document><w:body>${xml}</w:body></w:document>`,
  })

/** A PDF file with one page that shows this line. */
function pdf(line: string): Buffer {
  const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ]
  let file = '%PDF-1.4\n'
  const places = objects.map((object, index) => {
    const place = file.length
    file += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  return Buffer.from(
    `${file}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF`,
  )
}

describe('the text inside files', () => {
  it.each([
    ['a note', 'notes.txt', 'Nobody saw the dodo leave.', 'dodo', 'Nobody saw the [dodo] leave.'],
    [
      'Markdown',
      'plan.md',
      '# Plan\n\nFeed the **moa** twice.',
      'moa',
      '# Plan\n\nFeed the **[moa]** twice.',
    ],
    ['code', 'main.rs', 'fn hatch_eggs() {}', 'hatch', 'fn [hatch]_eggs() {}'],
    ['a table', 'birds.csv', 'name;count\nquelili;7\n', 'quelili', 'name;count\n[quelili];7'],
    [
      'another encoding',
      'alt.txt',
      Buffer.from('Der Bär und der K\xe4fer', 'latin1'),
      'kafer',
      'Der Bär und der [Käfer]',
    ],
    ['UTF-16', 'wide.txt', Buffer.from('\ufeffThe kakapo', 'utf16le').swap16(), 'kakapo', 'The [kakapo]'],
    ['PDF', 'report.pdf', pdf('The great auk was last seen'), 'auk', 'The great [auk] was last seen'],
    [
      'a Word document',
      'letter.docx',
      docx(
        '<w:p><w:r><w:t>Dear</w:t></w:r><w:r><w:tab/><w:t>huia &amp; kea,</w:t></w:r></w:p><w:p><w:r><w:t>bye</w:t></w:r></w:p>',
      ),
      'huia',
      'Dear [huia] & kea,\nbye',
    ],
  ])('is found: %s', async (_, name, content, word, expected) => {
    const id = await send(name, content)
    await eventually(async () => ids(ada, word)).toEqual([id])
    expect(await excerpts(ada, word)).toEqual([`fileText: ${expected}`])
    expect(await ids(ben, word)).toEqual([])
    expect((await found(ada, word, { kind: 'files' })).results).toHaveLength(1)
  })

  it('is found at any depth of a long file, and the passage is shown', async () => {
    const id = await send('long.txt', `${'so many words of padding\n'.repeat(4000)}then an aurochs came by`)
    await eventually(async () => ids(ada, 'aurochs')).toEqual([id])
    expect((await excerpts(ada, 'aurochs'))[0]).toMatch(/^fileText: ….*\[aurochs\] came by$/s)
  })

  it('is prepared and shown piece by piece: other requests have their turn in a long text of any script', async () => {
    const long = `${'漢字仮名交じり文'.repeat(24_000)} quokka`.slice(-190_000)
    const files = [1, 2].map((number) => ({ name: `long-${number}.txt`, content: long }))
    const wholeMs = workOf(() => files.map(() => [...wordPlaces(long)]))
    const message = await sendFiles(bot, { topicId }, ...files)
    await appeared(bot, message)
    await ready()
    await eventually(textJobs).toBe(0)
    expect(await longestTurn(ready)).toBeLessThan(wholeMs / 2)
    expect(await ids(ada, 'quokka')).toEqual([message])

    const text = `${'ภาษาไทย'.repeat(1400)} numbat`.slice(-9900)
    for (let count = 0; count < 40; count++) await bot.post('/v2/messages', { topicId, text })
    await ready()
    const allMs = workOf(() => Array.from({ length: 40 }, () => [...wordPlaces(text)]))
    let found: Found['results'] = []
    const turn = longestTurn(async () => {
      found = Object((await ask(ada, 'numbat', { limit: 100 })).body).results
    })
    expect(await turn).toBeLessThan(allMs / 2)
    expect(found.map(({ excerpts }) => marked(excerpts[0]?.parts ?? []).endsWith('[numbat]'))).toEqual(
      Array.from({ length: 40 }, () => true),
    )
  })

  it('is nothing where a file is damaged, protected or no text, and its name is found all the same', async () => {
    const bomb = docx(`<w:p>${'<w:r><w:t>thylacine </w:t></w:r>'.repeat(300_000)}</w:p>`)
    const files: [string, Buffer][] = [
      ['broken-solenodon.pdf', pdf('solenodon').subarray(0, 200)],
      ['broken-solenodon.docx', docx('<w:p>').subarray(0, 60)],
      ['binary-solenodon.txt', Buffer.from([...Buffer.from('solenodon2'), 0, 1, 2, 3])],
      ['large-solenodon.docx', bomb],
    ]
    for (const [name, content] of files) await send(name, content)
    await eventually(textJobs).toBe(0)
    expect(await ids(ada, 'solenodon in:papers')).toHaveLength(4)
    expect(await ids(ada, 'solenodon2')).toEqual([])
    expect(await ids(ada, 'thylacine')).toHaveLength(1)
  })

  it('is found in forwards as well, and gone with the last message that has the file', async () => {
    const before = await textsLeft()
    const id = await send('forward.txt', 'The bluebuck')
    const dm = await chatOf(ada).post('direct-messages', { memberIds: [ben.profileId] })
    const forwarded = await chatOf(ada).post('messages', {
      topicId: Object(dm.body).id,
      forwardMessageId: id,
    })
    expect(forwarded.status, forwarded.text).toBeLessThan(300)
    await eventually(async () => (await ids(ben, 'bluebuck')).length).toBe(1)
    expect(await ids(ada, 'bluebuck')).toHaveLength(2)
    await bot.delete(`/v2/messages/${id}`)
    expect(await ids(ada, 'bluebuck')).toHaveLength(1)
    const [copy = ''] = await ids(ben, 'bluebuck')
    await chatOf(ada).delete(`messages/${copy}`)
    expect(await ids(ada, 'bluebuck')).toEqual([])
    expect(await textsLeft()).toBe(before)
  })
})
