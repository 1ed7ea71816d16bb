import { expect, it } from 'vitest'
import { measured, scaled } from '../../test/promises/measured.ts'
import { hedgedNonce, nextNonceRandom } from './gcm.ts'
import { createRandomKey } from './keys.ts'

/** Keeps the first 8 of 12 bytes of each. By chance, two of ten million are equal in 3 of a million runs. */
function countRepeats(nonces: BigUint64Array): number {
  nonces.sort()
  let repeats = 0
  for (let at = 1; at < nonces.length; at++) if (nonces[at] === nonces[at - 1]) repeats++
  return repeats
}

const place = Buffer.from('one cell')

it.each<[string, (at: number) => { random: Buffer; text: string }]>([
  ['of one text, with random bytes', () => ({ random: nextNonceRandom(), text: 'a text' })],
  [
    'of different texts, with a random source that is stuck',
    (at: number) => ({ random: Buffer.alloc(16), text: `${at}` }),
  ],
])('ten million nonces %s are all different', { timeout: 1_800_000 }, (_, draw) => {
  const key = createRandomKey()
  const nonces = new BigUint64Array(scaled(10_000_000))
  for (let at = 0; at < nonces.length; at++) {
    const { random, text } = draw(at)
    nonces[at] = hedgedNonce(key, random, place, Buffer.from(text)).readBigUInt64LE(0)
  }
  const repeats = countRepeats(nonces)
  expect(repeats).toBe(0)
  measured({ nonces: nonces.length, repeats })
})
