import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'ldapts'
import type { LdapSettings } from '../../server/settings-reader.ts'
import { isInstalled } from './programs.ts'
import { closedPort, until } from './receiver.ts'

/** Debian puts it where only root's path leads; undefined: it, or openssl, is not installed. */
export const SLAPD = isInstalled('openssl')
  ? ['slapd', '/usr/sbin/slapd'].find((path) => spawnSync(path, ['-VV']).error === undefined)
  : undefined

export const SUFFIX = 'dc=example,dc=com'
export const PEOPLE = `ou=people,${SUFFIX}`
const NAME = 'Lighthouse directory'
const ADMIN = { dn: `cn=admin,${SUFFIX}`, password: 'the password of the admin' }
const READER = { dn: `cn=reader,${SUFFIX}`, password: 'the password of the reader' }

export type Slapd = {
  port: number
  tlsPort: number
  /** PEM of the authority that signed its certificate, which is for `localhost`. */
  authority: string
  /** `settings` as the environment has them. */
  environment: Record<string, string>
  /** Settings for people below `PEOPLE`, by StartTLS. */
  settings: LdapSettings
  /** Runs changes as the directory's admin. */
  change<Result>(work: (admin: Client) => Promise<Result>): Promise<Result>
  addPerson(person: DirectoryPerson): Promise<string>
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

export type DirectoryPerson = { uid: string; mail?: string; name: string; password: string }

/** OpenLDAP's server with a certificate of an authority of its own. It welcomes names without a password, as careless directories do. */
export async function startSlapd(program: string): Promise<Slapd> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-slapd-'))
  mkdirSync(join(folder, 'data'))
  const authority = makeCertificates(folder)
  const [port, tlsPort] = [await closedPort(), await closedPort()]
  writeFileSync(join(folder, 'slapd.conf'), configuration(folder))
  let child: ReturnType<typeof spawn> | undefined
  const change: Slapd['change'] = async (work) => {
    const admin = new Client({ url: `ldap://127.0.0.1:${port}` })
    try {
      await admin.bind(ADMIN.dn, ADMIN.password)
      return await work(admin)
    } finally {
      await admin.unbind()
    }
  }
  const slapd: Slapd = {
    port,
    tlsPort,
    authority,
    environment: {
      LDAP_URL: `ldap://localhost:${port}`,
      LDAP_CA: join(folder, 'authority.pem'),
      LDAP_BIND_DN: READER.dn,
      LDAP_BIND_PASSWORD: READER.password,
      LDAP_BASE_DN: PEOPLE,
      LDAP_DOMAINS: 'example.com',
      LDAP_NAME: NAME,
    },
    settings: {
      url: new URL(`ldap://localhost:${port}`),
      startTls: true,
      authorities: authority,
      reader: READER,
      baseDn: PEOPLE,
      filter: '(|(uid={login})(mail={login}))',
      attributes: { id: 'entryUUID', email: 'mail', name: 'displayName' },
      syncMs: 5 * 60_000,
      name: NAME,
      organizationId: undefined,
      domains: ['example.com'],
    },
    change,
    async addPerson({ uid, mail, name, password }) {
      const dn = `uid=${uid},${PEOPLE}`
      const [sn = name] = name.split(' ').slice(-1)
      await change((admin) =>
        admin.add(dn, {
          objectClass: ['inetOrgPerson'],
          cn: name,
          sn,
          displayName: name,
          userPassword: password,
          ...(mail !== undefined && { mail }),
        }),
      )
      return dn
    },
    async start() {
      const addresses = `ldap://localhost:${port} ldaps://localhost:${tlsPort}`
      child = spawn(program, ['-f', join(folder, 'slapd.conf'), '-h', addresses, '-d', '0'], {
        stdio: 'ignore',
      })
      await until(() =>
        change(async () => true).catch(() => {
          if (child?.exitCode !== null) throw new Error('slapd does not start')
          return false
        }),
      )
    },
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
    async close() {
      await slapd.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  await slapd.start()
  await change(async (admin) => {
    await admin.add(SUFFIX, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Lighthouse' })
    await admin.add(PEOPLE, { objectClass: 'organizationalUnit', ou: 'people' })
    await admin.add(READER.dn, {
      objectClass: ['organizationalRole', 'simpleSecurityObject'],
      cn: 'reader',
      userPassword: READER.password,
    })
  })
  return slapd
}

const configuration = (folder: string): string => `
include /etc/ldap/schema/core.schema
include /etc/ldap/schema/cosine.schema
include /etc/ldap/schema/inetorgperson.schema
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch
  SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 SINGLE-VALUE )
objectclass ( 1.3.6.1.4.1.4203.666.1 NAME 'hasGuid' SUP top AUXILIARY MAY objectGUID )
modulepath /usr/lib/ldap
moduleload back_mdb
pidfile ${folder}/slapd.pid
allow bind_anon_dn
TLSCACertificateFile ${folder}/authority.pem
TLSCertificateFile ${folder}/certificate.pem
TLSCertificateKeyFile ${folder}/key.pem
database mdb
suffix "${SUFFIX}"
rootdn "${ADMIN.dn}"
rootpw "${ADMIN.password}"
directory ${folder}/data
maxsize 67108864
dbnosync
limits dn.exact="${READER.dn}" size=unlimited
access to attrs=userPassword by anonymous auth by * none
access to * by dn.exact="${READER.dn}" read by * none
`

/** Makes an authority and a certificate for `localhost`; returns the authority's own. */
function makeCertificates(folder: string): string {
  const file = (name: string) => join(folder, name)
  const openssl = (...given: string[]) => execFileSync('openssl', given, { stdio: 'ignore' })
  const key = ['-newkey', 'rsa:2048', '-nodes']
  const authority = ['-keyout', file('authority.key'), '-out', file('authority.pem')]
  openssl('req', '-x509', ...key, '-days', '2', '-subj', '/CN=Lighthouse authority', ...authority)
  openssl('req', ...key, '-subj', '/CN=localhost', '-keyout', file('key.pem'), '-out', file('request.pem'))
  writeFileSync(file('names'), 'subjectAltName=DNS:localhost')
  const signed = ['-CA', file('authority.pem'), '-CAkey', file('authority.key'), '-CAcreateserial']
  const named = ['-days', '2', '-extfile', file('names')]
  openssl('x509', '-req', '-in', file('request.pem'), ...signed, ...named, '-out', file('certificate.pem'))
  return readFileSync(file('authority.pem'), 'utf8')
}
