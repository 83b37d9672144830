import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import type { Config } from '../server/config.ts'
import { sql } from '../server/db/sql.ts'
import { deliverDueMail, type MailFailure, startMailDelivery } from '../server/mail/deliver.ts'
import { type Mail, queueMail } from '../server/mail/queue.ts'
import { type MailSender, openMailSender } from '../server/mail/sender.ts'
import { call } from './support/client.ts'
import { startTestParley, type TestParley } from './support/parley.ts'
import { type SmtpReceiver, startSmtpReceiver } from './support/smtp.ts'

const MINUTE = 60_000
const INVITATION = {
  to: 'ada@example.com',
  subject: 'You are invited',
  text: 'Open http://127.0.0.1/join#secret now',
}

let server: TestParley
let receiver: SmtpReceiver | undefined

afterEach(async () => {
  await server.close()
  await receiver?.close()
  receiver = undefined
})

async function start(settings: Partial<Config> = {}): Promise<void> {
  server = await startTestParley(settings)
}

async function startWithSmtp(): Promise<SmtpReceiver> {
  receiver = await startSmtpReceiver()
  await start({ smtpUrl: receiver.url })
  return receiver
}

const queue = (mail: Mail) =>
  server.parley.db.transaction((open) => queueMail(open, server.parley.secrets, mail))
const waiting = () =>
  server.parley.db.query<{ attempts: number; due_at: number }>(
    sql`select attempts, due_at from mails order by due_at`,
  )
const outbox = () => join(server.parley.config.dataDir, 'outbox')
const messageId = (text = '') => /^Message-ID: (.*?)\r?$/m.exec(text)?.[1]

/** Looks at the queue once, as the worker does. */
async function deliver(sender?: MailSender): Promise<MailFailure[]> {
  const own = sender ?? openMailSender(server.parley.config)
  const failures: MailFailure[] = []
  await deliverDueMail(server.parley, own, (failure) => failures.push(failure))
  own.close()
  return failures
}

describe('without an SMTP server', () => {
  it('keeps mail in the outbox, for its owner only', async () => {
    await start()
    await queue(INVITATION)
    const worker = startMailDelivery(server.parley)
    onTestFinished(() => worker.stop())
    await expect.poll(waiting).toEqual([])

    const [name = ''] = await readdir(outbox())
    expect(name).toMatch(/^\d{4}-\d\d-\d\dT.*\.eml$/)
    expect((await stat(join(outbox(), name))).mode & 0o777).toBe(0o600)
    expect((await stat(outbox())).mode & 0o777).toBe(0o700)
    const text = await readFile(join(outbox(), name), 'utf8')
    expect(text).toContain('To: ada@example.com\n')
    expect(text).toContain('Subject: You are invited\n')
  })

  it('writes the same file again when it crashed before it forgot the mail', async () => {
    await start()
    await queue(INVITATION)
    const { send } = openMailSender(server.parley.config)
    const crashing: MailSender = {
      close: () => {},
      async send(message) {
        await send(message)
        throw new Error('the power went out')
      },
    }
    expect(await deliver(crashing)).toHaveLength(1)
    server.clock.ahead = MINUTE
    expect(await deliver()).toEqual([])
    expect(await readdir(outbox())).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  it('shows the outbox to visitors on this machine, newest first and harmless', async () => {
    await start()
    await queue(INVITATION)
    server.clock.ahead = 1000
    await queue({
      to: 'bo@example.com',
      subject: 'Приглашение <script>alert(1)</script> café & Co, and then some more to make it long',
      text: `<img src=x> Öffnen: https://example.com/join?a=1&b=${'x'.repeat(80)}#token\n$& $1`,
    })
    await deliver()
    const page = await call(server.url, undefined, 'GET', '/outbox')
    expect(page.status).toBe(200)
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.text).toContain(
      'Приглашение &lt;script&gt;alert(1)&lt;/script&gt; café &amp; Co, and then some more',
    )
    expect(page.text).toContain(`href="https://example.com/join?a=1&amp;b=${'x'.repeat(80)}#token"`)
    expect(page.text).toContain('&lt;img src=x&gt; Öffnen')
    expect(page.text).toContain('$&amp; $1')
    expect(page.text).not.toMatch(/<script>alert|<img/)
    expect(page.text.indexOf('bo@example.com')).toBeLessThan(page.text.indexOf('ada@example.com'))
    expect(page.text).toContain('<a href="http://127.0.0.1/join#secret"')
  })

  it('hides the outbox from everybody else', async () => {
    await start()
    const status = async (headers: Record<string, string>) =>
      (await server.app.inject({ url: '/outbox', headers })).statusCode
    expect(await status({ host: 'localhost:8080' })).toBe(200)
    expect(await status({ host: 'attacker.example' })).toBe(404)
    for (const sign of ['x-forwarded-for', 'x-forwarded-proto', 'x-real-ip', 'via', 'forwarded', 'cf-ray']) {
      expect([sign, await status({ host: 'localhost:8080', [sign]: '127.0.0.1' })]).toEqual([sign, 404])
    }
    const elsewhere = await server.app.inject({
      url: '/outbox',
      headers: { host: 'localhost' },
      remoteAddress: '10.1.2.3',
    })
    expect(elsewhere.statusCode).toBe(404)
  })

  it('hides the outbox from everybody where others come through a proxy, which makes them look local', async () => {
    await start()
    const { config } = server.parley
    config.baseUrlGiven = true
    const status = async (baseUrl: string) => {
      config.baseUrl = baseUrl
      return (await server.app.inject({ url: '/outbox', headers: { host: '127.0.0.1:8080' } })).statusCode
    }
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]:8080']) {
      expect([host, await status(`http://${host}`)]).toEqual([host, 200])
    }
    for (const host of ['chat.example.com', 'localhost.example.com', '192.168.1.20:8080']) {
      expect([host, await status(`https://${host}`)]).toEqual([host, 404])
    }
  })
})

