import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInside, isPublic, parseAddress, parseNetwork } from './address.ts'

const group = fc.oneof(fc.constant(0), fc.constant(0xffff), fc.integer({ min: 0, max: 0xffff }))
const ipv6 = fc.array(group, { minLength: 8, maxLength: 8 })
const textOf = (groups: readonly number[]) => groups.map((value) => value.toString(16)).join(':')
/** Computed without the platform's own parser. */
const numberOf = (groups: readonly number[]) =>
  BigInt(`0x${groups.map((value) => value.toString(16).padStart(4, '0')).join('')}`)

describe('an address', () => {
  it('has one spelling', () => {
    for (const text of ['::ffff:127.0.0.1', '::FFFF:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '0::ffff:127.0.0.1'])
      expect([text, parseAddress(text)]).toEqual([text, '127.0.0.1'])
    expect(parseAddress('1:0:0:0:0:0:0:0')).toBe('1::')
    expect(parseAddress('0:0:0:0:0:0:0:0')).toBe('::')
    expect(parseAddress('2001:0DB8:0:0:8:800:200c:417a')).toBe('2001:db8::8:800:200c:417a')
    expect(parseAddress('64:ff9b::192.0.2.33')).toBe('64:ff9b::c000:221')
    expect(parseAddress('::ffff:0:127.0.0.1')).toBe('::ffff:0:7f00:1')
  })

  it('is not parsed from any other text', () => {
    for (const text of ['', '127.1', '0x7f.0.0.1', '127.0.0.01', '1.2.3.4.5', 'fe80::1%eth0', '::1%lo', ':::', 'a'])
      expect([text, parseAddress(text)]).toEqual([text, undefined])
    for (const text of ['1::2::3', '127.0.0.1 ', ' ::1', '[::1]', '::ffff:127.0.0.256', '127.0.0.1/8', '::1\0'])
      expect([text, parseAddress(text)]).toEqual([text, undefined])
  })

  it('keeps its value in its normalized spelling', () => {
    fc.assert(
      fc.property(ipv6, (groups) => {
        const short = parseAddress(textOf(groups)) ?? ''
        const [head = '', tail] = withoutDots(short).split('::')
        const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((one) => one !== ''))
        const zeros = Array.from({ length: 8 - (before?.length ?? 0) - (after?.length ?? 0) }, () => '0')
        const long = [...(before ?? []), ...zeros, ...(after ?? [])].map((one) => Number.parseInt(one, 16))
        expect(numberOf(long)).toBe(numberOf(groups))
      }),
      // The rest is random: this one is printed with dots.
      { examples: [[[0, 0, 0, 0, 0, 0, 0xffff, 0xffff]]] },
    )
  })
})

/** An IPv4 address alone stands for a mapped one; at the end of an IPv6 address, dots are another spelling of two groups. */
function withoutDots(address: string): string {
  const ipv4 = /\d+(?:\.\d+){3}$/.exec(address)?.[0]
  if (ipv4 === undefined) return address
  return ipv4 === address ? `::ffff:${hexOf(ipv4)}` : address.replace(ipv4, hexOf(ipv4))
}

function hexOf(ipv4: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = ipv4.split('.').map(Number)
  return [a * 256 + b, c * 256 + d].map((value) => value.toString(16)).join(':')
}

describe('a network', () => {
  it('contains the addresses that begin with the same bits', () => {
    const bits = fc.integer({ min: 0, max: 128 })
    fc.assert(
      fc.property(ipv6, ipv6, bits, bits, (base, other, length, common) => {
        // Most pairs would differ in their first bits.
        const shift = BigInt(128 - common)
        const mixed = ((numberOf(base) >> shift) << shift) | (numberOf(other) & ((1n << shift) - 1n))
        const address = mixed.toString(16).padStart(32, '0').match(/.{4}/g)?.join(':') ?? ''
        const network = parseNetwork(`${textOf(base)}/${length}`)
        const isSame = mixed >> BigInt(128 - length) === numberOf(base) >> BigInt(128 - length)
        expect(network && isInside(network, parseAddress(address) ?? '')).toBe(isSame)
      }),
    )
  })

  it('of IPv4 contains its addresses in either form', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
    const valueOf = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
    fc.assert(
      fc.property(ipv4, ipv4, fc.integer({ min: 0, max: 32 }), (base, address, bits) => {
        const size = 2 ** (32 - bits)
        const isSame = Math.floor(valueOf(base) / size) === Math.floor(valueOf(address) / size)
        for (const text of [`${base}/${bits}`, `::ffff:${base}/${bits + 96}`])
          for (const spelling of [address, `::ffff:${address}`, `::ffff:${hexOf(address)}`]) {
            const network = parseNetwork(text)
            expect(network && isInside(network, parseAddress(spelling) ?? '')).toBe(isSame)
          }
      }),
    )
  })

  it('is an address with a valid length', () => {
    for (const text of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', 'x/8', '10.0.0/8'])
      expect([text, parseNetwork(text)]).toEqual([text, undefined])
    for (const text of ['', '/', '/8', '10.0.0.0/1e1', '10.0.0.0/ 8', 'fe80::1%eth0/64', 'fe80::1%eth0'])
      expect([text, parseNetwork(text)]).toEqual([text, undefined])
  })
})

describe('the public internet', () => {
  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '::ffff:8.8.8.8',
    '2606:4700::1111',
    '2a00:1450:4001::1',
    '2001:200::1',
  ])('includes %s', (text) => {
    expect(isPublic(parseAddress(text) ?? '')).toBe(true)
  })

  it.each([
    ['0.255.255.255', '1.0.0.0'],
    ['10.255.255.255', '11.0.0.0'],
    ['100.127.255.255', '100.128.0.0'],
    ['127.255.255.255', '128.0.0.0'],
    ['169.254.255.255', '169.255.0.0'],
    ['172.31.255.255', '172.32.0.0'],
    ['192.0.0.255', '192.0.1.0'],
    ['192.0.2.255', '192.0.3.0'],
    ['192.31.196.255', '192.31.197.0'],
    ['192.52.193.255', '192.52.194.0'],
    ['192.88.99.255', '192.88.100.0'],
    ['192.168.255.255', '192.169.0.0'],
    ['192.175.48.255', '192.175.49.0'],
    ['198.19.255.255', '198.20.0.0'],
    ['198.51.100.255', '198.51.101.0'],
    ['203.0.113.255', '203.0.114.0'],
    ['1fff:ffff::', '2000::'],
    ['2001:1ff:ffff::', '2001:200::'],
    ['2001:db8:ffff:ffff::', '2001:db9::'],
    ['2002:ffff:ffff::', '2003::'],
    ['2620:4f:8000:ffff::', '2620:4f:8001::'],
    ['3fff:fff:ffff::', '3fff:1000::'],
    ['4000::', '3ffe:ffff::'],
  ])('ends before %s', (special, neighbor) => {
    expect(isPublic(parseAddress(special) ?? '8.8.8.8')).toBe(false)
    expect(isPublic(parseAddress(neighbor) ?? '')).toBe(true)
  })

  it.each(
    Object.entries({
      multicast: '224.0.0.0 239.255.255.255 ff02::1 ff0e::1',
      reserved: '240.0.0.0 255.255.255.255',
      'this machine': '::1 :: ::ffff:127.0.0.1 ::ffff:0.0.0.0',
      'carrying IPv4': '::8.8.8.8 ::ffff:0:8.8.8.8 64:ff9b::808:808 64:ff9b:1::808:808 2002:808:808::1 2001::1',
      'for protocols': '2001:2::1 2001:3::1 2001:4:112::1 2001:10::1 2001:20::1 2001:30::1 5f00::1',
      discard: '100::1 100:0:0:1::1',
      'of one network': 'fc00::1 fdff::1 fe80::1 febf::1 fec0::1 ::ffff:10.0.0.1',
    }),
  )('has no address that is %s', (_kind, addresses) => {
    for (const text of addresses.split(' '))
      expect([text, isPublic(parseAddress(text) ?? '8.8.8.8')]).toEqual([text, false])
  })
})
