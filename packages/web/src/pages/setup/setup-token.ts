/** The token from the setup link. It follows the `#`, so it isn't sent in requests, and it is removed from the URL. */
let found: string | undefined

export function takeSetupToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token !== null) {
    found = token
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return found ?? ''
}
