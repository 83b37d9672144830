import { randomUUID } from 'node:crypto'
import { connect as connectPlain, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Client, Entry } from 'ldapts'
import { LIMITS } from '../../contract/limits.ts'
import { tooMany } from '../errors.ts'
import type { LdapSettings } from '../settings-reader.ts'
import type { ExternalIdentity } from './sign-on.ts'

/** Time for one answer of the directory, and for everything that one sign-in asks of it. */
const ANSWER_MS = 5000
const WHOLE_MS = 10_000
/** Time for reading everybody. */
const LIST_MS = 5 * 60_000
const PAGE = 500
/** Sign-ins that talk to the directory at once: a slow one must not gather connections. */
const MAX_AT_ONCE = 40
const RETRY_MS = 5000
/** A directory that cannot take a bind just now says busy or unavailable. */
const PASSING_CODES = [51, 52]
const WRONG_PASSWORD = 49

/** The directory, or the settings for it, need the operator. The message is for the log. */
export class DirectoryAway extends Error {}

/** This person cannot sign in; the message is for the log. */
export class DirectoryRefused extends Error {
  /** The entry whose password was wrong; undefined: no entry was found. */
  readonly subject: string | undefined

  constructor(message: string, subject?: string) {
    super(message)
    this.subject = subject
  }
}

/** Loaded on first use. */
const library = () => import('ldapts')

/** A directory that tells by LDAP who a person is, and whether a password is theirs. */
export class Directory {
  #settings: LdapSettings
  #underWay = 0

  constructor(settings: LdapSettings) {
    this.#settings = settings
  }

  /** The name under which accounts are linked to entries. The address may change: another server has the same entries. */
  get issuer(): string {
    return `ldap:${this.#settings.baseDn.toLowerCase()}`
  }

  /** The person who has this user name and this password; throws `DirectoryRefused` or `DirectoryAway`. */
  async signIn(login: string, password: string): Promise<ExternalIdentity> {
    // A directory may take a name without a password for an anonymous bind, and say yes (RFC 4513, 5.1.2).
    if (password === '') throw new DirectoryRefused('the password is empty')
    if (this.#underWay >= MAX_AT_ONCE) throw tooMany(RETRY_MS, 'attempts_limited')
    this.#underWay += 1
    try {
      return await this.#connected((client) => this.#prove(client, login, password))
    } finally {
      this.#underWay -= 1
    }
  }

  /** The names of everybody who could sign in, by the id; `{login}` stands for any value. Throws `DirectoryAway`. */
  async listPeople(): Promise<Map<string, string>> {
    const { baseDn, filter, attributes } = this.#settings
    return this.#connected(async (client) => {
      const { searchEntries } = await telling(
        'people cannot be listed (LDAP_FILTER with * for {login})',
        () =>
          client.search(baseDn, {
            ...this.#searchOptions(),
            filter: filter.replaceAll('{login}', '*'),
            attributes: [...new Set([attributes.id, attributes.name, 'cn'])],
            paged: { pageSize: PAGE },
          }),
      )
      const people = searchEntries.map((entry) => this.#identityIn(entry))
      return new Map(people.map(({ subject, name = '' }) => [subject, name]))
    }, LIST_MS)
  }

