/**
 * The byte forms that go into associated data and key derivation. Each is injective, so that two different addresses
 * never encode to the same bytes. Wrong input is a programmer's error: RangeError, without the value in the message.
 */

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** The 16 bytes of a UUID in its lower-case text form. */
export function uuidBytes(id: string): Buffer {
  if (!uuidPattern.test(id)) throw new RangeError('an id in a key or cell address is not a lower-case UUID')
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

/** lp(x): the length of x as two big-endian bytes, then x; text as UTF-8. */
export function lengthPrefixed(value: Uint8Array | string): Buffer {
  const bytes = typeof value === 'string' ? Buffer.from(value) : value
  if (bytes.length > 0xffff) throw new RangeError('a part of a key or cell address is longer than 65,535 bytes')
  const out = Buffer.allocUnsafe(2 + bytes.length)
  out.writeUInt16BE(bytes.length, 0)
  out.set(bytes, 2)
  return out
}

/** Four big-endian bytes. */
export function uint32(value: number): Buffer {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff)
    throw new RangeError('a number in a key or cell address is not an unsigned 32-bit integer')
  const out = Buffer.allocUnsafe(4)
  out.writeUInt32BE(value, 0)
  return out
}
