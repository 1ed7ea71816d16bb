import type { BlockList } from 'node:net'
import { isInside, parseNetwork } from './address.ts'

/**
 * Where the operator allows webhooks to go besides the public internet: host names, addresses and networks, each with one
 * port or with all usual ones. An entry also allows plain http.
 */
export interface AllowedTarget {
  host: string | undefined
  network: BlockList | undefined
  port: number | undefined
}

/** A comma-separated list; names in `problems` what cannot be understood. */
export function parseAllowList(text: string): { targets: AllowedTarget[]; problems: string[] } {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
  const targets: AllowedTarget[] = []
  const problems: string[] = []
  for (const entry of entries) {
    const target = parseTarget(entry)
    if (target === undefined) problems.push(`"${entry}" is no host name, address or network, with or without a port`)
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
