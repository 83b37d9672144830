import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { LIMITS } from '../contract/limits.ts'
import { audit, OPERATOR } from '../server/actions/organization/audit.ts'
import { beginRemoval } from '../server/actions/organization/organization-removal.ts'
import { createLabel } from '../server/actions/topics/labels.ts'
import { AuditSender } from '../server/audit-delivery/worker.ts'
import { sql } from '../server/db/sql.ts'
import { ENCRYPTED } from '../server/keys/re-encrypt.ts'
import { connectGuardedTls } from '../server/network/guard.ts'
import { readLateAuditDestinations } from '../server/queries/organization/audit-destinations.ts'
import { newOrganization, type TestOrganization } from './support/console.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { PATIENCE_MS } from './support/patience.ts'
import { closedPort, ON_LOOPBACK, type Receiver, startReceiver } from './support/receiver.ts'

/** A self-signed certificate for 127.0.0.1. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBYzCCAQqgAwIBAgIBATAKBggqhkjOPQQDAjAYMRYwFAYDVQQDDA1sb29wYmFj
ay50ZXN0MCAXDTIwMDEwMTAwMDAwMFoYDzIxMjAwMTAxMDAwMDAwWjAYMRYwFAYD
VQQDDA1sb29wYmFjay50ZXN0MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEpAKB
Uo7C9xw/zp2/y6+jSVG6GcsK2hsyLIKvhdecOJ1yYgOiesrAdCsTaP/nZ+YewXPg
gttgGKU2OThIlpDwsaNDMEEwDwYDVR0RBAgwBocEfwAAATAPBgNVHRMBAf8EBTAD
AQH/MB0GA1UdDgQWBBQloq7xA8uUNVyBy3jDllw/4ugtfTAKBggqhkjOPQQDAgNH
ADBEAiA+TL+BRA5/X8i7rLlpG+en3kwjggCRU58KqvrKWgmzuwIgMj/6Lr1VHhRe
ll4/YOd58Fj75HdHFrkYjiBrPY00ZYI=
-----END CERTIFICATE-----
`
const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcAv75P3YjeGzArUq
yJl38NxgWCyayTEXgNiKqfvoru6hRANCAASkAoFSjsL3HD/Onb/Lr6NJUboZywra
GzIsgq+F15w4nXJiA6J6ysB0KxNo/+dn5h7Bc+CC22AYpTY5OEiWkPCx
-----END PRIVATE KEY-----
`

let server: TestParley
const senders: AuditSender[] = []
const closing: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  server = await startTestParley({ ...ON_LOOPBACK, webhookAllowedOrganizations: 'all' })
})
afterEach(async () => {
  await Promise.all(senders.splice(0).map((sender) => sender.stop()))
  await Promise.all(closing.splice(0).map((close) => close()))
  await server.parley.db.query(sql`delete from audit_destinations`)
  server.clock.ahead = 0
})
afterAll(() => server.close())

function startSender(): AuditSender {
  const sender = new AuditSender(server.parley)
  senders.push(sender)
  return sender
}

async function stopSender(sender: AuditSender): Promise<void> {
  senders.splice(senders.indexOf(sender), 1)
  await sender.stop()
}

const at = ({ orgId }: TestOrganization) => `/people/organizations/${orgId}/audit/destinations`

async function add(organization: TestOrganization, body: object): Promise<{ id: string; secret: string }> {
  const made = await organization.admin.post(at(organization), body)
  expect(made.status, made.text).toBe(201)
  const { destination, secret } = Object(made.body)
  return { id: destination.id, secret }
}

const listed = async (organization: TestOrganization) =>
  Object((await organization.admin.get(at(organization))).body).destinations

const test = async (organization: TestOrganization, id: string) => {
  const { status, body, text } = await organization.admin.post(`${at(organization)}/${id}/test`, {})
  expect(status, text).toBe(200)
  return Object(body)
}

const labels = (organization: TestOrganization, count: number, from = 0) =>
  Promise.all(
    Array.from({ length: count }, (_one, number) =>
      server.parley.db.write(organization.orgId, (tx) => createLabel(tx, `label ${from + number}`, OPERATOR)),
    ),
  )

const tryNow = ({ orgId }: TestOrganization) =>
  server.parley.db.query(sql`update audit_destinations set due_at = 0 where org_id = ${orgId}`)

/** The ids of the entries since the destination was added, the oldest first. */
async function expectedOf({ orgId }: TestOrganization, id: string): Promise<string[]> {
  const rows = await server.parley.db.query<{ id: string }>(sql`
    select l.id from audit_log l join audit_destinations d on d.org_id = l.org_id and d.id = ${id}
    where l.org_id = ${orgId} and l.at >= d.created_at and l.action <> 'organization.created' order by l.id`)
  return rows.map((row) => row.id)
}

