import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { availableParallelism } from 'node:os'
import { parseNetwork } from './network/networks.ts'
import { readSamlMetadata, type SamlProvider } from './saml-metadata.ts'
import { domainKey } from './text.ts'

export type Environment = Record<string, string | undefined>

/** Each process has a pool of ten connections, and the embedded database has a hundred. */
const MOST_WORKERS = 8

export type Role = 'api' | 'worker'
const ROLES: readonly Role[] = ['api', 'worker']
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/

/** A bucket of any store that speaks S3. */
export type Bucket = {
  name: string
  region: string
  /** Undefined: Amazon's own. */
  endpoint: string | undefined
  /** Undefined: as the environment says (a role of the machine, a profile). */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** Put before every key, such as `parley/`. */
  prefix: string
  /** `endpoint/bucket/key` instead of `bucket.endpoint/key`. */
  pathStyle: boolean
}

/** A provider of single sign-on that speaks OpenID Connect. */
/** Whom a provider of single sign-on lets in, and where they go. */
export type Newcomers = {
  /** The label of the button. */
  name: string
  /** The organization that newcomers join; undefined: the home organization. */
  organizationId: string | undefined
  /** Mail domains that are let in, as `domainKey` writes them; empty: everybody whom the provider lets in. */
  domains: readonly string[]
}

export type SignOnSettings = Newcomers & { issuer: URL; clientId: string; clientSecret: string }

/** A directory that people sign in to by LDAP. */
export type LdapSettings = Newcomers & {
  /** `ldaps://`, or `ldap://` with StartTLS unless it is on this machine. */
  url: URL
  startTls: boolean
  /** PEM: the authorities that the directory's certificate may be signed by; undefined: those of Node. */
  authorities: string | undefined
  /** The account that looks people up; undefined: anonymous. */
  reader: { dn: string; password: string } | undefined
  baseDn: string
  /** A filter of RFC 4515 in which `{login}` stands for what a person entered. */
  filter: string
  attributes: { id: string; email: string; name: string }
  /** Time between two comparisons of members with the directory; 0: there are none. */
  syncMs: number
}

export type SamlSettings = Newcomers & {
  provider: SamlProvider
  /** Whether the provider may begin, without a request of this server. */
  allowsUnasked: boolean
  /** PEM: what providers encrypt assertions with, and how they are read. */
  certificate: string | undefined
  privateKey: string | undefined
}

/** Hides a name and a password that an address holds, for a message. */
const withoutLogin = (address: string): string =>
  address.includes('@') ? `…${address.slice(address.lastIndexOf('@'))}` : address

