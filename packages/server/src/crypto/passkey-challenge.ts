import { randomBytes, type KeyObject } from 'node:crypto'
import { exactTag } from './hash.ts'
import { equalBytes } from './secrets.ts'

/**
 * The challenge that a passkey signs, new each time: expiry ‖ 16 random bytes ‖ a tag over both and over the purpose. The key
 * verifies a challenge that was never stored, so strangers who request many of them cost no storage.
 */

const timeBytes = 6
const randomLength = 16
const tagAt = timeBytes + randomLength
const challengeBytes = tagAt + 16

/** `purpose`: the only use that the challenge is valid for. */
export function newChallenge(exactKey: KeyObject, purpose: string, expiresAt: number): string {
  const body = Buffer.concat([Buffer.alloc(timeBytes), randomBytes(randomLength)])
  body.writeUIntBE(expiresAt, 0, timeBytes)
  return Buffer.concat([body, tagOf(exactKey, purpose, body)]).toString('base64url')
}

/** When the challenge expires. Undefined if it has expired, has another purpose, or wasn't issued here. */
export function challengeEnd(exactKey: KeyObject, purpose: string, challenge: string, now: number): number | undefined {
  const bytes = Buffer.from(challenge, 'base64url')
  // Accept only the canonical encoding: another spelling would count as another challenge.
  if (bytes.length !== challengeBytes || bytes.toString('base64url') !== challenge) return undefined
  const body = bytes.subarray(0, tagAt)
  const expiresAt = body.readUIntBE(0, timeBytes)
  const isOurs = equalBytes(tagOf(exactKey, purpose, body), bytes.subarray(tagAt))
  return isOurs && now < expiresAt ? expiresAt : undefined
}

const tagOf = (exactKey: KeyObject, purpose: string, body: Buffer): Buffer =>
  exactTag(exactKey, 'passkeyChallenge', `${purpose}\0${body.toString('hex')}`)
