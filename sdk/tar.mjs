/** Modification time of every entry, 1980-01-01: the same files make the same archive. */
const TIME = 315_532_800
const BLOCK = 512

/** A tar archive (ustar) of `[name, content]` files; names have up to 100 characters. */
export function tarOf(files) {
  const entries = files.flatMap(([name, content]) => [
    headerOf(name, content.length),
    content,
    Buffer.alloc(-content.length & (BLOCK - 1)),
  ])
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)])
}

function headerOf(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`${name} is too long for an archive`)
  const header = Buffer.alloc(BLOCK)
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`
  header.write(name, 0)
  header.write(octal(0o644, 8), 100)
  header.write(octal(0, 8), 108) // owner
  header.write(octal(0, 8), 116) // group
  header.write(octal(size, 12), 124)
  header.write(octal(TIME, 12), 136)
  header.write('        ', 148) // the checksum counts as spaces
  header.write('0', 156) // a plain file
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
