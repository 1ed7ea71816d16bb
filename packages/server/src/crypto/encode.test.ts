import { describe, expect, it } from 'vitest'
import { lengthPrefixed, uint32, uuidBytes } from './encode.ts'

describe('uuidBytes', () => {
  it('returns the 16 bytes of a UUID', () => {
    expect(uuidBytes('00112233-4455-6677-8899-aabbccddeeff').toString('hex')).toBe('00112233445566778899aabbccddeeff')
  })

  it.each([
    '',
    'x',
    '00112233-4455-6677-8899-AABBCCDDEEFF',
    '00112233445566778899aabbccddeeff',
    '00112233-4455-6677-8899-aabbccddeeff\n',
  ])('rejects %j without repeating it', (id) => {
    expect(() => uuidBytes(id)).toThrow(new RangeError('an id in a key or cell address is not a lower-case UUID'))
  })
})

describe('lengthPrefixed', () => {
  it.each([
    ['', '0000'],
    ['ab', '00026162'],
    ['é', '0002c3a9'],
  ])('puts the length in UTF-8 bytes before %j', (text, hex) => {
    expect(lengthPrefixed(text).toString('hex')).toBe(hex)
  })

  it('distinguishes texts that are equal when joined', () => {
    const joined = [
      ['memo', 'ries'],
      ['memor', 'ies'],
    ].map((parts) => Buffer.concat(parts.map(lengthPrefixed)).toString('hex'))
    expect(joined[0]).not.toBe(joined[1])
  })

  it('accepts 65,535 bytes and rejects one more', () => {
    expect(lengthPrefixed(Buffer.alloc(65_535))).toHaveLength(65_537)
    expect(() => lengthPrefixed(Buffer.alloc(65_536))).toThrow(RangeError)
  })
})

describe('uint32', () => {
  it('returns four big-endian bytes', () => {
    expect(uint32(0x0102_0304).toString('hex')).toBe('01020304')
    expect(uint32(0xffff_ffff).toString('hex')).toBe('ffffffff')
  })

  it.each([-1, 0.5, 2 ** 32, Number.NaN, Infinity])('rejects %d', (value) => {
    expect(() => uint32(value)).toThrow(RangeError)
  })
})
