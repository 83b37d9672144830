import type { Schema } from './document.ts'
import { hostileJson, hostileText, mutateOnce } from './hostile.ts'
import { type File, harmlessFile, hostileFile, PICTURES } from './media.ts'
import type { Random } from './random.ts'
import { type Source, validValue } from './values.ts'

export type Body = { content: Buffer; contentType: string | undefined }
type Part = { headers: string[]; content: Buffer }

const FILE_PART = 'filePart'

/** A valid form for the operation, or one with a single fault. */
export function formBody(schema: Schema, source: Source, isHostile: boolean): Body {
  const { random } = source
  const { properties = {}, required = [] } = schema
  const metaName = Object.keys(properties).find((name) => name !== FILE_PART)
  const metaSchema = metaName === undefined ? undefined : properties[metaName]
  const meta = metaName && metaSchema ? validValue(metaSchema, metaName, source) : undefined
  const isMedia = properties[FILE_PART]?.type === 'array'
  const hasFile = required.includes(FILE_PART) || random.chance(0.8)
  const parts: Part[] = []
  if (metaName !== undefined && meta !== undefined) parts.push(field(metaName, JSON.stringify(meta)))
  if (hasFile) parts.push(filePart(harmlessFile(random, isMedia ? undefined : PICTURES)))
  if (isMedia && random.chance(0.1)) parts.push(filePart(harmlessFile(random)))
  const boundary = `----fuzz${random.next().toString(16)}`
  if (!isHostile) return encode(parts, boundary)

  const spoil: (() => Body)[] = [
    () => encode([...parts.slice(0, 1), filePart(hostileFile(random))], boundary),
    () => encode([...parts.slice(0, 1), filePart(hostileFile(random))], boundary),
    () => encode([...parts.slice(0, 1), filePart(hostileFile(random))], boundary),
    () => encode(parts.slice(1), boundary),
    () => encode(parts.slice(0, 1), boundary),
    () => encode([], boundary),
    () => encode([...parts, ...parts], boundary),
    () => encode([...parts].reverse(), boundary),
    () => encode([...parts, ...Array.from({ length: 12 }, () => filePart(harmlessFile(random)))], boundary),
    () => encode([...Array.from({ length: 60 }, () => parts[0] ?? field('x', 'y')), ...parts], boundary),
    () => encode([...parts, field(hostileText(random).slice(0, 200), hostileText(random))], boundary),
    () =>
      encode(
        [field(metaName ?? 'metaPart', hostileJson(JSON.stringify(meta ?? {}), random)), ...parts.slice(1)],
        boundary,
      ),
    () =>
      encode(
        [
          field(metaName ?? 'metaPart', JSON.stringify(mutateOnce(meta, metaSchema, random) ?? null)),
          ...parts.slice(1),
        ],
        boundary,
      ),
    () => encode(parts.map(withOddHeaders(random)), boundary),
    () => withContentType(encode(parts, boundary), random.pick(brokenTypes(boundary))),
    () =>
      withContent(encode(parts, boundary), (content) =>
        content.subarray(0, random.integer(0, content.length)),
      ),
    () =>
      withContent(encode(parts, boundary), (content) =>
        Buffer.from(content.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      ),
    () =>
      withContent(encode(parts, boundary), (content) =>
        Buffer.concat([Buffer.from('preamble\r\n'), content, Buffer.from('epilogue')]),
      ),
    () => withContent(encode(parts, boundary), (content) => Buffer.concat([content, content])),
    () => withContent(encode(parts, boundary), () => Buffer.alloc(0)),
  ]
  return random.pick(spoil)()
}

function field(name: string, content: string | Buffer): Part {
  return {
    headers: [`Content-Disposition: form-data; name="${quoted(name)}"`],
    content: Buffer.from(content),
  }
}

function filePart({ name, type, content }: File): Part {
  const disposition = `Content-Disposition: form-data; name="${FILE_PART}"; filename="${quoted(name)}"`
  return { headers: [disposition, `Content-Type: ${type}`], content }
}

const quoted = (name: string): string => name.replace(/["\r\n]/g, '%22')

const ODD_HEADERS: readonly string[][] = [
  [],
  ['Content-Disposition: form-data'],
  ['Content-Disposition: attachment; name="filePart"'],
  ['Content-Disposition: form-data; name=filePart; filename=a; filename=b'],
  [`Content-Disposition: form-data; name="filePart"; filename*=UTF-8''%e2%82%ac%zz`],
  ['Content-Disposition: form-data; name="metaPart"; filename="meta.json"'],
  ['Content-Disposition: form-data; name="filePart"', 'Content-Transfer-Encoding: base64'],
  ['Content-Disposition: form-data; name="filePart"', 'Content-Type: multipart/mixed; boundary=x'],
  ['Content-Disposition: form-data; name="filePart"; filename="a"', 'Content-Type: \u0000'],
  ['no colon here'],
  [`X: ${'h'.repeat(20_000)}`],
]

const withOddHeaders =
  (random: Random) =>
  (part: Part): Part =>
    random.chance(0.6) ? { ...part, headers: random.pick(ODD_HEADERS) } : part

const brokenTypes = (boundary: string): string[] => [
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary=other',
  `multipart/form-data; boundary=${'b'.repeat(300)}`,
  `multipart/form-data; boundary="${boundary}"`,
  `multipart/form-data; boundary=${boundary}; boundary=other`,
  `multipart/mixed; boundary=${boundary}`,
  `MULTIPART/FORM-DATA; BOUNDARY=${boundary}`,
  `multipart/form-data; charset=utf-16; boundary=${boundary}`,
]

const withContentType = ({ content }: Body, contentType: string): Body => ({ content, contentType })
const withContent = ({ content, contentType }: Body, change: (content: Buffer) => Buffer): Body => ({
  content: change(content),
  contentType,
})

function encode(parts: readonly Part[], boundary: string): Body {
  const pieces = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${boundary}\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`),
    content,
    Buffer.from('\r\n'),
  ])
  const content = Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
  return { content, contentType: `multipart/form-data; boundary=${boundary}` }
}
