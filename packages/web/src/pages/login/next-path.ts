/** The page to open after signing in. Accepts only paths of this dashboard, so a link can't redirect to another site. */
export function nextPath(next: unknown): string {
  if (typeof next !== 'string' || !next.startsWith('/') || /^\/[/\\]/.test(next)) return '/'
  return next.startsWith('/login') ? '/' : next
}