const without = (ids: readonly string[]) => [...new Set(ids)]

type SyslogReceiver = {
  address: string
  messages: string[]
  /** Deals with a connection before it is read; returns whether it did. */
  before: (socket: TLSSocket) => boolean
  ids(): string[]
  close(): Promise<void>
}

/** A receiver of RFC 5425: it reads messages by their length, and ends a connection when the sender did. */
async function startSyslog(): Promise<SyslogReceiver> {
  const sockets = new Set<TLSSocket>()
  const tls = createTlsServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    if (receiver.before(socket)) return
    let kept = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      kept = Buffer.concat([kept, chunk])
      for (;;) {
        const space = kept.indexOf(' ')
        const length = Number(kept.subarray(0, space).toString())
        if (space < 0 || kept.length < space + 1 + length) return
        receiver.messages.push(kept.subarray(space + 1, space + 1 + length).toString())
        kept = kept.subarray(space + 1 + length)
      }
    })
  })
  await new Promise<void>((resolve) => tls.listen(0, '127.0.0.1', resolve))
  const { port } = tls.address() as AddressInfo
  const receiver: SyslogReceiver = {
    address: `127.0.0.1:${port}`,
    messages: [],
    before: () => false,
    ids: () => receiver.messages.map((message) => eventIn(message).metadata.uid),
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => tls.close(resolve))
    },
  }
  closing.push(() => receiver.close())
  return receiver
}

const SYSLOG = /^<(\d+)>1 (\S+) (\S+) parley - (\S+) - (\{.*\})$/s
function eventIn(message: string) {
  const [, priority, stamp, host, msgid, json = ''] = SYSLOG.exec(message) ?? []
  expect(json, message).not.toBe('')
  return { priority, stamp, host, msgid, ...JSON.parse(json) }
}

async function startWebhook(): Promise<Receiver> {
  const receiver = await startReceiver()
  closing.push(() => receiver.close())
  return receiver
}

const idsIn = ({ received }: Receiver, from = 0): string[] =>
  received
    .slice(from)
    .flatMap(({ event }) =>
      Object(event.data).events.map(({ metadata }: { metadata: { uid: string } }) => metadata.uid),
    )

const eventually = (look: () => unknown) => expect.poll(look, { timeout: PATIENCE_MS })

