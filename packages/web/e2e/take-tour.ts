import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDemo, showPage } from './demo-page.ts'

/**
 * Takes the animated tour for README from the demonstration, which must be running: `npm run demo`, then `node
 * packages/web/e2e/take-tour.ts [URL]`. Needs the command img2webp (Debian: package webp). The demonstration stays as it was.
 */

interface Scene {
  /** Says what the viewer sees. */
  caption: string
  path: string
  colorScheme?: 'light' | 'dark'
  /** Plays the scene. `hold` adds the page as it is, shown for the given milliseconds. */
  play: (page: Page, hold: (ms: number) => Promise<void>) => Promise<unknown>
}

const keyMs = 110

const scenes: readonly Scene[] = [
  {
    caption: 'Agents share one memory. You see what they do, and what needs you.',
    path: '/',
    play: (_page, hold) => hold(4_000),
  },
  {
    caption: 'Find what they know: search in encrypted records, within milliseconds.',
    path: '/memories',
    async play(page, hold) {
      await hold(1_200)
      const filter = page.locator('input[data-filter]').first()
      await filter.focus()
      for (const letter of 'bicycle') {
        await page.keyboard.type(letter)
        await hold(keyMs)
      }
      await page.waitForURL(/q=bicycle/)
      await page.locator('main tbody tr').first().waitFor()
      await page.waitForTimeout(1_000)
      await hold(1_500)
      await page.locator('main tbody tr a').first().click()
      await page.getByRole('region', { name: 'Memory', exact: true }).waitFor()
      await page.waitForTimeout(600)
      await hold(3_000)
    },
  },
  {
    caption: 'See why each hit won.',
    path: '/search?q=What+does+a+bicycle+cost',
    async play(page, hold) {
      await page.waitForTimeout(1_000)
      await hold(1_500)
      await page.getByRole('button', { name: 'Why' }).first().click()
      await page.waitForTimeout(500)
      await hold(3_000)
    },
  },
  {
    caption: 'Decide what agents may change in what you wrote.',
    path: '/review',
    play: (_page, hold) => hold(3_500),
  },
  {
    caption: 'Follow each run, and undo what it wrote.',
    path: '/runs',
    async play(page, hold) {
      await hold(1_500)
      await page.locator('main tbody a, main li a').first().click()
      await page.locator('main h1').waitFor()
      await page.waitForTimeout(1_000)
      await hold(2_500)
    },
  },
  {
    caption: 'Notes and memories are linked. So you can walk from one to the next.',
    path: '/graph',
    colorScheme: 'dark',
    async play(page, hold) {
      // The map settles.
      await page.waitForTimeout(6_000)
      await hold(3_500)
    },
  },
  {
    caption: 'Everything is sealed with AES-256 before it reaches the disk.',
    path: '/tasks',
    colorScheme: 'dark',
    play: (_page, hold) => hold(3_000),
  },
]

/** In the page: a bar at the bottom. Styled through the object model, because the page allows no other styles. */
function showCaption(text: string): void {
  const bar = document.querySelector('#tour') ?? document.createElement('div')
  bar.id = 'tour'
  bar.textContent = text
  Object.assign((bar as HTMLElement).style, {
    position: 'fixed',
    bottom: '24px',
    left: '50%',
    transform: 'translateX(-50%)',
    padding: '12px 24px',
    borderRadius: '999px',
    background: '#0f5f52',
    color: '#fff',
    font: '500 19px system-ui',
    whiteSpace: 'nowrap',
    zIndex: '9999',
    boxShadow: '0 6px 24px #0006',
  })
  document.body.append(bar)
}

const [url = 'http://127.0.0.1:8430'] = process.argv.slice(2)
const frames = mkdtempSync(join(tmpdir(), 'holdfast-tour-'))
const { browser, page } = await openDemo(url)
const shown: { file: string; ms: number }[] = []
for (const { caption, path, colorScheme, play } of scenes) {
  await showPage(page, url + path, colorScheme)
  await play(page, async (ms) => {
    await page.evaluate(showCaption, caption)
    const file = join(frames, `${shown.length}.png`)
    await page.screenshot({ path: file, animations: 'disabled', caret: 'initial' })
    shown.push({ file, ms })
  })
}
await browser.close()
const result = join(import.meta.dirname, '..', '..', '..', 'docs', 'images', 'tour.webp')
const each = shown.flatMap(({ file, ms }) => ['-d', String(ms), file])
execFileSync('img2webp', ['-loop', '0', '-min_size', '-lossy', '-q', '70', '-m', '6', ...each, '-o', result])
rmSync(frames, { recursive: true })
process.stdout.write(`${result}: ${shown.length} frames, ${shown.reduce((sum, { ms }) => sum + ms, 0) / 1_000} s\n`)