  /** Looks up each of these ids by itself, and returns those that no person who could sign in has. Throws `DirectoryAway`. */
  async listGone(subjects: readonly string[]): Promise<string[]> {
    const { AndFilter, EqualityFilter, FilterParser, OrFilter } = await library()
    const { baseDn, filter, attributes } = this.#settings
    return this.#connected(async (client) => {
      const gone: string[] = []
      for (const subject of subjects) {
        const { searchEntries } = await telling('a person cannot be looked up (LDAP_ID_ATTRIBUTE)', () => {
          const person = FilterParser.parseString(filter.replaceAll('{login}', '*'))
          const ids = valuesOf(subject).map(
            (value) => new EqualityFilter({ attribute: attributes.id, value }),
          )
          return client.search(baseDn, {
            ...this.#searchOptions(),
            filter: new AndFilter({ filters: [person, new OrFilter({ filters: ids })] }),
            attributes: ['1.1'],
          })
        })
        if (searchEntries.length === 0) gone.push(subject)
      }
      return gone
    }, LIST_MS)
  }

  /** Tries everything but a password: the connection, the reader, the base and the filter. Throws `DirectoryAway`. */
  async check(): Promise<void> {
    await this.#connected(async (client) => {
      const { baseDn } = this.#settings
      await telling(`${baseDn} (LDAP_BASE_DN) cannot be read`, async () => {
        const { searchEntries } = await client.search(baseDn, {
          scope: 'base',
          filter: '(objectClass=*)',
          attributes: ['1.1'],
        })
        if (searchEntries.length === 0) throw new Error('it is not there, or this reader may not see it')
      })
      await this.#find(client, randomUUID())
    })
  }

  async #prove(client: Client, login: string, password: string): Promise<ExternalIdentity> {
    const entries = await this.#find(client, login)
    const entry = entries[0]?.dn ? entries[0] : undefined
    if (entries.length > 1) throw new DirectoryRefused('LDAP_FILTER finds several entries for this user name')
    // A bind that must fail: an unknown name takes as many round trips as a wrong password.
    const dn = entry?.dn ?? `cn=${randomUUID()},${this.#settings.baseDn}`
    const identity = entry && this.#identityIn(entry)
    try {
      await client.bind(dn, password)
    } catch (error) {
      throw refusalOf(error, entry !== undefined, identity?.subject)
    }
    if (!identity) throw new DirectoryRefused('no entry has this user name')
    if (identity.subject === '')
      throw new DirectoryRefused(
        `the entry has no readable ${this.#settings.attributes.id} (LDAP_ID_ATTRIBUTE)`,
      )
    return identity
  }

  /** Entries of a user name; two say that it is not clear whose it is. */
  #find(client: Client, login: string): Promise<Entry[]> {
    const { baseDn, filter, attributes } = this.#settings
    return telling('people cannot be looked up (LDAP_BASE_DN, LDAP_FILTER)', async () => {
      const { searchEntries } = await client.search(baseDn, {
        ...this.#searchOptions(),
        filter: filter.replaceAll('{login}', () => escapeForFilter(login)),
        attributes: [...new Set([...Object.values(attributes), 'cn'])],
        sizeLimit: 2,
        timeLimit: ANSWER_MS / 1000,
      })
      return searchEntries
    })
  }

  #searchOptions() {
    // Ids that are bytes, as directories spell them.
    const ids = [this.#settings.attributes.id, 'objectGUID', 'GUID']
    return { scope: 'sub', derefAliases: 'never', explicitBufferAttributes: ids } as const
  }

  #identityIn(entry: Entry): ExternalIdentity {
    const { id, email, name } = this.#settings.attributes
    return {
      issuer: this.issuer,
      subject: idOf(firstOf(entry, id)),
      email: textOf(firstOf(entry, email)),
      name: (textOf(firstOf(entry, name)) ?? textOf(firstOf(entry, 'cn')))?.slice(0, LIMITS.email),
    }
  }

  /**
   * Runs `work` with a connection that is encrypted and bound to the reader. The library connects again by itself where a connection
   * breaks, without StartTLS and unbound: that one is refused, or a password would travel in the clear.
   */
  async #connected<Result>(work: (client: Client) => Promise<Result>, wholeMs = WHOLE_MS): Promise<Result> {
    const { Client } = await library()
    const { url, startTls, authorities, reader } = this.#settings
    const host = url.hostname.replace(/^\[|\]$/g, '')
    const tls = {
      host,
      ...(isIP(host) === 0 && { servername: host }),
      ...(authorities && { ca: authorities }),
    }
    const isTls = url.protocol === 'ldaps:'
    const sockets: Socket[] = []
    let isConnected = false
    const connectOnce = (): void => {
      if (isConnected) throw new Error('the directory closed the connection')
      isConnected = true
    }
    const client = new Client({
      url: url.href.replace(/\/$/, ''),
      timeout: ANSWER_MS,
      connectTimeout: ANSWER_MS,
      ...(isTls && { tlsOptions: tls }),
      createConnection: new Proxy(connectPlain, {
        apply(target, self, given) {
          connectOnce()
          const socket: Socket = Reflect.apply(target, self, given)
          sockets.push(socket)
          return socket
        },
      }),
      createSecureConnection: new Proxy(connectTls, {
        apply(target, self, given) {
          if (isTls) connectOnce()
          const socket: Socket = Reflect.apply(target, self, given)
          sockets.push(socket)
          return socket
        },
      }),
    })
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new DirectoryAway(`${url.host} does not answer in ${wholeMs} ms`)),
        wholeMs,
      )
    })
    const session = async () => {
      if (!isTls && startTls)
        await telling(`no encrypted connection to ${url.host} (LDAP_URL, LDAP_CA)`, () =>
          client.startTLS({ ...tls }),
        )
      await telling(
        reader ? `${reader.dn} (LDAP_BIND_DN) is not let in by ${url.host}` : `${url.host} is not reached`,
        () => client.bind(reader?.dn ?? '', reader?.password ?? ''),
      )
      return work(client)
    }
    try {
      return await Promise.race([session(), limit])
    } finally {
      clearTimeout(timer)
      for (const socket of sockets) socket.on('error', () => {}).destroy()
    }
  }
}

