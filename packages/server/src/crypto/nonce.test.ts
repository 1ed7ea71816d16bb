import { describe, expect, it } from 'vitest'
import { createRandomKey } from './keys.ts'
import { hedgedNonce, nextNonceRandom } from './gcm.ts'

describe('nextNonceRandom', () => {
  it('returns 16 bytes, never the same twice, even after the pool is refilled', () => {
    const drawn = Array.from({ length: 1000 }, () => nextNonceRandom().toString('hex'))
    expect(new Set(drawn).size).toBe(1000)
    expect(drawn.every((text) => text.length === 32)).toBe(true)
  })
})

describe('hedgedNonce', () => {
  const key = createRandomKey()
  const stuckRandom = Buffer.alloc(16)
  const place = Buffer.from('place')
  const nonceOf = (text: string, aad = place, random: Uint8Array = stuckRandom) =>
    hedgedNonce(key, random, aad, Buffer.from(text)).toString('hex')

  it('has 12 bytes', () => {
    expect(nonceOf('a text')).toHaveLength(24)
  })

  it('differs for 5,000 texts in one cell even if the random source is stuck', () => {
    expect(new Set(Array.from({ length: 5000 }, (_, at) => nonceOf(`text ${at}`))).size).toBe(5000)
  })

  it('differs for one text in 5,000 cells even if the random source is stuck', () => {
    const nonces = Array.from({ length: 5000 }, (_, at) => nonceOf('a text', Buffer.from(`place ${at}`)))
    expect(new Set(nonces).size).toBe(5000)
  })

  it('differs for one text in one cell as long as the random source works', () => {
    const nonces = Array.from({ length: 1000 }, () => nonceOf('a text', place, nextNonceRandom()))
    expect(new Set(nonces).size).toBe(1000)
  })
})
