import { createSecretKey, randomBytes } from 'node:crypto'
import { hmacSha256 } from './hash.ts'

/**
 * A webhook's secret is `whsec_` ‖ base64 of 32 random bytes. It keys two signatures: ours with the whole text, and the
 * Standard Webhooks one with the decoded bytes. It can't be stored as a hash, because each delivery is signed with it.
 */

const prefix = 'whsec_'

export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

/** `sha256=` ‖ lower-case hexadecimal HMAC-SHA256 of the body. It contains no time, so it never expires. */
export const signBody = (secret: string, body: string): string =>
  `sha256=${hmacSha256(createSecretKey(Buffer.from(secret)), body).toString('hex')}`

/**
 * One signature of Standard Webhooks for each secret, separated by spaces: `v1,` ‖ base64 of the HMAC-SHA256 of
 * id ‖ "." ‖ timestamp ‖ "." ‖ body. The timestamp counts seconds.
 */
export const signDelivery = (
  secrets: readonly string[],
  { id, timestamp, body }: { id: string; timestamp: number; body: string },
): string =>
  secrets
    .map((secret) => createSecretKey(Buffer.from(secret.slice(prefix.length), 'base64')))
    .map((key) => `v1,${hmacSha256(key, `${id}.${timestamp}.${body}`).toString('base64')}`)
    .join(' ')
