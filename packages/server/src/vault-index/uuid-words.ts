/** A UUID as four 32-bit words, as tables of ids hold it. Throws on anything else. */
export function idWords(uuid: string): Uint32Array {
  const hex = uuid.replaceAll('-', '')
  if (!/^[0-9a-f]{32}$/i.test(hex)) throw new TypeError('An item of the index needs a UUID')
  return Uint32Array.from([0, 8, 16, 24], (at) => Number.parseInt(hex.slice(at, at + 8), 16))
}

/** The lower-case UUID whose words begin at `at`. */
export function uuidOf(words: Uint32Array, at: number): string {
  let hex = ''
  for (let i = at; i < at + 4; i++) hex += (words[i] as number).toString(16).padStart(8, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
