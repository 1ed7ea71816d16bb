import { isIP, isIPv6 } from 'node:net'

/**
 * Which addresses belong to the public internet. Compared as 16 bytes, IPv4 as the ::ffff:0:0/96 that it maps to, because
 * checks on text miss other spellings of the same address. Whatever cannot be read counts as not public.
 */

export interface Network {
  bytes: Uint8Array
  bits: number
}

const mappedPrefix = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]

/** Undefined for anything but a plain address; an IPv6 zone (`%eth0`) names an interface, which nobody may choose. */
export function addressBytes(text: string): Uint8Array | undefined {
  if (text.includes('%')) return undefined
  switch (isIP(text)) {
    case 4:
      return Uint8Array.from([...mappedPrefix, ...text.split('.').map(Number)])
    case 6:
      return ipv6Bytes(text)
    default:
      return undefined
  }
}

function ipv6Bytes(text: string): Uint8Array {
  const [head = '', tail] = text.replace(/[0-9.]+$/, dottedAsGroups).split('::')
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => 0)
  return Uint8Array.from([...before, ...zeros, ...after].flatMap((group) => [group >> 8, group & 0xff]))
}

const groupsOf = (text: string) => (text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16)))

// The last four bytes may be written as IPv4. Plain digits are a group of their own and stay.
function dottedAsGroups(tail: string): string {
  if (!tail.includes('.')) return tail
  const [a = 0, b = 0, c = 0, d = 0] = tail.split('.').map(Number)
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`
}

/** `10.0.0.0/8`, `fd00::/8`, or one address. Undefined for anything else. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', length, ...more] = text.split('/')
  const bytes = addressBytes(address)
  if (bytes === undefined || more.length > 0) return undefined
  const ownBits = isIPv6(address) ? 128 : 32
  if (length !== undefined && !/^\d{1,3}$/.test(length)) return undefined
  const bits = length === undefined ? ownBits : Number(length)
  return bits > ownBits ? undefined : { bytes, bits: bits + 128 - ownBits }
}

export function isInside({ bytes, bits }: Network, address: Uint8Array): boolean {
  const whole = bits >> 3
  for (let at = 0; at < whole; at++) if (bytes[at] !== address[at]) return false
  const mask = 0xff00 >> (bits & 7)
  return whole === 16 || ((bytes[whole] ?? 0) & mask & 0xff) === ((address[whole] ?? 0) & mask & 0xff)
}

/** Network of the machine itself, private, shared, link-local (cloud metadata), reserved, for documentation, multicast. */
const notPublicIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]

/**
 * Of IPv6 only 2000::/3 is given out to the public. That leaves out all forms that carry an IPv4 address (compatible,
 * translated, NAT64) but Teredo and 6to4, which are refused whole: where they lead depends on the network.
 */
const notPublicIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']

const ipv4 = network('::ffff:0:0/96')
const globalIpv6 = network('2000::/3')
const refused = [...notPublicIpv4, ...notPublicIpv6].map(network)

function network(text: string): Network {
  const parsed = parseNetwork(text)
  if (parsed === undefined) throw new RangeError(`not a network: ${text}`)
  return parsed
}

export const isPublic = (address: Uint8Array): boolean =>
  (isInside(ipv4, address) || isInside(globalIpv6, address)) && !refused.some((known) => isInside(known, address))
