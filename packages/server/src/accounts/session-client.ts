import { isPublic, parseAddress } from '../webhooks/address.ts'

/** Describes where a session was started, so that people can tell their sessions apart. Stores our own labels only, never header text. */
export interface SessionClient {
  /** Such as "Firefox on Linux", or "Unknown program" for one that doesn't claim to be a known browser. */
  browser: string
  origin: ClientOrigin
}

export const clientOrigins = ['machine', 'network', 'internet', 'unknown'] as const
export type ClientOrigin = (typeof clientOrigins)[number]

export const describeClient = (request: { userAgent: string | undefined; clientAddress: string }): SessionClient => ({
  browser: describeBrowser(request.userAgent ?? ''),
  origin: originOf(request.clientAddress),
})

// The order matters: most browsers also claim to be ones further down.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Vivaldi\//, 'Vivaldi'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/HeadlessChrome\//, 'Automated Chrome'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/CrOS/, 'ChromeOS'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

function describeBrowser(userAgent: string): string {
  const browser = find(browsers, userAgent)
  const system = find(systems, userAgent)
  if (browser === undefined) return 'Unknown program'
  return system === undefined ? browser : `${browser} on ${system}`
}

const find = (known: readonly (readonly [RegExp, string])[], userAgent: string) =>
  known.find(([pattern]) => pattern.test(userAgent))?.[1]

function originOf(text: string): ClientOrigin {
  const address = parseAddress(text)
  if (address === undefined) return 'unknown'
  if (/^127\.|^::1$/.test(address)) return 'machine'
  return isPublic(address) ? 'internet' : 'network'
}
