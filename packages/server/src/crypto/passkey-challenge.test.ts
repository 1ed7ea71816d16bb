import { expect, it } from 'vitest'
import { createRandomKey } from './keys.ts'
import { challengeEnd, newChallenge } from './passkey-challenge.ts'

const key = createRandomKey()
const end = 1_800_000_000_000

it('is another one each time, and known again until it ends', () => {
  const challenge = newChallenge(key, 'sign-in', end)
  expect(newChallenge(key, 'sign-in', end)).not.toBe(challenge)
  expect(challengeEnd(key, 'sign-in', challenge, end - 1)).toBe(end)
  expect(challengeEnd(key, 'sign-in', challenge, end)).toBeUndefined()
})

it('holds for its own purpose and key alone', () => {
  const challenge = newChallenge(key, 'sign-in', end)
  expect(challengeEnd(key, 'add', challenge, 0)).toBeUndefined()
  expect(challengeEnd(createRandomKey(), 'sign-in', challenge, 0)).toBeUndefined()
})

it('is written in one way, and every change of it is seen', () => {
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
