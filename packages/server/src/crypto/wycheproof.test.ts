import { createSecretKey } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { gcmOpen, gcmSeal } from './gcm.ts'
import { hkdfSha256, hmacSha256 } from './hash.ts'
import { equalBytes } from './secrets.ts'

// The vectors of project Wycheproof (github.com/C2SP/wycheproof, testvectors_v1) are not in this repository: they are read, gzipped,
// from a folder next to the checkout, or from TEST_VECTORS_DIR.

const verdict = { tcId: z.number(), result: z.enum(['valid', 'invalid']) }
const gcmVector = z.object({
  ...verdict,
  key: z.string(),
  iv: z.string(),
  aad: z.string(),
  msg: z.string(),
  ct: z.string(),
  tag: z.string(),
})
const hkdfVector = z.object({
  ...verdict,
  ikm: z.string(),
  salt: z.string(),
  info: z.string(),
  size: z.number(),
  okm: z.string(),
})
const hmacVector = z.object({ ...verdict, key: z.string(), msg: z.string(), tag: z.string() })
type GcmVector = z.output<typeof gcmVector>
type HkdfVector = z.output<typeof hkdfVector>
type HmacVector = z.output<typeof hmacVector>

const besideRepository = resolve(import.meta.dirname, '../../../../../shared/data/wycheproof')
const folder = process.env['TEST_VECTORS_DIR'] ?? besideRepository
const isAvailable = existsSync(folder)
const reason = isAvailable ? '' : ' (skipped: no folder with the vectors was found; TEST_VECTORS_DIR may name one)'

const hex = (text: string) => Buffer.from(text, 'hex')

function readVectors<V>(file: string, vector: z.ZodType<V>): V[] {
  const text = gunzipSync(readFileSync(join(folder, file))).toString()
  const { testGroups } = z.object({ testGroups: z.array(z.object({ tests: z.array(vector) })) }).parse(JSON.parse(text))
  return testGroups.flatMap((group) => group.tests)
}

/** Lists the vectors with another verdict than ours; there must be none. If `judge` throws, that counts as a rejection. */
function disagreements<V extends { tcId: number; result: string }>(
  vectors: V[],
  judge: (vector: V) => boolean,
): number[] {
  return vectors.filter((vector) => accepts(judge, vector) !== (vector.result === 'valid')).map((vector) => vector.tcId)
}

function accepts<V>(judge: (vector: V) => boolean, vector: V): boolean {
  try {
    return judge(vector)
  } catch {
    return false
  }
}

const sealGcm = (v: GcmVector) => gcmSeal(createSecretKey(hex(v.key)), hex(v.iv), hex(v.aad), hex(v.msg))
const openGcm = (v: GcmVector) => gcmOpen(createSecretKey(hex(v.key)), hex(v.iv), hex(v.aad), hex(v.ct + v.tag))
const hkdfMatches = (v: HkdfVector) =>
  hkdfSha256(createSecretKey(hex(v.ikm)), hex(v.salt), hex(v.info), v.size).toString('hex') === v.okm
const hmacMatches = (v: HmacVector) =>
  equalBytes(hmacSha256(createSecretKey(hex(v.key)), hex(v.msg)).subarray(0, v.tag.length / 2), hex(v.tag))
// The only sizes in use: 256-bit keys and 96-bit nonces.
const isOurs = (v: GcmVector) => v.key.length === 64 && v.iv.length === 24

describe.skipIf(!isAvailable)(`Wycheproof vectors${reason}`, () => {
  it('agree with AES-256-GCM in all 66 that have a 96-bit nonce', () => {
    const vectors = readVectors('aes_gcm_test.json.gz', gcmVector).filter(isOurs)
    expect(vectors).toHaveLength(66)
    expect(disagreements(vectors, (v) => openGcm(v)?.equals(hex(v.msg)) === true)).toEqual([])
    // In an invalid vector only the tag is wrong, so sealing must return another one.
    expect(disagreements(vectors, (v) => sealGcm(v).toString('hex') === v.ct + v.tag)).toEqual([])
  })

  it('are rejected in all 250 that have another nonce length or key size', () => {
    const others = readVectors('aes_gcm_test.json.gz', gcmVector).filter((v) => !isOurs(v))
    expect(others).toHaveLength(250)
    for (const vector of others) {
      expect(() => sealGcm(vector)).toThrow(RangeError)
      expect(() => openGcm(vector)).toThrow(RangeError)
    }
  })

  it('agree with HKDF-SHA256 in all 86', () => {
    const vectors = readVectors('hkdf_sha256_test.json.gz', hkdfVector)
    expect(vectors).toHaveLength(86)
    expect(disagreements(vectors, hkdfMatches)).toEqual([])
  })

  it('agree with HMAC-SHA256, whole and cut to 128 bits, in all 174', () => {
    const vectors = readVectors('hmac_sha256_test.json.gz', hmacVector)
    expect(vectors).toHaveLength(174)
    expect(disagreements(vectors, hmacMatches)).toEqual([])
  })
})