describe('with an SMTP server', () => {
  it('sends mail, and nothing in it becomes a header or a second recipient', async () => {
    const smtp = await startWithSmtp()
    await queue({ ...INVITATION, subject: 'Hello\r\nBcc: eve@example.com\r\n\r\nbody' })
    const worker = startMailDelivery(server.parley)
    onTestFinished(() => worker.stop())
    await expect.poll(() => smtp.received).toHaveLength(1)
    const [mail] = smtp.received
    expect(mail?.to).toEqual(['ada@example.com'])
    expect(mail?.from).toBe('parley@localhost')
    expect(mail?.data).not.toMatch(/^Bcc:/im)
    expect(mail?.data).toContain('http://127.0.0.1/join#secret')
    await expect.poll(waiting).toEqual([])
    expect((await call(server.url, undefined, 'GET', '/outbox')).status).toBe(404)
  })

  it('refuses an address that would be two', async () => {
    const smtp = await startWithSmtp()
    await queue({ ...INVITATION, to: 'ada@example.com, eve@example.com' })
    expect(await deliver()).toMatchObject([{ error: { message: expect.stringContaining('address') } }])
    expect(smtp.attempts).toBe(0)
  })

  it('tries again after a refusal, later and later, under the same Message-ID', async () => {
    const smtp = await startWithSmtp()
    await queue(INVITATION)
    smtp.refuseWith = '451 try later'
    expect(await deliver()).toMatchObject([{ attempt: 1 }])
    expect(await deliver()).toEqual([])
    expect(smtp.attempts).toBe(1)

    server.clock.ahead = MINUTE + 1
    expect(await deliver()).toMatchObject([{ attempt: 2 }])
    server.clock.ahead += MINUTE + 1
    expect(await deliver()).toEqual([])
    expect(smtp.attempts).toBe(2)

    smtp.refuseWith = undefined
    smtp.hangUp = true
    server.clock.ahead += 4 * MINUTE
    expect(await deliver()).toMatchObject([{ attempt: 3 }])
    smtp.hangUp = false
    server.clock.ahead += 30 * MINUTE + 1
    expect(await deliver()).toEqual([])
    expect(smtp.received).toHaveLength(2)
    const [first, second] = smtp.received.map(({ data }) => messageId(data))
    expect(first).toMatch(/^<[0-9a-f-]{36}@localhost>$/)
    expect(second).toBe(first)
    expect(await waiting()).toEqual([])
  })

  it('sets a mail aside after ten tries, says how to go on, and tries once more after a restart', async () => {
    const smtp = await startWithSmtp()
    await queue(INVITATION)
    smtp.refuseWith = '550 no such mailbox'
    let last: MailFailure | undefined
    for (let attempt = 1; attempt < 10; attempt++) {
      ;[last] = await deliver()
      server.clock.ahead += (last?.retryAt ?? 0) - server.parley.clock() + 1
    }
    expect(last).toMatchObject({ attempt: 9, retryAt: expect.any(Number) })

    const first = startMailDelivery(server.parley)
    const complaint = () => server.logLines.find((line) => line.includes('given up after 10 tries'))
    await expect.poll(complaint).toContain('parley doctor')
    await first.stop()
    server.clock.ahead += 365 * 24 * 60 * MINUTE
    expect(await deliver()).toEqual([])

    smtp.refuseWith = undefined
    const second = startMailDelivery(server.parley)
    await expect.poll(() => smtp.received).toHaveLength(1)
    await second.stop()
    expect(await waiting()).toEqual([])
  })

  it('sends each mail once, however many nodes look, and takes over from one that died', async () => {
    const smtp = await startWithSmtp()
    const mails = Array.from({ length: 8 }, (_, index) => `person${index}@example.com`)
    for (const to of mails) await queue({ ...INVITATION, to })
    await Promise.all([deliver(), deliver(), deliver(), deliver()])
    expect(smtp.received.map(({ to }) => to[0]).sort()).toEqual(mails)

    await queue(INVITATION)
    const hanging: MailSender = { close: () => {}, send: () => new Promise(() => {}) }
    void deliver(hanging)
    await expect.poll(waiting).toMatchObject([{ attempts: 1 }])
    await deliver()
    expect(smtp.received).toHaveLength(8)
    server.clock.ahead = 5 * MINUTE + 1
    await deliver()
    expect(smtp.received).toHaveLength(9)
  })
})
