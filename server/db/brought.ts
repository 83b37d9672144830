/** A database brought up to date: the newest migration before and after, and the names of everything applied. */
export type Brought = {
  /** Undefined if the database was empty: it got its tables from the schema, which includes `migrations`. */
  from: string | undefined
  to: string | undefined
  migrations: string[]
  /** Functions whose text, or whose copy on a worker, differed from this version's. */
  functions: string[]
}

/** One line for the log; undefined if the database is new, which the first greeting tells, or was up to date. */
export function describeBrought({ from, to, migrations, functions }: Brought): string | undefined {
  if (from === undefined) return undefined
  if (migrations.length > 0) {
    const applied = `${count(migrations, 'migration')}, ${count(functions, 'function')}`
    return `brought the database from ${numberOf(from)} to ${numberOf(to)} (${applied})`
  }
  if (functions.length === 0) return undefined
  return `brought ${count(functions, 'function')} of the database at ${numberOf(to)} to this version: ${functions.join(', ')}`
}

const count = (names: readonly string[], noun: string): string =>
  `${names.length} ${noun}${names.length === 1 ? '' : 's'}`

/** `0119` of `0119_a_name.sql`. */
const numberOf = (name: string | undefined): string => name?.replace(/_.*/, '') ?? ''
