import { expect, it } from 'vitest'
import { createRandomKey } from './keys.ts'
import { challengeEnd, newChallenge } from './passkey-challenge.ts'

const key = createRandomKey()
const end = 1_800_000_000_000

it('differs each time, and is recognized until it expires', () => {
  const challenge = newChallenge(key, 'sign-in', end)
  expect(newChallenge(key, 'sign-in', end)).not.toBe(challenge)
  expect(challengeEnd(key, 'sign-in', challenge, end - 1)).toBe(end)
  expect(challengeEnd(key, 'sign-in', challenge, end)).toBeUndefined()
})

it('is valid only for its own purpose and key', () => {
  const challenge = newChallenge(key, 'sign-in', end)
  expect(challengeEnd(key, 'add', challenge, 0)).toBeUndefined()
  expect(challengeEnd(createRandomKey(), 'sign-in', challenge, 0)).toBeUndefined()
})

it('has a single spelling, and every change is detected', () => {
  const challenge = newChallenge(key, 'sign-in', end)
  const bytes = Buffer.from(challenge, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 1
    expect([at, challengeEnd(key, 'sign-in', changed.toString('base64url'), 0)]).toEqual([at, undefined])
  }
  for (const other of [`${challenge}=`, ` ${challenge}`, challenge.slice(0, -1), `${challenge}A`, ''])
    expect(challengeEnd(key, 'sign-in', other, 0)).toBeUndefined()
})
