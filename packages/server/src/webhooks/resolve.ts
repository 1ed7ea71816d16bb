import { lookup, Resolver } from 'node:dns/promises'

/** All addresses of a name. Rejects where it has none, nobody answers, or the signal comes first. */
export type Resolve = (host: string, signal?: AbortSignal) => Promise<string[]>

const timeoutMs = 1_500
const tries = 2

/**
 * Asks the name servers directly. The system's own look-up takes one of four threads that files and passwords need too, for as
 * long as a name server that somebody chose keeps silent. `usesSystem` falls back to it for names that the servers do not
 * know (the hosts file, mDNS), which only an operator's own network has.
 */
export function createResolve({ usesSystem }: { usesSystem: boolean }): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries })
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
