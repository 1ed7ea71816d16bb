import { createSecretKey } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gcmOpen, gcmSeal } from './gcm.ts'

const hex = (text: string) => Buffer.from(text, 'hex')
const longKey = 'feffe9928665731c6d6a8f9467308308'.repeat(2)
const longText =
  'd9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255'
const longCiphertext =
  '522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad'

// McGrew and Viega, "The Galois/Counter Mode of Operation", appendix B: the cases with 256-bit keys and 96-bit nonces.
const publishedCases = [
  {
    name: '13',
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    aad: '',
    text: '',
    ciphertext: '',
    tag: '530f8afbc74536b9a963b4f1c4cb738b',
  },
  {
    name: '14',
    key: '00'.repeat(32),
    nonce: '00'.repeat(12),
    aad: '',
    text: '00'.repeat(16),
    ciphertext: 'cea7403d4d606b6e074ec5d3baf39d18',
    tag: 'd0d1c8a799996bf0265b98b5d48ab919',
  },
  {
    name: '15',
    key: longKey,
    nonce: 'cafebabefacedbaddecaf888',
    aad: '',
    text: longText,
    ciphertext: longCiphertext,
    tag: 'b094dac5d93471bdec1a502270e3cc6c',
  },
  {
    name: '16',
    key: longKey,
    nonce: 'cafebabefacedbaddecaf888',
    aad: 'feedfacedeadbeeffeedfacedeadbeefabaddad2',
    text: longText.slice(0, -8),
    ciphertext: longCiphertext.slice(0, -8),
    tag: '76fc6ece0f4e1768cddf8853bb2d551b',
  },
]

describe('AES-256-GCM', () => {
  it.each(publishedCases)('gives the published answer of test case $name', (known) => {
    const key = createSecretKey(hex(known.key))
    const sealed = gcmSeal(key, hex(known.nonce), hex(known.aad), hex(known.text))
    expect(sealed.toString('hex')).toBe(known.ciphertext + known.tag)
    expect(gcmOpen(key, hex(known.nonce), hex(known.aad), sealed)?.toString('hex')).toBe(known.text)
  })

  const key = createSecretKey(hex(longKey))
  const nonce = hex('cafebabefacedbaddecaf888')
  const aad = Buffer.from('where')
  const sealed = gcmSeal(key, nonce, aad, Buffer.from('what'))

  it('opens nothing under other associated data, another nonce or another key', () => {
    expect(gcmOpen(key, nonce, aad, sealed)?.toString()).toBe('what')
    expect(gcmOpen(key, nonce, Buffer.from('there'), sealed)).toBeUndefined()
    expect(gcmOpen(key, Buffer.alloc(12), aad, sealed)).toBeUndefined()
    expect(gcmOpen(createSecretKey(Buffer.alloc(32)), nonce, aad, sealed)).toBeUndefined()
  })

  it.each([4, 8, 12, 13, 14, 15])('rejects a tag cut to %d bytes', (tagBytes) => {
    expect(gcmOpen(key, nonce, aad, sealed.subarray(0, 4 + tagBytes))).toBeUndefined()
    // With no ciphertext before it, the cut tag is all there is.
    const empty = gcmSeal(key, nonce, aad, Buffer.alloc(0))
    expect(gcmOpen(key, nonce, aad, empty.subarray(0, tagBytes))).toBeUndefined()
  })

  it.each([0, 1, 8, 11, 13, 16, 257])('rejects a nonce of %d bytes', (length) => {
    expect(() => gcmSeal(key, Buffer.alloc(length), aad, sealed)).toThrow(RangeError)
    expect(() => gcmOpen(key, Buffer.alloc(length), aad, sealed)).toThrow(RangeError)
  })

  it.each([16, 24, 31, 33])('rejects a key of %d bytes', (length) => {
    const other = createSecretKey(Buffer.alloc(length))
    expect(() => gcmSeal(other, nonce, aad, sealed)).toThrow(RangeError)
    expect(() => gcmOpen(other, nonce, aad, sealed)).toThrow(RangeError)
  })

  it('is called only from this file', () => {
    const sources = join(import.meta.dirname, '..')
    const callers = globSync('**/*.ts', { cwd: sources, exclude: ['**/*.test.ts'] }).filter((file) =>
      /\bcreate(?:Cipher|Decipher)iv\b/.test(readFileSync(join(sources, file), 'utf8')),
    )
    expect(callers).toEqual([join('crypto', 'gcm.ts')])
  })
})