describe('a webhook', () => {
  it('gets every entry in order, signed as webhooks of bots are', async () => {
    const here = await newOrganization(server, 'Here')
    const receiver = await startWebhook()
    const { id, secret } = await add(here, { kind: 'webhook', address: receiver.url })
    await labels(here, 250)
    startSender()
    const expected = await expectedOf(here, id)
    expect(expected).toHaveLength(251)
    await eventually(() => idsIn(receiver)).toEqual(expected)
    for (const { headers, raw, event } of receiver.received) {
      const signed = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}.`).update(raw)
      expect(headers['x-service-signature']).toBe(signed.digest('hex'))
      const about = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`
      const standard = createHmac('sha256', secret).update(about).update(raw).digest('base64')
      expect(headers['webhook-signature']).toBe(`v1,${standard}`)
      expect(event.type).toBe('audit.entries')
    }
    expect(Object(receiver.received[0]?.event.data).events[0]).toMatchObject({
      metadata: { event_code: 'organization.audit_destination_added', tenant_uid: here.orgId },
      class_uid: 3004,
    })
    await eventually(async () => await listed(here)).toMatchObject([
      { id, waiting: 0, sentAt: expect.any(Number) },
    ])
  })

  it('gets requests of a size, however long the entries are', async () => {
    const here = await newOrganization(server, 'Wordy')
    const receiver = await startWebhook()
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    const changes = [{ field: 'question', to: 'x'.repeat(40_000) }]
    const target = { type: 'bot', id: 'b@1', name: 'Bot' } as const
    await server.parley.db.write(here.orgId, async (tx) => {
      for (let number = 0; number < 30; number++)
        await audit(tx, OPERATOR, { action: 'bot.answered', target, changes })
    })
    startSender()
    const expected = await expectedOf(here, id)
    await eventually(() => idsIn(receiver)).toEqual(expected)
    for (const { raw } of receiver.received) expect(raw.length).toBeLessThan(320 * 1024)
  })

  it('misses nothing where the receiver fails and Parley restarts in the middle', async () => {
    const here = await newOrganization(server, 'Restarted')
    const receiver = await startWebhook()
    receiver.script(200, 500, 'close')
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    await labels(here, 150)
    const first = startSender()
    await receiver.has(2) // the first hundred arrived, the rest was refused
    await eventually(async () => (await listed(here))[0].fault?.kind).toBe('status')
    expect(await listed(here)).toMatchObject([
      {
        waiting: 51,
        fault: { kind: 'status', detail: 'the answer was 500' },
        nextAttemptAt: expect.any(Number),
      },
    ])
    await stopSender(first)
    await labels(here, 30, 150)
    startSender()
    await tryNow(here)
    await receiver.has(3)
    await eventually(async () => (await listed(here))[0].fault?.kind).toBe('refused')
    await tryNow(here)
    const expected = await expectedOf(here, id)
    await eventually(() => without(idsIn(receiver))).toEqual(expected)
    await eventually(async () => (await listed(here))[0].waiting).toBe(0)
    expect(await listed(here)).toEqual([expect.not.objectContaining({ failingSince: expect.any(Number) })])
  })

  it('gets entries again whose answer a stop has cut off', async () => {
    const here = await newOrganization(server, 'Cut off')
    const receiver = await startWebhook()
    receiver.script('hang')
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    const first = startSender()
    await receiver.has(1)
    await stopSender(first)
    expect((await listed(here))[0]).toMatchObject({ waiting: 1 })
    expect((await listed(here))[0]).not.toHaveProperty('fault')
    startSender()
    await receiver.has(2)
    const expected = await expectedOf(here, id)
    expect(idsIn(receiver)).toEqual([...expected, ...expected])
  })

  it('is sent to by one of two nodes at a time', async () => {
    const here = await newOrganization(server, 'Two nodes')
    const receiver = await startWebhook()
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    startSender()
    startSender()
    await labels(here, 320)
    const expected = await expectedOf(here, id)
    await eventually(() => idsIn(receiver)).toEqual(expected)
    expect(receiver.mostActive).toBe(1)
  })

  it('that hangs delays no other organization', async () => {
    const [slow, quick] = [await newOrganization(server, 'Slow'), await newOrganization(server, 'Quick')]
    const [hanging, receiver] = [await startWebhook(), await startWebhook()]
    hanging.otherwise = 'hang'
    await add(slow, { kind: 'webhook', address: hanging.url })
    startSender()
    await hanging.has(1)
    const { id } = await add(quick, { kind: 'webhook', address: receiver.url })
    await eventually(() => idsIn(receiver)).toEqual(await expectedOf(quick, id))
    expect(hanging.active).toBe(1)
  })
})

