import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { addressBytes, isPublic } from './address.ts'
import { allows, type AllowedTarget } from './allow-list.ts'
import type { Resolve } from './resolve.ts'

/**
 * Decides whether this server may send a request to a URL that a person gave. The same function runs when a subscription is
 * made or changed and before each attempt; whoever connects must use these addresses and no others, since a name may lead
 * elsewhere a moment later.
 */
export type Vetted =
  | { isAllowed: true; url: URL; host: string; port: number; addresses: string[] }
  | {
      isAllowed: false
      isFinal: boolean
      /** Whether the operator's list could allow it. */
      isOpenable: boolean
      reason: string
    }

export interface VetOptions {
  allowed: readonly AllowedTarget[]
  resolve: Resolve
  /** Where this server listens; 0 where that is not known beforehand. */
  ownPort: number
}

export type VetUrl = (url: string, signal?: AbortSignal) => Promise<Vetted>

const maxHostChars = 253
const webPorts = new Set([80, 443, 8443])

/** Reasons never name an address: whoever asks must learn nothing about the network that this server stands in. */
export const createVetUrl =
  (options: VetOptions): VetUrl =>
  async (text, signal) => {
    const url = URL.parse(text)
    if (url === null || !['http:', 'https:'].includes(url.protocol)) return refuse('must begin with https://')
    if (url.username !== '' || url.password !== '') return refuse('must not hold a user name or password')
    // Numbers in any base and digits of any script are dotted decimals by now.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    if (host === '' || host.length > maxHostChars) return refuse('address not allowed')
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    const addresses = isIP(host) === 0 ? await options.resolve(host, signal).catch(() => []) : [host]
    if (addresses.length === 0) return unresolved(url, host, port, options)
    const kinds = new Set(addresses.map((address) => judge(options, host, port, address)))
    // One address that is refused refuses the name.
    if (kinds.has('refused')) return refuse('address not allowed', true)
    if (kinds.has('public') && !webPorts.has(port)) return refuse('port not allowed', true)
    if (kinds.has('public') && url.protocol !== 'https:') return refuse('must begin with https://', true)
    return { isAllowed: true, url, host, port, addresses }
  }

const refuse = (reason: string, isOpenable = false): Vetted => ({ isAllowed: false, isFinal: true, isOpenable, reason })

// Plain http leads nowhere, whatever the name will resolve to, unless the list has the name itself.
const unresolved = ({ protocol }: URL, host: string, port: number, { allowed }: VetOptions): Vetted =>
  protocol === 'http:' && !allowed.some((target) => target.host === host && (target.port ?? port) === port)
    ? refuse('must begin with https://', true)
    : { isAllowed: false, isFinal: false, isOpenable: false, reason: 'the name has no address' }

/** `allowed`: by the operator's list. */
function judge(
  { allowed, ownPort }: VetOptions,
  host: string,
  port: number,
  text: string,
): 'allowed' | 'public' | 'refused' {
  const address = addressBytes(text)
  if (address === undefined) return 'refused'
  const isOwn = port === ownPort && isThisMachine(address)
  const isUsualPort = !isOwn && (webPorts.has(port) || port > 1024)
  if (allowed.some((target) => allows(target, { host, address, port, isUsualPort }))) return 'allowed'
  return isPublic(address) && !isOwn ? 'public' : 'refused'
}

const loopback = 127

function isThisMachine(address: Uint8Array): boolean {
  const isMapped = address[10] === 0xff
  const isLoopback = isMapped && address[12] === loopback
  // Whoever connects to no address in particular reaches this machine.
  const isUnspecified = address.every((byte, at) => byte === 0 || (isMapped && (at === 10 || at === 11)))
  const own = Object.values(networkInterfaces()).flatMap((known) => known ?? [])
  return isLoopback || isUnspecified || own.some((known) => sameAddress(addressBytes(known.address), address))
}

export const sameAddress = (a: Uint8Array | undefined, b: Uint8Array | undefined): boolean =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0
