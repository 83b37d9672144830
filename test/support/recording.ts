/** The size of an element that is still being written. */
const UNKNOWN = Buffer.from('01ffffffffffffff', 'hex')

function element(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(0x10000000 + content.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}
const number = (id: string, value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return element(id, bytes)
}
const name = (id: string, text: string): Buffer => element(id, Buffer.from(text))

const BLOCK_MS = 60
const BLOCKS_IN_CLUSTER = 100

/**
 * A recording as browsers make it: WebM without a length in its header, in clusters of unknown size, with a block each 60 ms.
 * The blocks hold silence as Opus writes it.
 */
export function recording(seconds: number, picture?: { width: number; height: number }): Buffer {
  const sound = Buffer.concat([number('d7', 1), number('73c5', 1), number('83', 2), name('86', 'A_OPUS')])
  const film = (size: { width: number; height: number }) =>
    Buffer.concat([
      ...[number('d7', 2), number('73c5', 2), number('83', 1), name('86', 'V_VP8')],
      element('e0', Buffer.concat([number('b0', size.width), number('ba', size.height)])),
    ])
  const tracks = [element('ae', sound), ...(picture ? [element('ae', film(picture))] : [])]
  const parts = [
    element('1a45dfa3', Buffer.concat([name('4282', 'webm'), number('4287', 4), number('4285', 2)])),
    Buffer.concat([Buffer.from('18538067', 'hex'), UNKNOWN]),
    element('1549a966', Buffer.concat([number('2ad7b1', 1_000_000), name('4d80', 'A browser')])),
    element('1654ae6b', Buffer.concat(tracks)),
  ]
  const blocks = Math.round((seconds * 1000) / BLOCK_MS)
  for (let index = 0; index < blocks; index += 1) {
    const inCluster = index % BLOCKS_IN_CLUSTER
    if (inCluster === 0) parts.push(Buffer.from('1f43b675', 'hex'), UNKNOWN, number('e7', index * BLOCK_MS))
    const block = Buffer.from([0x81, 0, 0, 0x80, 0xf8, 0xff, 0xfe])
    block.writeInt16BE(inCluster * BLOCK_MS, 1)
    parts.push(element('a3', block))
  }
  return Buffer.concat(parts)
}
