/** One cell of CSV: in quotation marks, where two stand for one, or up to the next separator. */
const CELL = /"((?:[^"]|"")*)"|([^,;\t]+)/g

const cellsOf = (line: string): string[] =>
  [...line.matchAll(CELL)]
    .map(([, quoted, plain]) => (quoted?.replaceAll('""', '"') ?? plain ?? '').trim())
    .filter((cell) => cell !== '')

/** `Ada Okafor <ada@example.com>`, as mail programs write it. */
const WRITTEN = /^(.*?)\s*<([^<>]+)>$/

/**
 * Reads people from a list: a line for each, with an address and perhaps a name, in any order, separated by commas, semicolons
 * or tabs; or several addresses in one line. A head line without an address is left out; any other line without one is kept,
 * so that the report can say so.
 */
export function peopleFrom(list: string): { email: string; name?: string }[] {
  const lines = list.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.flatMap((line, index) => {
    const cells = cellsOf(line).map((cell) => {
      const [, name = '', email = cell] = WRITTEN.exec(cell) ?? []
      return { name, email }
    })
    const addresses = cells.filter(({ email }) => email.includes('@'))
    if (addresses.length === 0) return index === 0 && lines.length > 1 ? [] : [{ email: line.trim() }]
    if (addresses.length > 1) return addresses.map(person)
    const [only] = addresses
    const beside = cells.filter(({ email }) => !email.includes('@')).map(({ email }) => email)
    return only ? [person({ email: only.email, name: only.name || beside.join(' ') })] : []
  })
}

const person = ({ email, name }: { email: string; name: string }) => ({ email, ...(name !== '' && { name }) })
