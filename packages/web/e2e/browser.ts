import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

/** A browser with one open page. */
export interface OpenBrowser {
  browser: Browser
  context: BrowserContext
  page: Page
  /** Script errors and policy violations so far. */
  complaints: string[]
}

export async function openBrowser(): Promise<OpenBrowser> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    chromiumSandbox: false,
    // Lets the graph use WebGL without a graphics card. Pages are drawn without it, which takes three quarters of the time.
    args: [
      '--disable-background-networking',
      '--use-angle=swiftshader',
      '--enable-unsafe-swiftshader',
      '--disable-gpu-compositing',
      '--disable-gpu-rasterization',
    ],
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  context.setDefaultTimeout(30_000)
  const page = await context.newPage()
  return { browser, context, page, complaints: collectComplaints(page) }
}

// Failed requests are expected. The page shows them to the person.
const explained = /^Failed to load resource|Failed to fetch dynamically imported module/

function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !explained.test(message.text())) complaints.push(message.text())
  })
  return complaints
}
