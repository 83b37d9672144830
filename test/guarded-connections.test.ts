import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { checkWebhookUrl, type GuardOptions, openGuardedAgent } from '../server/network/guard.ts'
import { blockList, mayConnectTo } from '../server/network/networks.ts'
import { type ResolvedAddress, resolveName } from '../server/network/resolver.ts'
import { type Attempt, post } from '../server/webhooks/call.ts'
import { CERTIFICATE, type Receiver, startReceiver } from './support/receiver.ts'

const nothingAllowed = blockList([])

const REFUSED = {
  unspecified: ['0.0.0.0', '0.1.2.3', '::'],
  loopback: ['127.0.0.1', '127.255.255.255', '::1'],
  private: ['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'link-local': ['169.254.1.1', 'fe80::1', 'fe80::1%eth0', 'febf::1'],
  'metadata of clouds': [
    '169.254.169.254',
    'fd00:ec2::254',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
  ],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'broadcast and reserved': ['255.255.255.255', '240.0.0.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1'],
  benchmarks: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  'unique-local and site-local': ['fc00::1', 'fdff::1', 'fec0::1'],
  'IPv4 mapped into IPv6': [
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:10.0.0.1',
    '0:0:0:0:0:FFFF:A9FE:A9FE',
  ],
  'IPv4 compatible with IPv6': ['::127.0.0.1', '::10.0.0.1'],
  'IPv4 behind NAT64': ['64:ff9b::127.0.0.1', '64:ff9b::a9fe:a9fe', '64:ff9b:1::1'],
  'IPv4 through 6to4': ['2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:c0a8:101::1'],
  'Teredo and the unassigned rest': ['2001::1', '100::1', '4000::1', '5f00::1'],
}
const OPEN = [
  '1.1.1.1',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:80b::200e',
  '::ffff:1.1.1.1',
  '64:ff9b::1.1.1.1',
  '2002:101:101::1',
]

describe('addresses', () => {
  for (const [kind, addresses] of Object.entries(REFUSED)) {
    it(`that are ${kind} are refused`, () => {
      expect(addresses.filter((address) => mayConnectTo(address, nothingAllowed))).toEqual([])
    })
  }

  it('that are public are open', () => {
    expect(OPEN.filter((address) => !mayConnectTo(address, nothingAllowed))).toEqual([])
  })

  it('are opened by the operator range by range, in every form', () => {
    const allowed = blockList(['10.0.0.0/8', 'fd12::/16', '192.168.1.7'])
    const open = ['10.1.2.3', '::ffff:10.1.2.3', '64:ff9b::10.1.2.3', 'fd12::1', '192.168.1.7']
    const refused = ['127.0.0.1', '192.168.1.8', 'fd13::1', '::1']
    expect(open.filter((address) => !mayConnectTo(address, allowed))).toEqual([])
    expect(refused.filter((address) => mayConnectTo(address, allowed))).toEqual([])
  })
})

describe('the address of a webhook', () => {
  const networks = ['10.0.0.0/8']
  const config = { baseUrl: 'http://parley.test' }
  const secure = { ...config, baseUrl: 'https://parley.test' }

  it('is http or https, and https where Parley is', () => {
    for (const url of [
      'http://example.com/events',
      'https://example.com:8443/?a=b',
      'http://10.0.0.1/',
      'https://[2606:4700::1111]/',
    ]) {
      expect(checkWebhookUrl(config, networks, url), url).toBeUndefined()
    }
    expect(checkWebhookUrl(secure, networks, 'https://example.com/')).toBeUndefined()
    expect(checkWebhookUrl(secure, networks, 'http://example.com/')?.message).toContain(
      'must begin with https://',
    )
  })

  it('is nothing else', () => {
    for (const url of [
      '',
      'example.com',
      '/events',
      'ftp://example.com/',
      'file:///etc/passwd',
      'javascript:alert(1)',
      'http://',
    ]) {
      expect(checkWebhookUrl(config, networks, url)?.message, url).toContain(
        'must be an http or https address',
      )
    }
    expect(checkWebhookUrl(config, networks, 'https://user:password@example.com/')?.message).toContain(
      'user name or password',
    )
    expect(checkWebhookUrl(config, networks, 'https://user@example.com/')?.message).toContain(
      'user name or password',
    )
    expect(checkWebhookUrl(config, networks, `https://example.com/${'x'.repeat(2048)}`)?.message).toContain(
      '2048 characters',
    )
  })

  it('is no address of this machine or network, however it is written', () => {
    for (const host of [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '0',
      '[::1]',
      '[::ffff:127.0.0.1]',
      '192.168.0.1',
      '169.254.169.254',
    ]) {
      expect(checkWebhookUrl(config, networks, `http://${host}/`)?.message, host).toContain(
        'WEBHOOK_ALLOWED_NETWORKS',
      )
    }
  })
})

describe('connections', () => {
  let receiver: Receiver
  let secureReceiver: Receiver
  const agents: ReturnType<typeof openGuardedAgent>[] = []

  beforeAll(async () => {
    receiver = await startReceiver()
    secureReceiver = await startReceiver({ tls: true })
  })
  afterAll(async () => {
    await receiver.close()
    await secureReceiver.close()
  })
  afterEach(async () => {
    for (const agent of agents.splice(0)) await agent.destroy()
    receiver.received.length = 0
  })

  function open(allowed: string[], options: GuardOptions = {}) {
    const agent = openGuardedAgent(allowed, options)
    agents.push(agent)
    return async (url: string): Promise<Attempt> => {
      const body = Buffer.from('{}')
      const attempt = await post(
        agent,
        new URL(url),
        { headers: {}, body },
        { limitMs: 3000, call: new AbortController() },
      )
      if (!attempt) throw new Error('the attempt was given up')
      return attempt
    }
  }

  /** A name server that gives these answers in turn. */
  function names(...answers: (string[] | Error)[]) {
    return async (): Promise<ResolvedAddress[]> => {
      const answer = answers.shift() ?? []
      if (answer instanceof Error) throw answer
      return answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
    }
  }

  it('to loopback are refused when the address stands in the URL', async () => {
    const call = open([])
    for (const host of ['127.0.0.1', '127.1', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      expect(await call(`http://${host}:${receiver.port}/`), host).toMatchObject({ outcome: 'blocked' })
    }
    expect(receiver.received).toEqual([])
  })

  it('to loopback are refused when a name leads there, and when the system says so', async () => {
    expect(
      await open([], { resolve: names(['127.0.0.1']) })(`http://receiver.test:${receiver.port}/`),
    ).toMatchObject({
      outcome: 'blocked',
      error: expect.stringContaining('receiver.test, which is not on the public internet'),
    })
    expect(await open([])(`http://localhost:${receiver.port}/`)).toMatchObject({ outcome: 'blocked' })
    expect(receiver.received).toEqual([])
  })

  it('are made once the operator has opened the network', async () => {
    const call = open(['127.0.0.0/8'])
    expect(await call(receiver.url)).toMatchObject({ outcome: 'ok', status: 200 })
    expect(await call(`http://localhost:${receiver.port}/`)).toMatchObject({ outcome: 'ok' })
  })

  it('are judged by the address of that moment: first an open one, then another', async () => {
    // 127.0.0.1 stands for the public internet here: the operator opened it, and nothing else of loopback.
    receiver.otherwise = { status: 200, headers: { connection: 'close' } }
    const call = open(['127.0.0.1'], { resolve: names(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1']) })
    const url = `http://receiver.test:${receiver.port}/`
    expect(await call(url)).toMatchObject({ outcome: 'ok' })
    expect(await call(url)).toMatchObject({ outcome: 'blocked' })
    expect(await call(url)).toMatchObject({ outcome: 'ok' })
    expect(receiver.received).toHaveLength(2)
    receiver.otherwise = 200
  })

  it('use only the open ones of several addresses', async () => {
    const call = open(['127.0.0.1/32'], {
      resolve: names(['10.0.0.1', '127.0.0.1', '::1'], ['10.0.0.1', '::1']),
    })
    expect(await call(`http://receiver.test:${receiver.port}/`)).toMatchObject({ outcome: 'ok' })
    expect(await call(`http://other.test:${receiver.port}/`)).toMatchObject({ outcome: 'blocked' })
  })

  it('fail by name when there is no such name', async () => {
    const call = open([], { resolve: names(new Error('queryA ENOTFOUND nowhere.test')) })
    expect(await call('http://nowhere.test/')).toMatchObject({
      outcome: 'dns',
      error: expect.stringContaining('ENOTFOUND'),
    })
  })

  it('fail by certificate when it is not trusted, is for another name, or is none', async () => {
    const resolve = async (): Promise<ResolvedAddress[]> => [{ address: '127.0.0.1', family: 4 }]
    const allowed = ['127.0.0.1']
    const url = `https://receiver.test:${secureReceiver.port}/`
    expect(await open(allowed, { resolve })(url)).toMatchObject({
      outcome: 'tls',
      error: expect.stringContaining('self-signed'),
    })
    const trusting = open(allowed, { resolve, ca: CERTIFICATE })
    expect(await trusting(`https://other.test:${secureReceiver.port}/`)).toMatchObject({ outcome: 'tls' })
    expect(await trusting(`https://receiver.test:${receiver.port}/`)).toMatchObject({ outcome: 'tls' })
    expect(secureReceiver.received).toEqual([])
    expect(await trusting(url)).toMatchObject({ outcome: 'ok' })
  })

  it('follow no redirect', async () => {
    const call = open(['127.0.0.0/8'])
    for (const status of [301, 302, 303, 307, 308]) {
      receiver.script({ status, headers: { location: `http://127.0.0.1:${receiver.port}/elsewhere` } })
      expect(await call(receiver.url)).toMatchObject({ outcome: 'redirect', status })
    }
    receiver.script({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data/' } })
    expect(await call(receiver.url)).toMatchObject({ outcome: 'redirect', status: 302 })
    expect(receiver.received.map(({ path }) => path)).toEqual(Array(6).fill('/events'))
  })
})

describe('names', () => {
  it('of the hosts file are known', async () => {
    expect((await resolveName('localhost')).map(({ address }) => address)).toContain('127.0.0.1')
  })

  it('that do not exist are an error', async () => {
    await expect(resolveName('no such name')).rejects.toThrow()
  })
})
