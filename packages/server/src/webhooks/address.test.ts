import { BlockList, SocketAddress } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressBytes, isInside, isPublic, parseNetwork } from './address.ts'

const hexOf = (text: string) => Buffer.from(addressBytes(text) ?? []).toString('hex')

describe('the bytes of an address', () => {
  it('are the same for all spellings of one', () => {
    for (const text of ['::ffff:127.0.0.1', '::FFFF:7f00:1', '0:0:0:0:0:ffff:7f00:0001', '0::ffff:127.0.0.1'])
      expect([text, hexOf(text)]).toEqual([text, hexOf('127.0.0.1')])
    expect(hexOf('1::')).toBe('00010000000000000000000000000000')
    expect(hexOf('::')).toBe('0'.repeat(32))
    expect(hexOf('2001:db8::8:800:200c:417a')).toBe('20010db80000000000080800200c417a')
    expect(hexOf('64:ff9b::192.0.2.33')).toBe('0064ff9b0000000000000000c0000221')
  })

  it('are none for what is no plain address', () => {
    for (const text of ['', '127.1', '0x7f.0.0.1', '127.0.0.01', '1.2.3.4.5', 'fe80::1%eth0', ':::', '1::2::3', 'a'])
      expect([text, addressBytes(text)]).toEqual([text, undefined])
  })

  it('are those of the platform for every IPv6 address', () => {
    const group = fc.oneof(fc.constant(0), fc.constant(0xffff), fc.integer({ min: 0, max: 0xffff }))
    fc.assert(
      fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
        const long = groups.map((value) => value.toString(16)).join(':')
        const short = new SocketAddress({ address: long, family: 'ipv6' }).address
        const bytes = groups.map((value) => value.toString(16).padStart(4, '0')).join('')
        expect([hexOf(long), hexOf(short)]).toEqual([bytes, bytes])
      }),
    )
  })
})

describe('a network', () => {
  it('holds what the platform says it holds', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'))
    fc.assert(
      fc.property(ipv4, ipv4, fc.integer({ min: 0, max: 32 }), (base, address, bits) => {
        const known = new BlockList()
        known.addSubnet(base, bits, 'ipv4')
        const network = parseNetwork(`${base}/${bits}`)
        const bytes = addressBytes(address)
        expect(network && bytes && isInside(network, bytes)).toBe(known.check(address, 'ipv4'))
        expect(network && isInside(network, addressBytes(base) ?? new Uint8Array())).toBe(true)
      }),
    )
  })

  it('is nothing but an address with a length that it can have', () => {
    for (const text of ['10.0.0.0/33', 'fd00::/129', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', 'x/8', '10.0.0/8'])
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
  ])('holds %s', (text) => {
    expect(isPublic(addressBytes(text) ?? new Uint8Array(16))).toBe(true)
  })
})
