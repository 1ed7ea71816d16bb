import { chromium, type Browser, type Page } from 'playwright-core'
import { findChromium } from './find-chromium.ts'

const person = { email: 'ada@example.org', password: 'three boats and a harbour' }

/** The demonstration (`npm run demo`) in a browser, signed in. */
export async function openDemo(url: string): Promise<{ browser: Browser; page: Page }> {
  const browser = await chromium.launch({
    executablePath: findChromium() ?? '',
    chromiumSandbox: false,
    args: ['--use-angle=swiftshader', '--enable-unsafe-swiftshader'],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  await page.goto(url)
  await page.getByLabel('Email').fill(person.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
  await page.keyboard.press('Enter')
  await page.getByRole('navigation').first().waitFor()
  return { browser, page }
}

/** Opens a page of the demonstration and waits for its content. */
export async function showPage(page: Page, address: string, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.goto(address)
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
}
