/** Where to go after signing in: a path of this dashboard, never an address that somebody put into a link. */
export function nextPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || /^\/[/\\]/.test(next)) return '/'
  return next.startsWith('/login') ? '/' : next
}
