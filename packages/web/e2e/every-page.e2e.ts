import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSession, describeDashboard, findViolations } from './dashboard.ts'
import { fillPages, pathWith, paths } from './every-page.ts'

/** Half of a small laptop’s screen in each direction, as at a zoom of 200 %; and what a zoom of 400 % leaves of it (WCAG 1.4.10). */
const narrow = [
  { width: 640, height: 480 },
  { width: 320, height: 480 },
] as const

describeDashboard('every page', {}, (dashboard) => {
  let zoomed: Page
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    const { browser, server } = dashboard()
    const context = await browser.newContext({ viewport: narrow[0], deviceScaleFactor: 2, reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    await addSession(context, server)
    zoomed = await context.newPage()
    ids = await fillPages(dashboard())
  })

  afterAll(() => zoomed?.context().close())

  it.each(paths)(
    '%s fits twice the zoom and a width of 320 px, and axe finds nothing, best practices included',
    async (path) => {
      const { page, server } = dashboard()
      const address = server.url + pathWith(ids, path)
      const found: string[] = []
      await page.goto(address)
      await settle(page)
      found.push(...(await findViolations(page)))
      await zoomed.goto(address)
      for (const size of narrow) {
        await zoomed.setViewportSize(size)
        await zoomed.emulateMedia({ colorScheme: size.width === 320 ? 'dark' : 'light', reducedMotion: 'reduce' })
        await settle(zoomed)
        found.push(...(await findOverflow(zoomed)).map((what) => `${size.width} px: ${what}`))
        if (size.width === 320) found.push(...(await findViolations(zoomed)).map((what) => `320 px: ${what}`))
      }
      expect(found).toEqual([])
    },
  )
})

async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null)
}

/** What reaches beyond the right edge, if the page scrolls sideways. Waits, since the layout changes shortly after the size does. */
async function findOverflow(page: Page): Promise<string[]> {
  const fits = await page
    .waitForFunction(() => document.documentElement.scrollWidth <= innerWidth, undefined, { timeout: 5_000 })
    .then(
      () => true,
      () => false,
    )
  if (fits) return []
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll('body *')].filter(
      (one) => one.getBoundingClientRect().right > innerWidth,
    )
    return [
      `scrolls sideways, ${document.documentElement.scrollWidth} px`,
      ...wide.slice(-3).map((one) => one.outerHTML.slice(0, 160)),
    ]
  })
}
