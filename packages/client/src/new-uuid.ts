/** Creates random hexadecimal digits, two per byte. */
export const randomDigits = (bytes: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** Creates a random UUID (version 4). Pages over plain HTTP have no `crypto.randomUUID`. */
export function newUuid(): string {
  const digits = randomDigits(16)
  const variant = '89ab'[Number(`0x${digits[16]}`) & 3]
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-')
}
