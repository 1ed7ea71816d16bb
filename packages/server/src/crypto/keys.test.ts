import { createSecretKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  createRandomKey,
  deriveSubKeys,
  keyCheckValue,
  keyFromBytes,
  KeyWrapError,
  rootKeysFrom,
  scopeKeys,
  tagKeys,
  unwrapKey,
  wrapKey,
  wrapKeyWithSalt,
  wrappingKeyFrom,
  type WrapContext,
  type WrappingKey,
} from './keys.ts'

const scopeId = '0192d4e0-0000-7000-8000-000000000001'
const otherId = '0192d4e0-0000-7000-8000-000000000002'

const subKeyBytes = (key: KeyObject, scope: string, generation: number) =>
  Object.values<KeyObject>({ ...deriveSubKeys(key, scope, generation) }).map((subKey) =>
    subKey.export().toString('hex'),
  )

describe('keyFromBytes', () => {
  it('copies the bytes, so the caller can wipe them', () => {
    const bytes = Buffer.alloc(32, 7)
    const key = keyFromBytes(bytes)
    bytes.fill(0)
    expect(key.export()).toEqual(Buffer.alloc(32, 7))
  })

  it.each([0, 16, 31, 33, 64])('rejects %d bytes', (length) => {
    expect(() => keyFromBytes(Buffer.alloc(length))).toThrow(RangeError)
  })
})

describe('createRandomKey', () => {
  it('creates another 32-byte key each time', () => {
    const [a, b] = [createRandomKey(), createRandomKey()]
    expect(a.symmetricKeySize).toBe(32)
    expect(a.equals(b)).toBe(false)
    expect(a.equals(keyFromBytes(Buffer.alloc(32)))).toBe(false)
  })
})

describe('keyCheckValue', () => {
  it('is 16 bytes, constant for one key and different for another', () => {
    const key = createRandomKey()
    expect(keyCheckValue(key)).toHaveLength(16)
    expect(keyCheckValue(key)).toEqual(keyCheckValue(keyFromBytes(key.export())))
    expect(keyCheckValue(key)).not.toEqual(keyCheckValue(createRandomKey()))
  })
})

describe('rootKeysFrom', () => {
  it('uses the first as primary and finds all by their ids', () => {
    const keys = [createRandomKey(), createRandomKey()]
    const roots = rootKeysFrom(keys)
    expect(roots.primary.key).toBe(keys[0])
    expect([...roots.byId.values()].map((root) => root.key)).toEqual(keys)
    expect(roots.byId.get(roots.primary.id)).toBe(roots.primary)
  })

  it('identifies a key by the first half of its check value', () => {
    const key = createRandomKey()
    expect(rootKeysFrom([key]).primary.id).toBe(keyCheckValue(key).toString('hex').slice(0, 16))
  })

  it('rejects an empty list', () => {
    expect(() => rootKeysFrom([])).toThrow(RangeError)
  })
})

describe('deriveSubKeys', () => {
  const key = createRandomKey()

  it('derives a separate key for each purpose, scope, generation and scope key', () => {
    const all = [
      ...subKeyBytes(key, scopeId, 1),
      ...subKeyBytes(key, scopeId, 2),
      ...subKeyBytes(key, otherId, 1),
      ...subKeyBytes(createRandomKey(), scopeId, 1),
    ]
    expect(new Set(all).size).toBe(20)
  })

  it('derives the same keys again', () => {
    expect(subKeyBytes(key, scopeId, 1)).toEqual(subKeyBytes(keyFromBytes(key.export()), scopeId, 1))
  })
})

describe('scopeKeys', () => {
  it('seals with the highest generation, whatever the order', () => {
    const keys = [3, 12, 1].map((generation) => ({ generation, key: createRandomKey() }))
    const scope = scopeKeys(scopeId, keys)
    expect(scope.current).toBe(12)
    expect([...scope.generations.keys()].toSorted((a, b) => a - b)).toEqual([1, 3, 12])
  })

  it('rejects an empty list and two keys of one generation', () => {
    const key = createRandomKey()
    expect(() => scopeKeys(scopeId, [])).toThrow(RangeError)
    expect(() =>
      scopeKeys(scopeId, [
        { generation: 1, key },
        { generation: 1, key },
      ]),
    ).toThrow(RangeError)
  })
})

