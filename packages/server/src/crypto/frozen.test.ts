import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { exactTag, wordTags } from './hash.ts'
import { asSealed, openText, sealCellWithRandom } from './cell.ts'
import {
  deriveSubKeys,
  keyCheckValue,
  keyFromBytes,
  scopeKeys,
  unwrapKey,
  wrapKeyWithSalt,
  wrappingKeyFrom,
} from './keys.ts'
import { hashSecret, isWellFormedSecret } from './secrets.ts'
import frozen from './testdata/frozen.json' with { type: 'json' }

// Stored data must always stay readable: these answers were computed once, from the formulas in docs/encryption.md, by a second
// implementation, and never change. A change that breaks one needs a new format version in addition to the old one.

const purposes = z.enum(['content', 'index'])
const holderKinds = z.enum(['user', 'integration', 'vault', 'private', 'instance'])
const prefixes = z.enum(['svc_', 'hfd_', 'hfo_', 'hfs_', 'hfc_', 'hfk_'])
const hex = (text: string) => Buffer.from(text, 'hex')
const keyOf = (text: string) => keyFromBytes(hex(text))
const toHex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const allKeys = frozen.scopeKeys.map(({ generation, key }) => ({ generation, key: keyOf(key) }))

describe('frozen answers', () => {
  it.each(frozen.scopeKeys)('derive the sub-keys of generation $generation', ({ generation, key, subKeys }) => {
    const derived = Object.entries(deriveSubKeys(keyOf(key), frozen.scopeId, generation))
    expect(Object.fromEntries(derived.map(([purpose, subKey]) => [purpose, toHex(subKey.export())]))).toEqual(subKeys)
  })

  it.each(frozen.checkValues)('give the key check value $checkValue', ({ key, checkValue }) => {
    expect(toHex(keyCheckValue(keyOf(key)))).toBe(checkValue)
  })

  it.each(frozen.cells)('open the cell in $address.column of $address.table, generation $generation', (known) => {
    const keys = scopeKeys(frozen.scopeId, allKeys)
    expect(openText(keys, purposes.parse(known.purpose), known.address, asSealed(hex(known.cell)))).toBe(known.text)
  })

  it.each(frozen.cells)('seal the cell in $address.column of $address.table, generation $generation', (known) => {
    const keys = scopeKeys(
      frozen.scopeId,
      allKeys.filter(({ generation }) => generation <= known.generation),
    )
    const text = Buffer.from(known.text)
    const sealed = sealCellWithRandom(keys, purposes.parse(known.purpose), known.address, {
      plaintext: text,
      random: hex(known.random),
    })
    expect(toHex(sealed)).toBe(known.cell)
  })

  it.each(frozen.wraps)('unwrap and wrap a key for $context.holderKind', (known) => {
    const wrapping = wrappingKeyFrom(keyOf(known.wrappingKey))
    const context = { ...known.context, holderKind: holderKinds.parse(known.context.holderKind) }
    expect(wrapping.id).toBe(known.wrappingKeyId)
    expect(toHex(unwrapKey(wrapping, hex(known.wrapped), context).export())).toBe(known.key)
    expect(toHex(wrapKeyWithSalt(wrapping, keyOf(known.key), context, hex(known.salt)))).toBe(known.wrapped)
  })

  it('compute the tags of words and exact values', () => {
    const subKeys = deriveSubKeys(keyOf(frozen.tags.scopeKey), frozen.scopeId, frozen.tags.generation)
    const { words, wordTags: tags, exact } = frozen.tags
    expect(toHex(wordTags(subKeys.words, words))).toBe(tags)
    expect(exact.map(({ kind, value }) => toHex(exactTag(subKeys.exact, kind, value)))).toEqual(
      exact.map(({ tag }) => tag),
    )
  })

  it.each(frozen.secrets)('accept and hash the secret with the prefix $prefix', ({ prefix, text, hash }) => {
    expect(isWellFormedSecret(prefixes.parse(prefix), text)).toBe(true)
    expect(toHex(hashSecret(text))).toBe(hash)
  })
})
