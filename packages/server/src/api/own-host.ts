import { isIP } from 'node:net'

/**
 * Whether a request may have been meant for this server, by the names in it. A page that a browser has loaded from elsewhere
 * can be made to reach us under a name of its own (DNS rebinding); then its host, and its origin, is a name that others have
 * given. Addresses, names without a dot and names under localhost are nobody's to give; others must be ours.
 */
export interface OwnHosts {
  /** Undefined where the operator has named none. */
  publicUrl: string | undefined
  /** What the server listens on. */
  host: string
}

export function isOwnHost(hostHeader: string | undefined, own: OwnHosts): boolean {
  const name = URL.parse(`http://${hostHeader ?? ''}`)?.hostname
  return name !== undefined && name !== '' && isOwnName(name, own)
}

/** No origin is no browser's page. */
export function isOwnOrigin(origin: string | undefined, own: OwnHosts): boolean {
  if (origin === undefined) return true
  const url = URL.parse(origin)
  return url !== null && /^https?:$/.test(url.protocol) && isOwnName(url.hostname, own)
}

function isOwnName(name: string, { publicUrl, host }: OwnHosts): boolean {
  if (isIP(name.replaceAll(/^\[|\]$/g, '')) > 0 || !name.replace(/\.$/, '').includes('.')) return true
  return name.endsWith('.localhost') || name === host.toLowerCase() || name === URL.parse(publicUrl ?? '')?.hostname
}