describe('tagKeys', () => {
  it('stay those of the first generation after newer ones are added', () => {
    const keys = [4, 2].map((generation) => ({ generation, key: createRandomKey() }))
    const scope = scopeKeys(scopeId, keys)
    expect(tagKeys(scope)).toBe(scope.generations.get(2))
    expect(tagKeys(scopeKeys(scopeId, keys.slice(1))).exact.equals(tagKeys(scope).exact)).toBe(true)
  })
})

describe('wrapped keys', () => {
  const root = wrappingKeyFrom(createRandomKey())
  const key = createRandomKey()
  const context: WrapContext = {
    instanceId: '0192d4e0-0000-7000-8000-00000000000a',
    userId: '0192d4e0-0000-7000-8000-00000000000b',
    holderKind: 'integration',
    holderId: '0192d4e0-0000-7000-8000-00000000000c',
    version: 1,
  }
  const wrapped = wrapKey(root, key, context)
  const reasonOf = (wrapping: WrappingKey | Map<string, WrappingKey>, bytes: Uint8Array, where = context) => {
    try {
      unwrapKey(wrapping, bytes, where)
    } catch (error) {
      return error instanceof KeyWrapError ? error.reason : error
    }
    return 'opened'
  }

  it('open under their wrapping key, given alone or among others', () => {
    expect(unwrapKey(root, wrapped, context).equals(key)).toBe(true)
    const among = rootKeysFrom([createRandomKey(), root.key, createRandomKey()]).byId
    expect(unwrapKey(among, wrapped, context).equals(key)).toBe(true)
  })

  it('differ each time, and never contain the key in plain text', () => {
    expect(wrapKey(root, key, context).equals(wrapped)).toBe(false)
    expect(wrapped.includes(key.export())).toBe(false)
  })

  it.each<[string, Partial<WrapContext>]>([
    ['another integration', { holderId: otherId }],
    ['another user', { userId: otherId }],
    ['another instance', { instanceId: otherId }],
    ['another version', { version: 2 }],
    ['the user record', { holderKind: 'user' }],
  ])('do not open when moved to %s', (_, change) => {
    expect(reasonOf(root, wrapped, { ...context, ...change })).toBe('rejected')
  })

  it('say when their wrapping key is missing', () => {
    expect(reasonOf(wrappingKeyFrom(createRandomKey()), wrapped)).toBe('unknown_wrapping_key')
    expect(reasonOf(new Map(), wrapped)).toBe('unknown_wrapping_key')
  })

  it('do not open under another key that claims the same id', () => {
    expect(reasonOf({ id: root.id, key: createRandomKey() }, wrapped)).toBe('rejected')
  })

  it('do not open when relabelled with the id of another wrapping key', () => {
    const other = wrappingKeyFrom(createRandomKey())
    const relabelled = Buffer.from(wrapped)
    relabelled.write(other.id, 4)
    expect(reasonOf(rootKeysFrom([root.key, other.key]).byId, relabelled)).toBe('rejected')
  })

  it('do not open with any single bit flipped', () => {
    for (let bit = 0; bit < wrapped.length * 8; bit++) {
      const flipped = Buffer.from(wrapped)
      flipped.writeUInt8(flipped.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(reasonOf(root, flipped)).toMatch(/^(malformed|unknown_wrapping_key|rejected)$/)
    }
  })

  it('do not open when cut or lengthened by any number of bytes', () => {
    for (let length = 0; length < wrapped.length; length++)
      expect(reasonOf(root, wrapped.subarray(0, length))).toBe('malformed')
    expect(reasonOf(root, Buffer.concat([wrapped, Buffer.alloc(1)]))).toBe('malformed')
  })

  it('do not open if the commitment of one wrap is put before the sealed key of another', () => {
    const salt = Buffer.alloc(32, 1)
    const [a, b] = [context, { ...context, holderId: otherId }].map((where) => wrapKeyWithSalt(root, key, where, salt))
    const mixed = Buffer.concat([a?.subarray(0, -48) ?? Buffer.alloc(0), b?.subarray(-48) ?? Buffer.alloc(0)])
    expect(mixed).toHaveLength(wrapped.length)
    expect(reasonOf(root, mixed)).toBe('rejected')
  })

  it('contain only keys of 32 bytes', () => {
    expect(() => wrapKey(root, createSecretKey(Buffer.alloc(16)), context)).toThrow(RangeError)
  })

  it('reveal nothing about the key or the holder in errors', () => {
    const error = new KeyWrapError('rejected')
    expect(error.message).toBe('wrapped key does not belong to this holder or wrapping key')
    expect(Object.keys(error).toSorted()).toEqual(['name', 'reason'])
  })
})
