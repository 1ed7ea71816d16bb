import { BlockList, isIP, SocketAddress } from 'node:net'

/**
 * Which addresses belong to the public internet. An address is compared as the platform reads it, since checks on text miss
 * other spellings of the same address. IPv4 that is mapped to IPv6 (::ffff:127.0.0.1) counts as IPv4.
 */

/**
 * The canonical spelling of an address; undefined for anything else. A zone (`fe80::1%eth0`) isn't allowed: it chooses a
 * network interface of this machine.
 */
export function parseAddress(text: string): string | undefined {
  if (isIP(text) === 0 || text.includes('%')) return undefined
  const { address } = new SocketAddress({ address: text, family: familyOf(text) })
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

/** `10.0.0.0/8`, `fd00::/8`, or one address. Undefined for anything else. */
export function parseNetwork(text: string): BlockList | undefined {
  const [address = '', length, ...more] = text.split('/')
  const longest = isIP(address) === 4 ? 32 : 128
  const bits = length === undefined ? longest : Number(length)
  if (parseAddress(address) === undefined || more.length > 0) return undefined
  if ((length !== undefined && !/^\d{1,3}$/.test(length)) || bits > longest) return undefined
  return networkOf([`${address}/${bits}`])
}

function networkOf(subnets: readonly string[]): BlockList {
  const network = new BlockList()
  for (const subnet of subnets) {
    const [address = '', bits] = subnet.split('/')
    network.addSubnet(address, Number(bits), familyOf(address))
  }
  return network
}

/** `address` as `parseAddress` returns it. */
export const isInside = (network: BlockList, address: string): boolean => network.check(address, familyOf(address))

/**
 * Of IPv6, only 2000::/3 is assigned to the public. That excludes unique local, link-local and multicast addresses, the
 * discard prefix, and most forms that carry an IPv4 address: compatible, translated and NAT64.
 */
const assigned = networkOf(['0.0.0.0/0', '2000::/3'])

/** The IANA registries of special-purpose addresses, limited to the assigned space, and IPv4 multicast. */
const special = networkOf([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by customers of a provider
  '127.0.0.0/8', // this machine
  '169.254.0.0/16', // link-local, including cloud metadata services
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112: answers for private addresses
  '192.52.193.0/24', // multicast tunnels (AMT)
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
  '2001::/23', // protocol assignments, such as Teredo: where it leads depends on the network
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4: carries an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
])

/** `address` as `parseAddress` returns it. */
export const isPublic = (address: string): boolean => isInside(assigned, address) && !isInside(special, address)

/**
 * A target outside the public internet that the operator allows for webhooks: a host name, address or network, with one port
 * or all usual ports. An entry also allows plain http.
 */
export interface AllowedTarget {
  host: string | undefined
  network: BlockList | undefined
  port: number | undefined
}

/** Parses a comma-separated list. `problems` describes the entries that are invalid. */
export function parseAllowList(text: string): { targets: AllowedTarget[]; problems: string[] } {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const targets: AllowedTarget[] = []
  const problems: string[] = []
  for (const entry of entries) {
    const target = parseTarget(entry)
    if (target === undefined) problems.push(`"${entry}" is not a host name, address or network, optionally with a port`)
    else targets.push(target)
  }
  return { targets, problems }
}

const hostPattern = /^(?!-)[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63})*$/

function parseTarget(entry: string): AllowedTarget | undefined {
  const alone = parseNetwork(entry)
  if (alone !== undefined) return { host: undefined, network: alone, port: undefined }
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const place = bracketed ?? plain
  const port = digits === undefined ? undefined : Number(digits)
  if (place === undefined || (port !== undefined && (port < 1 || port > 65_535))) return undefined
  const network = parseNetwork(place)
  if (network !== undefined) return { host: undefined, network, port }
  const host = place.toLowerCase().replace(/\.$/, '')
  // Connecting would read a name of digits and dots as an address.
  if (bracketed !== undefined || !hostPattern.test(host) || /^[0-9.]+$/.test(host)) return undefined
  return { host, network: undefined, port }
}

/** `isUsualPort` decides for entries without a port. `address` as `parseAddress` returns it. */
export const allows = (
  { host, network, port }: AllowedTarget,
  target: { host: string; address: string; port: number; isUsualPort: boolean },
): boolean =>
  (port === undefined ? target.isUsualPort : port === target.port) &&
  (network === undefined ? host === target.host : isInside(network, target.address))
