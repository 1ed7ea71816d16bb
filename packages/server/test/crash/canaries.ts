// Unique words, and a search for them in every form in which a careless program would leave them.

import { randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { wordFor } from './agent.ts'

/** A mixed-case word that starts with the field's name, so a leak shows its source. */
export const canaryFor = (field: string): string => `Zq${field}${wordFor(randomInt(7_000_000))}`

/** Stemmers cut the end of a word, and its last bytes share a base64 group with the following text: neither is searched. */
const cutOff = 3

/** The word's bytes as they would appear in a file. */
function formsOf(word: string): Map<string, Buffer> {
  const forms = new Map<string, Buffer>()
  const stem = word.slice(0, -cutOff)
  for (const [name, text] of [
    ['plain text', stem],
    ['lower case', stem.toLowerCase()],
    ['upper case', stem.toUpperCase()],
  ] as const)
    for (const [encoding, bytes] of encodingsOf(text)) forms.set(`${name}, ${encoding}`, bytes)
  return forms
}

function encodingsOf(text: string): [string, Buffer][] {
  const raw = Buffer.from(text)
  const littleEndian = Buffer.from(text, 'utf16le')
  const hex = raw.toString('hex')
  const escaped = text.replaceAll(/./g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return [
    ['raw', raw],
    ['UTF-16LE', littleEndian],
    ['UTF-16BE', Buffer.from(littleEndian).swap16()],
    ['hex', Buffer.from(hex)],
    ['upper-case hex', Buffer.from(hex.toUpperCase())],
    ['JSON escapes', Buffer.from(escaped)],
    ...[0, 1, 2].flatMap((offset) => base64At(raw, offset)),
  ]
}

/** The middle of the base64 text of any data with these bytes at an offset of 0, 1 or 2 modulo 3. */
function base64At(raw: Buffer, offset: number): [string, Buffer][] {
  const shifted = Buffer.concat([Buffer.alloc(offset), raw])
  return (['base64', 'base64url'] as const).map((encoding) => {
    const whole = shifted.subarray(0, shifted.length - (shifted.length % 3)).toString(encoding)
    return [`${encoding} at ${offset}`, Buffer.from(offset === 0 ? whole : whole.slice(4))]
  })
}

/** Where each word was found, as text; empty if it wasn't. */
export function findCanaries(words: readonly string[], places: ReadonlyMap<string, Buffer>): string[] {
  const needles = words.map((word) => ({ word, forms: formsOf(word) }))
  return [...places].flatMap(([place, bytes]) =>
    [bytes, ...unpacked(bytes)].flatMap((part) =>
      needles.flatMap(({ word, forms }) =>
        [...forms].flatMap(([form, needle]) => (part.includes(needle) ? [`${word} (${form}) in ${place}`] : [])),
      ),
    ),
  )
}

const gzipMagic = Buffer.of(0x1f, 0x8b, 0x08)

function unpacked(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = bytes.indexOf(gzipMagic); at !== -1; at = bytes.indexOf(gzipMagic, at + 1)) {
    try {
      found.push(gunzipSync(bytes.subarray(at)))
    } catch {
      // Three bytes that match by chance.
    }
  }
  return found
}

/** Every file in the folder, by its path. */
export function filesUnder(dir: string): Map<string, Buffer> {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(entries.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name))]))
}
