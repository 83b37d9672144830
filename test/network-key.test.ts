import { describe, expect, it } from 'vitest'
import { networkKey } from '../server/network/address.ts'

describe('the name under which limits count an address', () => {
  it('is an IPv4 address as a whole', () => {
    expect(networkKey('203.0.113.7')).toBe('203.0.113.7')
    expect(networkKey('203.0.113.8')).toBe('203.0.113.8')
  })

  it.each([
    '::ffff:203.0.113.7',
    '::FFFF:203.0.113.7',
    '::ffff:cb00:7107',
    '0:0:0:0:0:ffff:203.0.113.7',
    '64:ff9b::203.0.113.7',
    '64:ff9b::cb00:7107',
  ])('is the same for the IPv4 address inside %s', (address) => {
    expect(networkKey(address)).toBe('203.0.113.7')
  })

  it.each([
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::ffff:ffff:ffff:ffff', '2001:db8:0:0::/64'],
    ['2001:DB8:0:0:1::', '2001:db8:0:0::/64'],
    ['2001:0db8:0000:0000:0000:0000:0000:0001', '2001:db8:0:0::/64'],
    ['2001:db8::1.2.3.4', '2001:db8:0:0::/64'],
    ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['1::', '1:0:0:0::/64'],
  ])('of %s is %s', (address, key) => {
    expect(networkKey(address)).toBe(key)
  })

  it('is one for everything that is no address', () => {
    const texts = ['', 'unknown', '203.0.113.7:4711', '[2001:db8::1]', '1.2.3', 'x'.repeat(16_000)]
    expect(new Set(texts.map(networkKey))).toEqual(new Set(['unknown']))
  })
})
