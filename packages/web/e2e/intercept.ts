import type { Page, Route } from 'playwright-core'

/**
 * Routes requests of the page that is open. Chromium tells the page about it without waiting, so a request sent right after `page.route`
 * may still reach the server. (For a page that is opened afterwards, `page.route` is enough.)
 */
export async function intercept(page: Page, url: string | RegExp, handler: (route: Route) => unknown): Promise<void> {
  await page.route(url, handler)
  const probe = '**/healthz?probe'
  await page.route(probe, (route) => route.fulfill({ status: 204 }))
  await page.waitForFunction(async () => (await fetch('/healthz?probe', { cache: 'no-store' })).status === 204)
  await page.unroute(probe)
}
