import { isIP } from 'node:net'

/**
 * What counts as one client: an address of IPv4, a /64 of IPv6. One customer of a provider has a whole /64, and so more addresses
 * than could be counted. IPv4 in IPv6 counts as IPv4.
 */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const groupsIn = (part = '') => part.split(':').filter((group) => group !== '')
  const [head, tail] = address.split('::')
  const [before, after] = [groupsIn(head), groupsIn(tail)]
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0')
  const groups = [...before, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${groups.join(':')}::/64`
}
