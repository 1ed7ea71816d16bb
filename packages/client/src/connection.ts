/** How a client reaches the service. */
export interface Connection {
  /** Ends in a slash. */
  url: URL
  /** By names in lower case, so that none is there twice. */
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch
}

export interface ConnectionOptions {
  /** Where the service is; a path in front of `/api` is kept. Default: `HOLDFAST_URL`, else `http://127.0.0.1:8420`. */
  url?: string | undefined
  /** For one call with all its attempts, in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
  /** How often a call is tried again, where that can do no harm. Default: 2. */
  maxRetries?: number | undefined
  /** In place of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined
  /** Sent with every call, for what stands in front of the service. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** Where the service is, unless somebody says otherwise. */
export const defaultUrl = 'http://127.0.0.1:8420'
const defaultTimeoutMs = 30_000
const defaultMaxRetries = 2

/** Opens nothing. Throws a TypeError for options that cannot work, which never tells what is in a header or in the URL. */
export function describeConnection(options: ConnectionOptions, ownHeaders: Record<string, string>): Connection {
  const headers: Record<string, string> = {}
  for (const [name, text] of [...Object.entries(options.headers ?? {}), ...Object.entries(ownHeaders)]) {
    // Checked here, because fetch quotes a header that it refuses, and a key must not end up in an error.
    if (!/^[\x20-\x7e]+$/.test(text)) throw new TypeError(`${name}: must be printable ASCII`)
    headers[name.toLowerCase()] = text
  }
  return {
    url: parseUrl(options.url ?? readVariable('HOLDFAST_URL') ?? defaultUrl),
    headers,
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? defaultTimeoutMs),
    maxRetries: checkMaxRetries(options.maxRetries ?? defaultMaxRetries),
    fetch: options.fetch ?? globalThis.fetch,
  }
}

/** The header of a key or token that is given, or else in the environment. */
export function authorizationOf(given: string | undefined, option: string, variable: string): string {
  const credential = given ?? readVariable(variable)
  if (credential === undefined || credential === '') throw new TypeError(`${option}: give one, or set ${variable}`)
  return `Bearer ${credential}`
}

// In words of its own: URL and fetch quote an address that they refuse, with the password in it.
function parseUrl(text: string): URL {
  const address = text.endsWith('/') ? text : `${text}/`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('url: must be an address that begins with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('url: must hold no user or password, which fetch refuses; what must be sent goes into headers')
  return url
}

/** 0: never again. */
export function checkMaxRetries(maxRetries: number): number {
  if (!(maxRetries >= 0)) throw new TypeError('maxRetries: must be 0 or more')
  return maxRetries
}

/** Timers take no more than 31 bits, and fire at once for more. */
export function checkTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs: must be above 0')
  return Math.min(timeoutMs, 2 ** 31 - 1)
}

/** Browsers have no environment, and Deno can refuse to show it. */
function readVariable(name: string): string | undefined {
  try {
    const text = globalThis.process?.env?.[name]
    return text === '' ? undefined : text
  } catch {
    return undefined
  }
}
