import { randomBytes, type KeyObject } from 'node:crypto'
import { exactTag } from './blind.ts'
import { equalBytes } from './secrets.ts'

/**
 * What a passkey signs, so that it signs something new each time: when it ends ‖ 16 random bytes ‖ a tag over both and over
 * what it is for. Whoever holds the key can tell such a challenge without having kept it; so strangers who ask for
 * many make nobody store anything.
 */

const timeBytes = 6
const randomLength = 16
const tagAt = timeBytes + randomLength
const challengeBytes = tagAt + 16

/** `purpose`: all that it may be used for, in one text; it holds for this alone. */
export function newChallenge(exactKey: KeyObject, purpose: string, expiresAt: number): string {
  const body = Buffer.concat([Buffer.alloc(timeBytes), randomBytes(randomLength)])
  body.writeUIntBE(expiresAt, 0, timeBytes)
  return Buffer.concat([body, tagOf(exactKey, purpose, body)]).toString('base64url')
}

/** When the challenge ends; undefined where it has ended, was made for something else, or by nobody here. */
export function challengeEnd(exactKey: KeyObject, purpose: string, challenge: string, now: number): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  // One text for each challenge, or a second way to write it would make it another.
  if (bytes.length !== challengeBytes || bytes.toString('base64url') !== challenge) return undefined
  const body = bytes.subarray(0, tagAt)
  const expiresAt = body.readUIntBE(0, timeBytes)
  const isOurs = equalBytes(tagOf(exactKey, purpose, body), bytes.subarray(tagAt))
  return isOurs && now < expiresAt ? expiresAt : undefined
}

const tagOf = (exactKey: KeyObject, purpose: string, body: Buffer): Buffer =>
  exactTag(exactKey, 'passkeyChallenge', `${purpose}\0${body.toString('hex')}`)
