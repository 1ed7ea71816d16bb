import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { canaryFor, findCanaries } from './canaries.ts'

const word = canaryFor('Planted')
const text = `before ${word} after`
const find = (bytes: Buffer) => findCanaries([word], new Map([['here', bytes]]))

it.each<[string, Buffer]>([
  ['raw', Buffer.from(text)],
  ['lower case', Buffer.from(text.toLowerCase())],
  ['upper case', Buffer.from(text.toUpperCase())],
  ['UTF-16LE', Buffer.from(text, 'utf16le')],
  ['UTF-16BE', Buffer.from(text, 'utf16le').swap16()],
  ['hex', Buffer.from(Buffer.from(text).toString('hex'))],
  ['JSON with escapes', Buffer.from(text.replace(/./g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`))],
  ['gzip after other bytes', Buffer.concat([Buffer.from('other'), gzipSync(text)])],
  ['only its stem', Buffer.from(word.toLowerCase().slice(0, -2))],
])('finds a word stored as %s', (_form, bytes) => {
  expect(find(bytes)).not.toEqual([])
})

it.each([0, 1, 2, 3, 4, 5])('finds a word in base64 after %i other bytes', (offset) => {
  const bytes = Buffer.concat([Buffer.alloc(offset, 'x'), Buffer.from(`${word} and more`)])
  expect(find(Buffer.from(bytes.toString('base64')))).not.toEqual([])
  expect(find(Buffer.from(bytes.toString('base64url')))).not.toEqual([])
})

it('finds nothing in encrypted data, and nothing of another word', () => {
  expect(find(Buffer.from(canaryFor('Other').repeat(3)))).toEqual([])
})
