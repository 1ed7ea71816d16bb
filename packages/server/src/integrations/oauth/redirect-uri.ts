/**
 * The addresses to which codes may be sent: https, or http on the machine of the browser, where native programs listen. Other schemes are
 * refused, because any program can claim one.
 */

const maxChars = 2000
const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Why a program may not register this address; undefined if it may. */
export function describeProblem(text: string): string | undefined {
  // What URL parsers quietly repair is read in different ways by different programs.
  if (text.length > maxChars || !/^https?:\/\/[!-~]+$/.test(text) || /[\\<>"`{}|^]/.test(text))
    return 'must be an absolute https URL of printable ASCII characters'
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return 'must be an absolute https URL'
  if (text.includes('#')) return 'must not have a fragment'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.protocol === 'http:' && !isLoopback(url))
    return 'must begin with https://, except on 127.0.0.1, [::1] or localhost'
  return undefined
}

export const isLoopback = ({ hostname }: Pick<URL, 'hostname'>): boolean => loopbackHosts.has(hostname)

/**
 * Whether a request may name `given`, if `registered` was registered: they are the same text. Programs on this machine can't know their
 * port in advance, so it may differ there (RFC 8252, section 7.3).
 */
export function allows(registered: string, given: string): boolean {
  if (registered === given) return true
  if (describeProblem(given) !== undefined) return false
  const [known, asked] = [URL.parse(registered), URL.parse(given)]
  if (known === null || asked === null || known.protocol !== 'http:' || !isLoopback(known)) return false
  return withoutPort(registered) === withoutPort(given)
}

const withoutPort = (text: string) => text.replace(/^(http:\/\/(?:\[::1\]|[^/:?]+))(?::\d+)?(?=[/?]|$)/, '$1')

/** Keeps the address as it was registered, query included. */
export function addToRedirect(uri: string, params: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.append(name, value)
  return `${uri}${uri.includes('?') ? '&' : '?'}${query.toString()}`
}
