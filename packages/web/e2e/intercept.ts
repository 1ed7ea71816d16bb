import type { Page, Route } from 'playwright-core'

/**
 * Routes requests of the page that is open. `page.route` resolves before Chromium intercepts what that page sends, so the next request may
 * still reach the server. For a page that is opened afterwards, `page.route` is enough.
 */
export async function intercept(page: Page, url: string | RegExp, handler: (route: Route) => unknown): Promise<void> {
  await page.route(url, handler)
  const probe = '**/healthz?probe'
  await page.route(probe, (route) => route.fulfill({ status: 204 }))
  const isIntercepted = async () => (await fetch('/healthz?probe', { cache: 'no-store' })).status === 204
  await page.waitForFunction(isIntercepted, undefined, { polling: 20 })
  await page.unroute(probe)
}
