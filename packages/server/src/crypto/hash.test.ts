import { createSecretKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hkdfSha256, hmacSha256, hmacTags, sha256 } from './hash.ts'

const hex = (text: string) => Buffer.from(text, 'hex')
const keyOf = (text: string) => createSecretKey(hex(text))
const ascii = (text: string) => Buffer.from(text).toString('hex')
// Consecutive byte values from first to last.
const run = (first: number, last: number) =>
  Buffer.from(Array.from({ length: last - first + 1 }, (_, at) => first + at)).toString('hex')

describe('sha256', () => {
  it('gives the published digests of FIPS 180-4', () => {
    expect(sha256('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(sha256(Buffer.alloc(0)).toString('hex')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
  })
})

describe('hmacSha256', () => {
  // RFC 4231, section 4. The published answer of case 5 is cut to 128 bits.
  it.each([
    {
      name: '1',
      key: '0b'.repeat(20),
      data: ascii('Hi There'),
      mac: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
    },
    {
      name: '2',
      key: ascii('Jefe'),
      data: ascii('what do ya want for nothing?'),
      mac: '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    },
    {
      name: '3',
      key: 'aa'.repeat(20),
      data: 'dd'.repeat(50),
      mac: '773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe',
    },
    {
      name: '4',
      key: run(0x01, 0x19),
      data: 'cd'.repeat(50),
      mac: '82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
    },
    { name: '5', key: '0c'.repeat(20), data: ascii('Test With Truncation'), mac: 'a3b6167473100ee06e0c796c2955552b' },
    {
      name: '6',
      key: 'aa'.repeat(131),
      data: ascii('Test Using Larger Than Block-Size Key - Hash Key First'),
      mac: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
    },
    {
      name: '7',
      key: 'aa'.repeat(131),
      data: ascii(
        'This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm.',
      ),
      mac: '9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2',
    },
  ])('gives the published answer of RFC 4231 case $name', ({ key, data, mac }) => {
    expect(hmacSha256(keyOf(key), hex(data)).toString('hex').slice(0, mac.length)).toBe(mac)
  })

  it('treats its parts as one message, text as UTF-8', () => {
    const key = keyOf('0b'.repeat(20))
    expect(hmacSha256(key, 'é', Buffer.from('tude'))).toEqual(hmacSha256(key, Buffer.from('étude')))
  })
})

describe('hmacTags', () => {
  // Compared with Node's own HMAC.
  it.each(['0b'.repeat(20), run(0x01, 0x20), 'aa'.repeat(64)])(
    'returns the first bytes of the HMAC under the key %s',
    (key) => {
      const texts = ['', 'a', 'train', 'zürich', '東京', '😀', 'é'.repeat(5_000), 'b'.repeat(55), 'c'.repeat(64)]
      const expected = texts.map((text) => hmacSha256(keyOf(key), text).subarray(0, 8))
      expect(hmacTags(keyOf(key), texts, 8)).toEqual(Buffer.concat(expected))
    },
  )

  it('rejects a key that would have to be hashed first', () => {
    expect(() => hmacTags(keyOf('aa'.repeat(65)), ['train'], 8)).toThrow(RangeError)
  })
})

describe('hkdfSha256', () => {
  // RFC 5869, appendix A: the cases with SHA-256.
  it.each([
    {
      name: 'A.1',
      key: '0b'.repeat(22),
      salt: run(0x00, 0x0c),
      info: run(0xf0, 0xf9),
      okm: '3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865',
    },
    {
      name: 'A.2',
      key: run(0x00, 0x4f),
      salt: run(0x60, 0xaf),
      info: run(0xb0, 0xff),
      okm: 'b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87',
    },
    {
      name: 'A.3',
      key: '0b'.repeat(22),
      salt: '',
      info: '',
      okm: '8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8',
    },
  ])('gives the published answer of RFC 5869 $name', ({ key, salt, info, okm }) => {
    expect(hkdfSha256(keyOf(key), hex(salt), hex(info), okm.length / 2).toString('hex')).toBe(okm)
  })

  it('rejects more than 255 blocks', () => {
    expect(() => hkdfSha256(keyOf('00'.repeat(32)), Buffer.alloc(0), '', 255 * 32 + 1)).toThrow(RangeError)
  })
})
