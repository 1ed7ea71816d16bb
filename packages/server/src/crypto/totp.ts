import { Secret, TOTP } from 'otpauth'

/**
 * Time-based codes (RFC 6238) as every authenticator app computes them: HMAC-SHA-1, 6 digits, steps of 30
 * seconds. SHA-1 is what these apps agree on; as a keyed hash it is sound.
 */

const periodSeconds = 30
const digits = 6
const issuer = 'Holdfast'
/** As RFC 4226 recommends: the length of the hash. */
const secretBytes = 20
/** Steps accepted before and after the current one: clocks differ, and typing takes time. */
const window = 1

/** In base32, for typing into an app that can't scan the QR code. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/** The content of the QR code. */
export const totpUri = (secret: string, account: string): string => generatorOf(secret, account).toString()

/**
 * The time step of a code, or undefined if it isn't valid now. Compares in constant time. Callers store the step of an
 * accepted code, so no code works twice.
 */
export function matchTotpStep(secret: string, code: string, atMs: number): number | undefined {
  // The library only compares codes of equal length.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const distance = generatorOf(secret, '').validate({ token: code, timestamp: atMs, window })
  return distance === null ? undefined : Math.floor(atMs / 1000 / periodSeconds) + distance
}

const generatorOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits, period: periodSeconds })