describe('syslog', () => {
  it('gets every entry in order over TLS, as RFC 5424', async () => {
    const here = await newOrganization(server, 'Syslog')
    const receiver = await startSyslog()
    const { id } = await add(here, {
      kind: 'syslog',
      address: receiver.address,
      caCertificate: CERTIFICATE,
    })
    await server.parley.db.write(here.orgId, (tx) => createLabel(tx, 'Größe \u{1F512}', OPERATOR))
    await labels(here, 120)
    startSender()
    const expected = await expectedOf(here, id)
    await eventually(() => receiver.ids()).toEqual(expected)
    const first = eventIn(receiver.messages[0] ?? '')
    expect(first).toMatchObject({
      priority: '108',
      msgid: 'organization.audit_destination_a',
      host: new URL(server.parley.config.baseUrl).hostname,
      metadata: { event_code: 'organization.audit_destination_added' },
    })
    expect(first.stamp).toBe(new Date(first.time).toISOString())
    expect(eventIn(receiver.messages[1] ?? '').entity.name).toBe('Größe \u{1F512}')
    expect(eventIn(receiver.messages[1] ?? '').priority).toBe('110')
  })

  it('misses nothing where the receiver breaks off and Parley restarts in the middle', async () => {
    const here = await newOrganization(server, 'Broken off')
    const receiver = await startSyslog()
    let connections = 0
    receiver.before = (socket) => {
      connections += 1
      if (connections === 2) socket.destroy()
      return connections === 2
    }
    const { id } = await add(here, {
      kind: 'syslog',
      address: receiver.address,
      caCertificate: CERTIFICATE,
    })
    await labels(here, 180)
    const first = startSender()
    await eventually(async () => (await listed(here))[0].fault?.kind).toBe('closed')
    expect(receiver.messages).toHaveLength(100)
    await stopSender(first)
    await labels(here, 20, 180)
    startSender()
    await tryNow(here)
    await eventually(() => receiver.ids()).toEqual(await expectedOf(here, id))
  })
})

describe('a test', () => {
  it('says that it arrived, with an entry that is in the log', async () => {
    const here = await newOrganization(server, 'Tested')
    const [receiver, syslog] = [await startWebhook(), await startSyslog()]
    const hook = await add(here, { kind: 'webhook', address: receiver.url })
    const log = await add(here, { kind: 'syslog', address: syslog.address, caCertificate: CERTIFICATE })
    expect(await test(here, hook.id)).toEqual({ arrived: true })
    expect(await test(here, log.id)).toEqual({ arrived: true })
    const sent = [...idsIn(receiver), ...syslog.ids()]
    expect(sent).toHaveLength(2)
    expect(await expectedOf(here, log.id)).toEqual(expect.arrayContaining(sent))
  })

  it('says what went wrong', async () => {
    const here = await newOrganization(server, 'Wrong')
    const receiver = await startWebhook()
    const syslog = await startSyslog()
    const plain = createTcpServer((socket) =>
      socket
        .on('error', () => {})
        .resume()
        .end('no encryption here\n'),
    )
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve))
    closing.push(() => new Promise((resolve) => plain.close(resolve)))
    const plainPort = (plain.address() as AddressInfo).port
    const faultAt = async (body: object) => {
      const { id } = await add(here, body)
      const { arrived, fault } = await test(here, id)
      expect(arrived).toBe(false)
      expect((await here.admin.delete(`${at(here)}/${id}`)).status).toBe(204)
      return fault
    }
    receiver.script(403, { status: 302, headers: { location: 'http://127.0.0.1/' } })
    expect(await faultAt({ kind: 'webhook', address: receiver.url })).toEqual({
      kind: 'status',
      detail: 'the answer was 403',
    })
    expect(await faultAt({ kind: 'webhook', address: receiver.url })).toMatchObject({ kind: 'redirect' })
    const nobody = await closedPort()
    expect(await faultAt({ kind: 'webhook', address: `http://127.0.0.1:${nobody}/` })).toMatchObject({
      kind: 'refused',
    })
    expect(await faultAt({ kind: 'syslog', address: `127.0.0.1:${nobody}` })).toMatchObject({
      kind: 'refused',
    })
    expect(await faultAt({ kind: 'syslog', address: syslog.address })).toMatchObject({ kind: 'tls' })
    expect(
      await faultAt({ kind: 'syslog', address: `127.0.0.1:${plainPort}`, caCertificate: CERTIFICATE }),
    ).toMatchObject({ kind: 'tls' })
    expect(await faultAt({ kind: 'syslog', address: 'nothing.invalid' })).toMatchObject({ kind: 'dns' })
    syslog.before = (socket) => {
      socket.destroy()
      return true
    }
    expect(
      await faultAt({ kind: 'syslog', address: syslog.address, caCertificate: CERTIFICATE }),
    ).toMatchObject({ kind: 'closed' })
  })

  it('lets a destination that failed go on at once', async () => {
    const here = await newOrganization(server, 'Mended')
    const receiver = await startWebhook()
    receiver.script(500)
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    startSender()
    await eventually(async () => (await listed(here))[0].fault?.kind).toBe('status')
    expect(await test(here, id)).toEqual({ arrived: true })
    await eventually(async () => (await listed(here))[0].waiting).toBe(0)
  })

  it('has a rate', async () => {
    const here = await newOrganization(server, 'Often')
    const receiver = await startWebhook()
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    for (let count = 0; count < LIMITS.auditTestsPerMinute; count++)
      await server.parley.rateLimiter.take(`audit-test:${here.orgId}`, LIMITS.auditTestsPerMinute)
    expect((await here.admin.post(`${at(here)}/${id}/test`, {})).status).toBe(429)
    expect(receiver.received).toHaveLength(0)
  })
})

