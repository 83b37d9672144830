import { readFile } from 'node:fs/promises'
import { Attribute, Change } from 'ldapts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Directory } from '../server/auth/directory.ts'
import { followDirectory } from '../server/background/directory-people.ts'
import { sql } from '../server/db/sql.ts'
import type { LdapSettings } from '../server/settings-reader.ts'
import { startWorkers } from '../server/workers.ts'
import { organization } from './support/cast.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { signInAs, type Visitor, visitor } from './support/people.ts'
import { until } from './support/receiver.ts'
import { PEOPLE, SLAPD, type Slapd, startSlapd } from './support/slapd.ts'

const PASSWORD = 'the password of the directory'
const dnOf = (uid: string) => `uid=${uid},${PEOPLE}`

describe.skipIf(SLAPD === undefined)('members and the directory', () => {
  let slapd: Slapd
  let server: TestParley
  let orgId: string
  let settings: LdapSettings

  beforeAll(async () => {
    slapd = await startSlapd(SLAPD ?? '')
    settings = { ...slapd.settings }
    server = await startTestParley({ ldap: settings })
    orgId = await organization(server)
    for (const name of [
      'Ada Okafor',
      'Ben Ito',
      'Cleo Marx',
      'Dora Lind',
      'Evi Sand',
      'Finn Berg',
      'Gil Roth',
    ])
      await join(name)
    await follow()
  })
  afterAll(async () => {
    await server?.close()
    await slapd?.close()
  })
  beforeEach(() => {
    Object.assign(settings, slapd.settings)
  })

  const follow = () => followDirectory(server.parley, settings)
  const people = new Map<string, Visitor>()

  /** Signs a person in who was not there before; `ada` is Ada. */
  async function join(name: string): Promise<void> {
    const uid = name.toLowerCase().split(' ')[0] ?? ''
    await slapd.addPerson({ uid, name, mail: `${uid}@example.com`, password: PASSWORD })
    people.set(uid, await signIn(uid))
  }
  async function signIn(login: string, status = 200): Promise<Visitor> {
    const at = visitor(server.url)
    server.clock.ahead += 60_000 // sign-ins of one network are limited
    expect((await at.post('/people/sign-in/directory', { login, password: PASSWORD })).status).toBe(status)
    return at
  }
  const isSignedIn = async (uid: string): Promise<boolean> =>
    Object((await people.get(uid)?.get('/people/session'))?.body).account !== null
  const stateOf = async (email: string) =>
    (
      await server.parley.db.query<{ name: string; status: string }>(sql`
        select name, status from profiles where org_id = ${orgId} and email = ${email}`)
    )[0]
  const states = () =>
    server.parley.db.query(sql`
      select email, name, role, status from profiles where org_id = ${orgId} and kind = 'user' order by email`)
  const rename = (uid: string, displayName: string) =>
    slapd.change((admin) =>
      admin.modify(dnOf(uid), [
        new Change({
          operation: 'replace',
          modification: new Attribute({ type: 'displayName', values: [displayName] }),
        }),
      ]),
    )
  const remove = (uid: string) => slapd.change((admin) => admin.del(dnOf(uid)))

  it('archives who has gone, and signs them out', async () => {
    await signInAs(server, { orgId, name: 'Local Person', email: 'local@example.com' })
    await remove('ada')
    expect(await isSignedIn('ada')).toBe(true)
    await follow()
    expect(await stateOf('ada@example.com')).toMatchObject({ status: 'Archived' })
    expect([await isSignedIn('ada'), await isSignedIn('ben')]).toEqual([false, true])
    expect(await stateOf('local@example.com')).toMatchObject({ status: 'Active' })
    const entries = await server.parley.db.query(sql`
      select actor_kind as by, target_name as name from audit_log where org_id = ${orgId} and action = 'member.archived'`)
    expect(entries).toEqual([{ by: 'server', name: 'Ada Okafor' }])
  })

  it('archives whom the filter does not let in any more, and brings nobody back', async () => {
    settings.filter = '(&(uid={login})(!(uid=ben)))'
    await follow()
    expect(await stateOf('ben@example.com')).toMatchObject({ status: 'Archived' })
    Object.assign(settings, slapd.settings)
    await follow()
    expect(await stateOf('ben@example.com')).toMatchObject({ status: 'Archived' })
    await signIn('ben', 401)
  })

  it('renames who was renamed, and leaves a name that was chosen here', async () => {
    await server.parley.db.query(sql`
      update profiles set name = 'Cleo' where org_id = ${orgId} and email = 'cleo@example.com'`)
    await rename('dora', 'Dora Berg')
    await follow()
    expect(await stateOf('dora@example.com')).toMatchObject({ name: 'Dora Berg', status: 'Active' })
    expect(await stateOf('cleo@example.com')).toMatchObject({ name: 'Cleo' })
    await rename('cleo', 'Cleo\nMarx-Berg')
    await follow()
    expect(await stateOf('cleo@example.com')).toMatchObject({ name: 'Cleo Marx-Berg' })
    await slapd.change((admin) => admin.modifyDN(dnOf('dora'), dnOf('d.berg')))
    await follow()
    expect(await stateOf('dora@example.com')).toMatchObject({ status: 'Active' })
  })

  it('changes nothing where the directory is empty, greatly shrunken or away', async () => {
    const before = await states()
    const wrong: Partial<LdapSettings>[] = [
      { filter: '(&(uid={login})(uid=nobody))' },
      { filter: '(&(uid={login})(uid=cleo))' },
      { attributes: { ...settings.attributes, id: 'description' } },
    ]
    for (const changed of wrong) {
      Object.assign(settings, slapd.settings, changed)
      await expect(follow()).rejects.toThrow(/^the directory lacks \d of 5 members, so none was archived/)
    }
    Object.assign(settings, slapd.settings, { reader: undefined })
    await expect(follow()).rejects.toThrow('people cannot be listed')
    Object.assign(settings, slapd.settings, { url: new URL('ldap://localhost:1') })
    await expect(follow()).rejects.toThrow('localhost:1')
    expect(await states()).toEqual(before)
  })

  it('leaves owners, who must be able to get in without the directory', async () => {
    await server.parley.db.query(sql`
      update profiles set role = 'owner' where org_id = ${orgId} and email = 'evi@example.com'`)
    await remove('evi')
    await follow()
    expect(await stateOf('evi@example.com')).toMatchObject({ status: 'Active' })
    expect(await isSignedIn('evi')).toBe(true)
  })

  it('looks up each missing person by the id before it believes the list', async () => {
    const directory = new Directory(settings)
    const [finn = ''] = [...(await directory.listPeople())].find(([, name]) => name === 'Finn Berg') ?? []
    expect(await directory.listGone([finn, 'a0b1', '*', 'x)(uid=*'])).toEqual(['a0b1', '*', 'x)(uid=*'])
    settings.filter = '(&(uid={login})(!(uid=finn)))'
    expect(await directory.listGone([finn])).toEqual([finn])
  })

  it('reads more people than a page has', async () => {
    await slapd.change(async (admin) => {
      for (let number = 0; number < 600; number += 1)
        await admin.add(dnOf(`many${number}`), {
          objectClass: 'inetOrgPerson',
          cn: `Many ${number}`,
          sn: 'Many',
        })
    })
    const names = new Set((await new Directory(settings).listPeople()).values())
    expect(names.size).toBeGreaterThan(600)
    expect(names).toContain('Many 599')
  })

  it('knows the ids of Active Directory, which are bytes', async () => {
    settings.attributes = { ...settings.attributes, id: 'objectguid' }
    const guid = (last: number) =>
      Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xef, 0xbf, 0xbd, 0x28, 0x29, 0x2a, last])
    const addGuid = (uid: string, last: number) =>
      slapd.change((admin) =>
        admin.modify(dnOf(uid), [
          new Change({
            operation: 'add',
            modification: new Attribute({ type: 'objectClass', values: ['hasGuid'] }),
          }),
          new Change({
            operation: 'add',
            modification: new Attribute({ type: 'objectGUID', values: [guid(last)] }),
          }),
        ]),
      )
    for (const uid of ['hal', 'ida', 'jo']) {
      await slapd.addPerson({ uid, name: uid, mail: `${uid}@example.com`, password: PASSWORD })
      await addGuid(uid, uid.charCodeAt(0))
    }
    const directory = new Directory(settings)
    const hal = await directory.signIn('hal', PASSWORD)
    expect(hal.subject).toBe(guid('h'.charCodeAt(0)).toString('hex'))
    expect((await directory.listPeople()).get(hal.subject)).toBe('hal')
    const unknown = guid(0).toString('hex')
    expect(await directory.listGone([hal.subject, unknown])).toEqual([unknown])
  })

  it('takes the filter for Active Directory that the documentation has', async () => {
    const docs = await readFile('docs/people.md', 'utf8')
    const filter = /LDAP_FILTER='(.*)'/.exec(docs)?.[1] ?? ''
    expect(filter).toContain('sAMAccountName')
    settings.filter = filter // no entry of this directory has these attributes
    await new Directory(settings).check()
    expect(await new Directory(settings).listPeople()).toEqual(new Map())
  })

  it('is done by a worker, which says what is wrong', async () => {
    settings.filter = '(&(uid={login})(uid=nobody))'
    const workers = await startWorkers(server.parley)
    try {
      const worker = [...server.parley.workers].find(({ state }) => state.name === 'directory')
      await until(() => worker?.state.lastError?.includes('members, so none was archived') === true)
      Object.assign(settings, slapd.settings)
      await remove('gil')
      worker?.wake()
      await until(async () => (await stateOf('gil@example.com'))?.status === 'Archived')
      await until(() => worker?.state.lastError === null)
    } finally {
      await workers.stop()
    }
  })
})