/** Runs a step; an error becomes one for the operator. */
async function telling<Result>(what: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    throw new DirectoryAway(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The error of a bind with the password of a person. */
function refusalOf(error: unknown, isFound: boolean, subject: string | undefined): Error {
  const message = error instanceof Error ? error.message : String(error)
  const code: unknown = Object(error).code
  if (typeof code !== 'number' || PASSING_CODES.includes(code))
    return new DirectoryAway(`the password could not be checked: ${message}`)
  if (!isFound) return new DirectoryRefused('no entry has this user name')
  if (code === WRONG_PASSWORD) return new DirectoryRefused('wrong password', subject)
  return new DirectoryRefused(`the directory does not let the person in: ${message}`, subject)
}

/** A value in a filter (RFC 4515): every sign of ASCII but letters and digits is escaped, so none has a meaning. */
export const escapeForFilter = (value: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL to DEL is ASCII
  value.replace(/[\x00-\x7f]/g, (sign) =>
    /[A-Za-z0-9]/.test(sign) ? sign : `\\${sign.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

/** The first value of an attribute, whose name the directory may spell in other letters. */
function firstOf(entry: Entry, attribute: string): string | Buffer | undefined {
  const name = Object.keys(entry).find((one) => one.toLowerCase() === attribute.toLowerCase())
  const value = name === undefined ? undefined : entry[name]
  return Array.isArray(value) ? value[0] : value
}

const textOf = (value: string | Buffer | undefined): string | undefined => {
  const text = typeof value === 'string' ? value : value?.toString('utf8')
  return text?.trim() || undefined
}

/** An id as text: as it is (`entryUUID`), or in hexadecimal digits where its bytes are none (`objectGUID`). */
function idOf(value: string | Buffer | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string' && value.includes('\ufffd')) return '' // bytes that were read as text are lost
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  const text = bytes.toString('utf8')
  return /^[\x21-\x7e]+$/.test(text) ? text : bytes.toString('hex')
}

/** The values that `idOf` may have been given: digits may be an id as it is, or bytes. */
function valuesOf(id: string): Buffer[] {
  const isHex = id.length % 2 === 0 && /^[0-9a-f]+$/.test(id)
  return [Buffer.from(id), ...(isHex ? [Buffer.from(id, 'hex')] : [])]
}
