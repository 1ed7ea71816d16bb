import { isInside, parseNetwork, type Network } from './address.ts'

/**
 * Where the operator lets webhooks go beside the public internet: names of hosts, addresses and networks, each for one
 * port or for all that are usual. An entry allows plain http, too.
 */
export interface AllowedTarget {
  host: string | undefined
  network: Network | undefined
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
  // A name of digits and dots would be read as an address by whoever connects.
  if (bracketed !== undefined || !hostPattern.test(host) || /^[0-9.]+$/.test(host)) return undefined
  return { host, network: undefined, port }
}

/** `isUsualPort` decides for entries that name none. */
export const allows = (
  { host, network, port }: AllowedTarget,
  target: { host: string; address: Uint8Array; port: number; isUsualPort: boolean },
): boolean =>
  (port === undefined ? target.isUsualPort : port === target.port) &&
  (network === undefined ? host === target.host : isInside(network, target.address))
