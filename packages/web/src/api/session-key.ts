/**
 * One half of the session; the other is a cookie that scripts can't read. Browsers send cookies to every server on the same
 * host name, whatever its port, but only pages of this server can read this key.
 */
const storageKey = 'holdfast-session-key'

/** For browsers without storage, until the page is closed. */
let current: string | undefined

export function keepSessionKey(key: string | undefined): void {
  current = key
  try {
    if (key === undefined) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, key)
  } catch {
    // Storage is disabled.
  }
}

/** Read for each request, because another tab may have signed in. */
export function sessionHeaders(): Record<string, string> {
  const key = read()
  return key === undefined ? {} : { 'X-Session-Key': key }
}

function read(): string | undefined {
  try {
    return localStorage.getItem(storageKey) ?? undefined
  } catch {
    return current
  }
}
