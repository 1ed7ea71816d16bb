import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { type AllowedTarget, allows, isInside, isPublic, parseAddress, parseNetwork } from './address.ts'

/** All addresses of a name. Rejects if it has no address, if no name server answers, or if the signal aborts first. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<string[]>

const lookupTimeoutMs = 1_500
const tries = 2

/**
 * Asks the name servers directly. The system's lookup would occupy one of four threads, which files and passwords also need,
 * until a silent name server times out. `usesSystem` falls back to it for names that the servers don't know (the hosts file,
 * mDNS), which only an operator's own network has.
 */
export function createResolve({ usesSystem }: { usesSystem: boolean }): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: lookupTimeoutMs, tries })
    const cancel = () => resolver.cancel()
    signal?.addEventListener('abort', cancel, { once: true })
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    signal?.removeEventListener('abort', cancel)
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
    if (addresses.length > 0) return addresses
    const [first] = answers
    if (!usesSystem || signal?.aborted === true || !answers.every(isUnknown))
      throw first?.status === 'rejected' ? first.reason : new Error('no address')
    return (await lookup(host, { all: true })).map(({ address }) => address)
  }
}

const isUnknown = (answer: PromiseSettledResult<unknown>): boolean =>
  answer.status === 'rejected' && ['ENOTFOUND', 'ENODATA'].includes((answer.reason as { code?: string }).code ?? '')

/**
 * Decides whether this server may send a request to a URL that a user entered: when a subscription is created or updated, and
 * before each attempt. The connection must use exactly these addresses, since a moment later the name may have others.
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
  /** The port that this server listens on; 0 if it isn't known yet. */
  ownPort: number
}

export type VetUrl = (url: string, signal?: AbortSignal) => Promise<Vetted>

const maxHostChars = 253
const webPorts = new Set([80, 443, 8443])

/** A reason never names an address: people who add webhooks must learn nothing about this server's network. */
export const createVetUrl =
  (options: VetOptions): VetUrl =>
  async (text, signal) => {
    const url = URL.parse(text)
    if (url === null || !['http:', 'https:'].includes(url.protocol)) return refuse('must begin with https://')
    if (url.username !== '' || url.password !== '') return refuse('must not contain a user name or password')
    // URL.parse has turned numbers in any base and digits of any script into dotted decimals.
    const host = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
    if (host === '' || host.length > maxHostChars) return refuse('address not allowed')
    const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)
    const addresses = isIP(host) === 0 ? await options.resolve(host, signal).catch(() => []) : [host]
    if (addresses.length === 0) return unresolved(url, host, port, options)
    const kinds = new Set(addresses.map((address) => judge(options, host, port, address)))
    // One refused address is enough to refuse the name.
    if (kinds.has('refused')) return refuse('address not allowed', true)
    if (kinds.has('public') && !webPorts.has(port)) return refuse('port not allowed', true)
    if (kinds.has('public') && url.protocol !== 'https:') return refuse('must begin with https://', true)
    return { isAllowed: true, url, host, port, addresses }
  }

const refuse = (reason: string, isOpenable = false): Vetted => ({ isAllowed: false, isFinal: true, isOpenable, reason })

// Plain http is only allowed if the list has the name itself, whatever it will resolve to.
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
  const address = parseAddress(text)
  if (address === undefined) return 'refused'
  const isOwn = port === ownPort && isThisMachine(address)
  const isUsualPort = !isOwn && (webPorts.has(port) || port > 1024)
  if (allowed.some((target) => allows(target, { host, address, port, isUsualPort }))) return 'allowed'
  return isPublic(address) && !isOwn ? 'public' : 'refused'
}

const loopback = parseNetwork('127.0.0.0/8')

function isThisMachine(address: string): boolean {
  if (loopback !== undefined && isInside(loopback, address)) return true
  // A connection to the unspecified address reaches this machine.
  if (address === '0.0.0.0' || address === '::') return true
  const own = Object.values(networkInterfaces()).flatMap((known) => known ?? [])
  return own.some((known) => parseAddress(known.address) === address)
}
