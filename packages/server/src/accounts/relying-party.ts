import { isIP } from 'node:net'
import { forbidden } from '../core/errors.ts'
import type { RelyingParty } from '../crypto/passkey.ts'
import type { PublicContext } from '../operation/context.ts'

/**
 * The name and address that passkeys are bound to. Browsers take them over TLS and on their own machine, at a name and never
 * at a bare address. Elsewhere than on this machine it is the operator who says the name, since a Host header is whatever its
 * sender likes. Undefined where passkeys cannot work.
 */
export function findRelyingParty({
  publicUrl,
  request: { host },
}: Pick<PublicContext, 'publicUrl' | 'request'>): RelyingParty | undefined {
  const url = URL.parse(publicUrl ?? `http://${host ?? ''}`)
  if (url === null) return undefined
  const { protocol, hostname, port } = url
  // An address of this machine has a name as well, under which the same pages lie.
  const name = /^(127(\.\d+){3}|\[::1\])$/.test(hostname) ? 'localhost' : hostname
  const isLocal = name === 'localhost' || name.endsWith('.localhost')
  const isAddress = isIP(name.replaceAll(/^\[|\]$/g, '')) > 0
  if (isAddress || !(isLocal || (publicUrl !== undefined && protocol === 'https:'))) return undefined
  return { id: name, origin: `${protocol}//${name}${port === '' ? '' : `:${port}`}` }
}

export function getRelyingParty(ctx: PublicContext): RelyingParty {
  const party = findRelyingParty(ctx)
  if (party === undefined)
    throw forbidden('Passkeys need a name and TLS: set HOLDFAST_PUBLIC_URL to the https address of this server')
  return party
}