/** Reads values of settings by their kinds; what is wrong with one is put to `mistakes`, with its fix. */
export function settingsReader(environment: Environment, mistakes: string[]) {
  const optional = (name: string) => environment[name]?.trim() || undefined

  return {
    optional,
    text: (name: string, fallback: string) => optional(name) ?? fallback,

    integer(name: string, fallback: number, minimum: number, maximum: number): number {
      const value = optional(name)
      if (value === undefined) return fallback
      const number = Number(value)
      if (/^\d+$/.test(value) && number >= minimum && number <= maximum) return number
      mistakes.push(
        `${name} is "${value}"; it must be a whole number from ${minimum} to ${maximum} (default ${fallback}).`,
      )
      return fallback
    },

    /** Reads days, fractions allowed, as milliseconds. */
    days(name: string, fallback: number): number {
      const value = optional(name)
      const days = value === undefined ? fallback : Number(value)
      if (days > 0 && days <= 36_500) return Math.round(days * 86_400_000)
      mistakes.push(`${name} is "${value}"; it must be a number of days above 0, such as ${fallback} or 0.5.`)
      return fallback * 86_400_000
    },

    choice<const Choice extends string>(name: string, fallback: Choice, choices: readonly Choice[]): Choice {
      const value = optional(name)
      if (value === undefined) return fallback
      const choice = choices.find((candidate) => candidate === value)
      if (choice === undefined)
        mistakes.push(`${name} is "${value}"; it must be one of ${choices.join(', ')} (default ${fallback}).`)
      return choice ?? fallback
    },

    /** Undefined where nothing is said. */
    onOrOff(name: string): boolean | undefined {
      const value = optional(name)
      if (value !== undefined && value !== 'on' && value !== 'off')
        mistakes.push(`${name} is "${value}"; it must be on or off, or left out.`)
      return value === undefined ? undefined : value === 'on'
    },

    address(name: string): string | undefined {
      const value = optional(name)
      if (value === undefined) return undefined
      const url = URL.canParse(value) ? new URL(value) : undefined
      if (url && /^https?:$/.test(url.protocol) && !url.search && !url.hash) return value.replace(/\/+$/, '')
      mistakes.push(
        `${name} is "${value}"; it must be a plain http or https address, such as https://chat.example.com.`,
      )
      return undefined
    },

    /** `true`: one proxy in front; otherwise the addresses or ranges of the proxies that may be believed. */
    proxies(name: string): boolean | string[] {
      const value = optional(name)
      if (value === undefined || value === 'false') return false
      if (value === 'true') return true
      const ranges = value.split(',').map((range) => range.trim())
      const wrong = ranges.find((range) => isIP(range.split('/')[0] ?? '') === 0)
      if (wrong === undefined) return ranges
      mistakes.push(
        `${name} holds "${wrong}"; it must be true, or the addresses or ranges of your proxies, such as 10.0.0.0/8.`,
      )
      return false
    },

    /** Seconds between tries, each more than nothing and at most a week. */
    waits(name: string, fallback: readonly number[]): readonly number[] {
      const value = optional(name)
      if (value === undefined) return fallback
      const seconds = value.split(',').map((text) => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : 0))
      if (seconds.length <= 50 && seconds.every((wait) => wait > 0 && wait <= 604_800)) return seconds
      mistakes.push(
        `${name} is "${value}"; it must be 1 to 50 waits in seconds, each up to 604800, such as ${fallback.join(',')} (the default).`,
      )
      return fallback
    },

    /** `S3_BUCKET` switches it on; the others describe it. */
    bucket(): Bucket | undefined {
      const name = optional('S3_BUCKET')
      const [accessKeyId, secretAccessKey] = [optional('S3_ACCESS_KEY_ID'), optional('S3_SECRET_ACCESS_KEY')]
      if ((accessKeyId === undefined) !== (secretAccessKey === undefined)) {
        mistakes.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together; set both, or neither.')
      }
      const endpoint = this.address('S3_ENDPOINT')
      const pathStyle =
        this.choice('S3_PATH_STYLE', endpoint === undefined ? 'off' : 'on', ['on', 'off']) === 'on'
      if (name === undefined) {
        if (endpoint !== undefined)
          mistakes.push('S3_ENDPOINT is set, but S3_BUCKET, which names the bucket, is not.')
        return undefined
      }
      return {
        name,
        region: optional('S3_REGION') ?? 'us-east-1',
        endpoint,
        credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
        prefix: optional('S3_PREFIX') ?? '',
        pathStyle,
      }
    },

    /** `OIDC_ISSUER` switches it on; the others describe it. */
    signOn(): SignOnSettings | undefined {
      // Some issuers end with a slash, which belongs to their name.
      const address = this.address('OIDC_ISSUER') && optional('OIDC_ISSUER')
      const [clientId, clientSecret] = [optional('OIDC_CLIENT_ID'), optional('OIDC_CLIENT_SECRET')]
      const newcomers = this.newcomers('OIDC')
      if (address === undefined) {
        if (clientId !== undefined && optional('OIDC_ISSUER') === undefined)
          mistakes.push('OIDC_CLIENT_ID is set, but OIDC_ISSUER, the address of the provider, is not.')
        return undefined
      }
      const issuer = new URL(address)
      if (issuer.protocol === 'http:' && !LOOPBACK.test(issuer.hostname)) {
        mistakes.push(
          `OIDC_ISSUER is "${address}"; it must begin with https://, unless it is on this machine.`,
        )
      }
      if (clientId === undefined || clientSecret === undefined) {
        mistakes.push(
          'OIDC_ISSUER also needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, as the provider gave them.',
        )
        return undefined
      }
      return { issuer, clientId, clientSecret, ...newcomers }
    },

    /** `SAML_METADATA` switches it on; the others describe it. */
    saml(): SamlSettings | undefined {
      const path = optional('SAML_METADATA')
      const newcomers = this.newcomers('SAML')
      if (path === undefined) return undefined
      if (optional('OIDC_ISSUER') !== undefined)
        mistakes.push(
          'SAML_METADATA and OIDC_ISSUER are both set; a server has one provider of single sign-on.',
        )
      if (newcomers.domains.length === 0)
        mistakes.push(
          'SAML_METADATA also needs SAML_DOMAINS, the mail domains of your company, such as example.com,example.org.',
        )
      const [certificate, privateKey] = [this.fileOf('SAML_CERTIFICATE'), this.fileOf('SAML_PRIVATE_KEY')]
      if ((certificate === undefined) !== (privateKey === undefined))
        mistakes.push('SAML_CERTIFICATE and SAML_PRIVATE_KEY go together; set both, or neither.')
      const allowsUnasked = this.onOrOff('SAML_IDP_INITIATED') ?? false
      const text = this.fileOf('SAML_METADATA')
      if (text === undefined) return undefined
      try {
        return { provider: readSamlMetadata(text), allowsUnasked, certificate, privateKey, ...newcomers }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        mistakes.push(
          `SAML_METADATA is "${path}", but ${reason}. Download the metadata of the provider again.`,
        )
        return undefined
      }
    },

    /** `LDAP_URL` switches it on; the others describe it. */
    ldap(): LdapSettings | undefined {
      const address = optional('LDAP_URL')
      const newcomers = this.newcomers('LDAP')
      const authorities = this.fileOf('LDAP_CA')
      const startTls = this.onOrOff('LDAP_START_TLS') ?? true
      const [dn, password, baseDn] = [
        optional('LDAP_BIND_DN'),
        optional('LDAP_BIND_PASSWORD'),
        optional('LDAP_BASE_DN'),
      ]
      const filter = optional('LDAP_FILTER') ?? '(|(uid={login})(mail={login}))'
      const attributes = {
        id: this.attribute('LDAP_ID_ATTRIBUTE', 'entryUUID'),
        email: this.attribute('LDAP_EMAIL_ATTRIBUTE', 'mail'),
        name: this.attribute('LDAP_NAME_ATTRIBUTE', 'displayName'),
      }
      if (address === undefined) {
        if (baseDn !== undefined)
          mistakes.push('LDAP_BASE_DN is set, but LDAP_URL, the address of the directory, is not.')
        return undefined
      }
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (!url || !/^ldaps?:\/\/[^/?#@]+\/?$/.test(address)) {
        mistakes.push(
          `LDAP_URL is "${withoutLogin(address)}"; it must be an address without anything after it, such as ldaps://ldap.example.com.`,
        )
        return undefined
      }
      if (url.protocol === 'ldap:' && !startTls && !LOOPBACK.test(url.hostname))
        mistakes.push(
          'LDAP_START_TLS is off, but passwords need a connection that is encrypted: only a directory on this machine goes without it.',
        )
      if (authorities !== undefined && !authorities.includes('-----BEGIN CERTIFICATE-----'))
        mistakes.push('LDAP_CA must name a file with certificates in the form PEM.')
      if ((dn === undefined) !== (password === undefined))
        mistakes.push('LDAP_BIND_DN and LDAP_BIND_PASSWORD go together; set both, or neither.')
      if (!filter.startsWith('(') || !filter.endsWith(')') || !filter.includes('{login}'))
        mistakes.push(
          `LDAP_FILTER is "${filter}"; it must be a filter in parentheses with {login} for what a person enters, such as (uid={login}).`,
        )
      if (newcomers.domains.length === 0)
        mistakes.push(
          'LDAP_URL also needs LDAP_DOMAINS, the mail domains of your company, such as example.com,example.org.',
        )
      if (optional('OIDC_ISSUER') !== undefined || optional('SAML_METADATA') !== undefined)
        mistakes.push(
          'LDAP_URL is set beside OIDC_ISSUER or SAML_METADATA; a server has one provider of single sign-on.',
        )
      if (baseDn === undefined) {
        mistakes.push('LDAP_URL also needs LDAP_BASE_DN, such as ou=people,dc=example,dc=com.')
        return undefined
      }
      const syncMs = this.integer('LDAP_SYNC_MINUTES', 5, 0, 1440) * 60_000
      const reader = dn === undefined || password === undefined ? undefined : { dn, password }
      return { url, startTls, authorities, reader, baseDn, filter, attributes, syncMs, ...newcomers }
    },

    /** The name of an attribute of a directory. */
    attribute(name: string, fallback: string): string {
      const value = optional(name) ?? fallback
      if (/^[A-Za-z][A-Za-z0-9-]*$/.test(value)) return value
      mistakes.push(`${name} is "${value}"; it must be the name of an attribute, such as ${fallback}.`)
      return fallback
    },

    /** The text of a file that a setting names. */
    fileOf(name: string): string | undefined {
      const path = optional(name)
      if (path === undefined) return undefined
      try {
        return readFileSync(path, 'utf8')
      } catch {
        mistakes.push(`${name} is "${path}", which cannot be read.`)
        return undefined
      }
    },

    newcomers(prefix: 'OIDC' | 'SAML' | 'LDAP'): Newcomers {
      const organizationId = optional(`${prefix}_ORGANIZATION`)
      const domains = (optional(`${prefix}_DOMAINS`) ?? '')
        .toLowerCase()
        .split(',')
        .map((domain) => domain.trim())
      const wrong = domains.find((domain) => !/^([\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)+)?$/u.test(domain))
      if (wrong !== undefined) {
        mistakes.push(
          `${prefix}_DOMAINS holds "${wrong}"; it must be mail domains, such as example.com,example.org.`,
        )
      }
      if (organizationId !== undefined && !UUID.test(organizationId)) {
        mistakes.push(`${prefix}_ORGANIZATION is "${organizationId}"; it must be the id of an organization.`)
      }
      return {
        name: optional(`${prefix}_NAME`) ?? 'single sign-on',
        organizationId: organizationId?.toLowerCase(),
        domains: domains.filter((domain) => domain !== '').map(domainKey),
      }
    },

    networks(name: string): readonly string[] {
      const value = optional(name)
      if (value === undefined) return []
      const ranges = value.split(',').map((range) => range.trim())
      const wrong = ranges.find((range) => !parseNetwork(range))
      if (wrong === undefined) return ranges
      mistakes.push(
        `${name} holds "${wrong}"; it must be addresses or ranges, such as 10.0.0.0/8,fd00::/8,127.0.0.1.`,
      )
      return []
    },

    organizations(name: string): readonly string[] | 'all' {
      const value = optional(name)
      if (value === 'all') return 'all'
      const ids = value?.split(',').map((id) => id.trim().toLowerCase()) ?? []
      const wrong = ids.find((id) => !UUID.test(id))
      if (wrong === undefined) return ids
      mistakes.push(`${name} holds "${wrong}"; it must be ids of organizations, or all.`)
      return []
    },

    headerPrefix(name: string, fallback: string): string {
      const value = optional(name)
      if (value === undefined || /^[A-Za-z][A-Za-z0-9-]{0,49}$/.test(value)) return value ?? fallback
      mistakes.push(
        `${name} is "${value}"; it must be the beginning of a header's name in letters, digits and hyphens, such as ${fallback} (the default).`,
      )
      return fallback
    },

    workers(name: string): number {
      const value = optional(name)
      if (value === undefined) return 1
      if (value === 'auto') return Math.min(Math.max(1, availableParallelism() - 1), MOST_WORKERS)
      const count = /^\d+$/.test(value) ? Number(value) : 0
      if (count >= 1 && count <= MOST_WORKERS) return count
      mistakes.push(`${name} is "${value}"; it must be a whole number from 1 to ${MOST_WORKERS}, or auto.`)
      return 1
    },

    roles(name: string): readonly Role[] {
      const value = optional(name)
      if (value === undefined) return ROLES
      const names = value.split(',').map((role) => role.trim())
      const roles = ROLES.filter((role) => names.includes(role))
      if (roles.length === names.length) return roles
      mistakes.push(`${name} is "${value}"; it must be api, worker, or both: api,worker (the default).`)
      return ROLES
    },
  }
}
