import { isIP } from 'node:net'

/**
 * Protects against DNS rebinding, in which a page from elsewhere reaches this server under its own host name. Addresses, names without a
 * dot and names under localhost can't be chosen by others; any other name must be ours.
 */
export interface OwnHosts {
  /** Undefined if the operator hasn't set it. */
  publicUrl: string | undefined
  /** The address that the server listens on. */
  host: string
  /** More names, in lower case. */
  allowedHosts: readonly string[]
}

export function isOwnHost(hostHeader: string | undefined, own: OwnHosts): boolean {
  const name = URL.parse(`http://${hostHeader ?? ''}`)?.hostname
  return name !== undefined && name !== '' && isOwnName(name, own)
}

/** A request without an origin isn't from a browser's page. */
export function isOwnOrigin(origin: string | undefined, own: OwnHosts): boolean {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && isOwnName(url.hostname, own)
}

function isOwnName(name: string, { publicUrl, host, allowedHosts }: OwnHosts): boolean {
  if (isIP(name.replaceAll(/^\[|\]$/g, '')) > 0 || !name.replace(/\.$/, '').includes('.')) return true
  const names = [host.toLowerCase(), URL.parse(publicUrl ?? '')?.hostname, ...allowedHosts]
  return name.endsWith('.localhost') || names.includes(name)
}
