import type { JsonValue } from '../core/json.ts'
import { exactTag } from '../crypto/hash.ts'
import { tagKeys } from '../crypto/keys.ts'
import { equalBytes } from '../crypto/secrets.ts'
import type { Instance } from '../instance/instance.ts'

/**
 * Shows that this instance exported a record for this person, and that it hasn't changed since. Without it, a file could say that the person
 * wrote a text. Signed by record, because imports arrive in batches.
 */

export type WireRecord = Readonly<Record<string, JsonValue>>

interface Signer {
  instance: Pick<Instance, 'keys'>
  userId: string
}

/** The record, which has no undefined fields, with its signature. */
export const sign = (signer: Signer, record: WireRecord): WireRecord => ({
  ...record,
  signature: signatureOf(signer, record).toString('base64url'),
})

export function isSigned(signer: Signer, record: WireRecord): boolean {
  const { signature } = record
  return typeof signature === 'string' && equalBytes(Buffer.from(signature, 'base64url'), signatureOf(signer, record))
}

function signatureOf({ instance, userId }: Signer, { signature: _signature, ...signed }: WireRecord): Buffer {
  return exactTag(tagKeys(instance.keys).exact, 'exported record', `${userId} ${inFixedOrder(signed)}`)
}

/** As JSON, with the keys of each object in order: a file or a reader may change the order. */
function inFixedOrder(value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(inFixedOrder).join(',')}]`
  const entries = Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${inFixedOrder(value[key] ?? null)}`)
  return `{${entries.join(',')}}`
}