describe('destinations', () => {
  it('are for admins, and of their organization', async () => {
    const [here, there] = [await newOrganization(server, 'Ours'), await newOrganization(server, 'Theirs')]
    const receiver = await startWebhook()
    const { id, secret } = await add(here, { kind: 'webhook', address: receiver.url })
    expect((await here.member.get(at(here))).status).toBe(403)
    expect((await here.member.post(at(here), { kind: 'webhook', address: receiver.url })).status).toBe(403)
    expect((await here.member.post(`${at(here)}/${id}/test`, {})).status).toBe(403)
    expect((await here.member.delete(`${at(here)}/${id}`)).status).toBe(403)
    expect(await listed(there)).toEqual([])
    expect((await there.owner.delete(`${at(there)}/${id}`)).status).toBe(404)
    expect((await there.owner.post(`${at(there)}/${id}/test`, {})).status).toBe(404)
    expect(JSON.stringify(await listed(here))).not.toContain(secret)
    expect(JSON.stringify(await server.parley.db.query(sql`select * from audit_destinations`))).not.toContain(
      secret,
    )
    expect(ENCRYPTED.some(({ table }) => table === 'audit_destinations')).toBe(true)
    await server.parley.db.write(there.orgId, (tx) => createLabel(tx, 'secret of theirs', OPERATOR))
    startSender()
    await receiver.has(1)
    expect(receiver.received.map(({ raw }) => raw.toString()).join('')).not.toContain('secret of theirs')
  })

  it('are refused where they are wrong', async () => {
    const closed = await startTestParley()
    try {
      const here = await newOrganization(closed, 'Careful')
      const refused = async (body: object) => {
        const { status, headers } = await here.admin.post(at(here), body)
        return `${status} ${headers.get('x-error-code')}`
      }
      const address = 'siem.example.com'
      expect(await refused({ kind: 'webhook', address: 'siem.example.com' })).toBe('400 webhook_url_invalid')
      for (const [kind, bad] of [
        ['webhook', 'http://127.0.0.1/'],
        ['webhook', 'http://169.254.169.254/latest'],
        ['syslog', '127.0.0.1:6514'],
        ['syslog', '[::1]'],
        ['syslog', '10.0.0.1'],
        ['syslog', '0x7f.1'],
        ['syslog', '2130706433:6514'],
      ])
        expect(await refused({ kind, address: bad }), bad).toBe('400 webhook_url_not_public')
      for (const bad of [
        'a b',
        'host:0',
        'host:99999',
        'https://host',
        'user@host',
        'host/path',
        'host?x',
        ':6514',
        '[::1',
      ])
        expect(await refused({ kind: 'syslog', address: bad }), bad).toBe('400 syslog_address_invalid')
      for (const bad of ['none', `${CERTIFICATE}x`, CERTIFICATE.replaceAll(/[A-Z]/g, 'A')])
        expect(await refused({ kind: 'syslog', address, caCertificate: bad })).toBe(
          '400 ca_certificate_invalid',
        )
      expect(
        await refused({ kind: 'webhook', address: 'https://siem.example.com/', caCertificate: CERTIFICATE }),
      ).toBe('400 ca_certificate_of_webhook')
      expect(await refused({ kind: 'mail', address })).toContain('400')
      expect(await refused({ kind: 'syslog', address, caCertificate: CERTIFICATE })).toBe('201 null')
      expect(await refused({ kind: 'syslog', address: 'SIEM.example.com:6514' })).toBe(
        '400 audit_destination_known',
      )
      for (let count = 1; count < LIMITS.auditDestinations; count++)
        expect(await refused({ kind: 'syslog', address: `${address}:${count}` })).toBe('201 null')
      expect(await refused({ kind: 'syslog', address: 'other.example.com' })).toBe(
        '400 audit_destinations_full',
      )
    } finally {
      await closed.close()
    }
  })

  it('are not reached inside the network, whatever a name says or a setting said before', async () => {
    const receiver = await startSyslog()
    const port = Number(receiver.address.split(':')[1])
    const resolve = async () => [{ address: '127.0.0.1', family: 4 as const }]
    const socket = connectGuardedTls([], { host: 'name.test', port }, { resolve, ca: CERTIFICATE })
    const [error] = await once(socket, 'error').catch((failure: unknown) => [failure])
    expect(error).toMatchObject({ outcome: 'blocked' })
    const here = await newOrganization(server, 'Formerly open')
    const [hook, log] = [await startWebhook(), await startSyslog()]
    await add(here, { kind: 'webhook', address: hook.url })
    await add(here, { kind: 'syslog', address: log.address, caCertificate: CERTIFICATE })
    const config = { ...server.parley.config, webhookAllowedNetworks: [] }
    const sender = new AuditSender({ ...server.parley, config })
    senders.push(sender)
    await eventually(async () =>
      (await listed(here)).map(({ fault }: { fault?: { kind: string } }) => fault?.kind),
    ).toEqual(['blocked', 'blocked'])
    expect([hook.received, log.messages]).toEqual([[], []])
  })

  it('get nothing of an organization that is being removed', async () => {
    const here = await newOrganization(server, 'Removed')
    const receiver = await startWebhook()
    await add(here, { kind: 'webhook', address: receiver.url })
    const size = { people: 0, bots: 0, topics: 0, messages: 0, files: 0, bytes: 0, holds: 0 }
    await beginRemoval(server.parley.db, { orgId: here.orgId, name: 'Removed', size })
    const other = await newOrganization(server, 'Staying')
    const next = await startWebhook()
    const { id } = await add(other, { kind: 'webhook', address: next.url })
    startSender()
    await eventually(() => idsIn(next)).toEqual(await expectedOf(other, id))
    expect(receiver.received).toHaveLength(0)
  })

  it('stop with their removal', async () => {
    const here = await newOrganization(server, 'Ended')
    const receiver = await startWebhook()
    const { id } = await add(here, { kind: 'webhook', address: receiver.url })
    startSender()
    await receiver.has(1)
    await eventually(async () => (await listed(here))[0].waiting).toBe(0)
    expect((await here.admin.delete(`${at(here)}/${id}`)).status).toBe(204)
    const count = receiver.received.length
    const other = await startWebhook()
    await labels(here, 3)
    const next = await add(here, { kind: 'webhook', address: other.url })
    await eventually(() => idsIn(other)).toEqual(await expectedOf(here, next.id))
    expect(receiver.received).toHaveLength(count)
  })

  it('that lag are told to operators', async () => {
    const here = await newOrganization(server, 'Lagging')
    const receiver = await startWebhook()
    receiver.otherwise = 500
    await add(here, { kind: 'webhook', address: receiver.url })
    startSender()
    await eventually(async () => (await readLateAuditDestinations(server.parley.db, 0)).failing).toBe(1)
    expect(await readLateAuditDestinations(server.parley.db, 0)).toEqual({ all: 1, failing: 1, late: [] })
    expect(await readLateAuditDestinations(server.parley.db, Date.now() + 60_000)).toMatchObject({
      late: [{ orgId: here.orgId, kind: 'webhook', since: expect.any(Number) }],
    })
  })
})
