/** How a client reaches the service. */
export interface Connection {
  /** Ends in a slash. */
  url: URL
  headers: Readonly<Record<string, string>>
  timeoutMs: number
  maxRetries: number
  fetch: typeof globalThis.fetch
}

export interface ConnectionOptions {
  /** Where the service is; a path in front of `/api` is kept. Default: `HOLDFAST_URL`, else `http://127.0.0.1:8420`. */
  url?: string | undefined
  /** An agent key, `svc_…`. Default: `HOLDFAST_KEY`. */
  key?: string | undefined
  /** Session or run that groups operations; sent with every call as X-Agent-Run-Id. */
  agentRunId?: string | undefined
  /** For one call with all its attempts, in milliseconds. Default: 30,000. */
  timeoutMs?: number | undefined
  /** How often a call is tried again, where that can do no harm. Default: 2. */
  maxRetries?: number | undefined
  /** In place of the global fetch. */
  fetch?: typeof globalThis.fetch | undefined
  /** Sent with every call, for what stands in front of the service. */
  headers?: Readonly<Record<string, string>> | undefined
}

const defaultUrl = 'http://127.0.0.1:8420'
const defaultTimeoutMs = 30_000
const defaultMaxRetries = 2

/** Opens nothing. Throws a TypeError for options that cannot work, which never tells the key. */
export function describeConnection(options: ConnectionOptions): Connection {
  const url = options.url ?? readVariable('HOLDFAST_URL') ?? defaultUrl
  const key = options.key ?? readVariable('HOLDFAST_KEY')
  if (key === undefined) throw new TypeError('key: give an agent key, or set HOLDFAST_KEY')
  const headers = Object.entries(options.headers ?? {}).map(([name, text]) => [name, headerText(name, text)])
  return {
    url: new URL(url.endsWith('/') ? url : `${url}/`),
    headers: {
      ...(Object.fromEntries(headers) as Record<string, string>),
      Authorization: `Bearer ${headerText('key', key)}`,
      ...(options.agentRunId !== undefined && { 'X-Agent-Run-Id': headerText('agentRunId', options.agentRunId) }),
    },
    timeoutMs: checkTimeoutMs(options.timeoutMs ?? defaultTimeoutMs),
    maxRetries: options.maxRetries ?? defaultMaxRetries,
    fetch: options.fetch ?? globalThis.fetch,
  }
}

/** Timers take no more than 31 bits, and fire at once for more. */
export function checkTimeoutMs(timeoutMs: number): number {
  if (!(timeoutMs > 0)) throw new TypeError('timeoutMs: must be above 0')
  return Math.min(timeoutMs, 2 ** 31 - 1)
}

// Checked here, because fetch quotes a header that it refuses, and a key must not end up in an error.
function headerText(name: string, text: string): string {
  if (!/^[\x20-\x7e]+$/.test(text)) throw new TypeError(`${name}: must be printable ASCII`)
  return text
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
