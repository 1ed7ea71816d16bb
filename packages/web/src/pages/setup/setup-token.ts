/** The token of the link in the terminal: behind the `#`, so that it is in no request, and gone from the address at once. */
let found: string | undefined

export function takeSetupToken(): string {
  const token = new URLSearchParams(location.hash.slice(1)).get('token')
  if (token !== null) {
    found = token
    history.replaceState(history.state, '', location.pathname + location.search)
  }
  return found ?? ''
}
