import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDemo, showPage } from './demo-page.ts'

/**
 * Takes the pictures for README and docs from the demonstration, which must be running: `npm run demo`, then `node
 * packages/web/e2e/take-pictures.ts [URL]`. Their dates are relative to today, so each run changes them a little.
 */

interface Picture {
  file: string
  path: string
  colorScheme: 'light' | 'dark'
  /** Waits until it stops moving. */
  settle?: (page: Page) => Promise<unknown>
}

const pictures: readonly Picture[] = [
  { file: 'home', path: '/', colorScheme: 'light' },
  { file: 'memories', path: '/memories', colorScheme: 'light' },
  { file: 'search-lab', path: '/search?q=What+does+a+bicycle+cost', colorScheme: 'light' },
  { file: 'tasks', path: '/tasks', colorScheme: 'dark' },
  {
    file: 'notes',
    path: '/notes',
    colorScheme: 'light',
    settle: (page) => page.getByText('Departure boards').first().click(),
  },
  { file: 'graph', path: '/graph', colorScheme: 'dark' },
]

const folder = join(import.meta.dirname, '..', '..', '..', 'docs', 'images')

const [url = 'http://127.0.0.1:8430'] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
const { browser, page } = await openDemo(url)
for (const { file, path, colorScheme, settle } of pictures) {
  await showPage(page, url + path, colorScheme)
  await settle?.(page)
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.screenshot({ path: join(folder, `${file}.png`) })
}
await browser.close()
