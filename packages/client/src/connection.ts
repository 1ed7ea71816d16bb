/** How a client reaches the server. */
export interface Connection {
  /** Ends with a slash. */
  url: URL
  /** Names are lower case, so each occurs once. */
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch
}

export interface ConnectionOptions {
  /** URL of the server; it may have a path in front of `/api`. Default: `HOLDFAST_URL`, or `http://127.0.0.1:8420`. */
  url?: string | undefined
  /** Time limit for a call including retries, in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
  /** How often to retry a call, if that is safe. Default: 2. */
  maxRetries?: number | undefined
  /** Used instead of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined
  /** Sent with every call, for example for a proxy. */
  headers?: Readonly<Record<string, string>> | undefined
}

/** The server's default URL. */
export const defaultUrl = 'http://127.0.0.1:8420'
const defaultTimeoutMs = 30_000
const defaultMaxRetries = 2

/** Opens no connection. Throws a TypeError for invalid options, without quoting a header or the URL. */
export function describeConnection(options: ConnectionOptions, ownHeaders: Record<string, string>): Connection {
  const headers: Record<string, string> = {}
  for (const [name, text] of [...Object.entries(options.headers ?? {}), ...Object.entries(ownHeaders)]) {
    // Checked here, because fetch quotes an invalid header, and a key must not end up in an error.
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

/** Builds the header for a key or token, given or from the environment. */
export function buildAuthorization(given: string | undefined, option: string, variable: string): string {
  const credential = given ?? readVariable(variable)
  if (credential === undefined || credential === '') throw new TypeError(`${option}: pass one, or set ${variable}`)
  return `Bearer ${credential}`
}

// Has its own messages, because URL and fetch quote an invalid URL with the password in it.
function parseUrl(text: string): URL {
  const address = text.endsWith('/') ? text : `${text}/`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new TypeError('url: must start with http:// or https://')
  if (url.username !== '' || url.password !== '')
    throw new TypeError('url: must not contain a user or password, because fetch rejects them. Use headers instead')
  return url
}

/** 0 means no retries. */
export function checkMaxRetries(maxRetries: number): number {
  if (!(maxRetries >= 0)) throw new TypeError('maxRetries: must be 0 or more')
  return maxRetries
}

/** Limits the value to 31 bits, because timers fire at once for more. */
export function checkTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs: must be above 0')
  return Math.min(timeoutMs, 2 ** 31 - 1)
}

/** Browsers have no environment, and Deno may deny access to it. */
function readVariable(name: string): string | undefined {
  try {
    const text = globalThis.process?.env?.[name]
    return text === '' ? undefined : text
  } catch {
    return undefined
  }
}
