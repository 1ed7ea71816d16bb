import { Secret, TOTP } from 'otpauth'

/**
 * Codes that change with time (RFC 6238), as every authenticator app computes them: HMAC-SHA-1, 6 digits, steps of 30
 * seconds. SHA-1 is what these apps agree on; as a keyed hash it is sound.
 */

const periodSeconds = 30
const digits = 6
const issuer = 'Holdfast'
/** As RFC 4226 recommends: the length of the hash. */
const secretBytes = 20
/** Steps before and after the present one: clocks differ, and typing takes a while. */
const window = 1

/** In base32, as it is typed into an app where no picture can be read. */
export const newTotpSecret = (): string => new Secret({ size: secretBytes }).base32

/** What an app reads from the picture. */
export const totpUri = (secret: string, account: string): string => generatorOf(secret, account).toString()

/**
 * The step that a code is of, undefined where it is of none that counts now. Compared in constant time. Whoever takes a
 * code remembers its step, so that none is taken twice.
 */
export function matchTotpStep(secret: string, code: string, atMs: number): number | undefined {
  // The library compares bytes of equal length alone.
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const distance = generatorOf(secret, '').validate({ token: code, timestamp: atMs, window })
  return distance === null ? undefined : Math.floor(atMs / 1000 / periodSeconds) + distance
}

const generatorOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits, period: periodSeconds })
