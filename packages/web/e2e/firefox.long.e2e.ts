import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findProgram } from '../../server/test/program.ts'
import { fillPages, pathWith, paths } from './every-page.ts'
import { ask, person, setUp, startServer, type RunningServer } from './server.ts'

/** The browser: HOLDFAST_FIREFOX, or else Debian's. */
const firefox = [process.env['HOLDFAST_FIREFOX'] ?? '', '/usr/bin/firefox-esr', '/usr/bin/firefox'].find(
  (path) => path !== '' && existsSync(path),
)

/** What these tests use of puppeteer-core, the one driver that controls a Firefox without patches. */
interface Page {
  setViewport(size: { width: number; height: number }): Promise<void>
  goto(url: string): Promise<unknown>
  waitForSelector(selector: string): Promise<unknown>
  waitForFunction(condition: string): Promise<unknown>
  evaluate(script: string): Promise<unknown>
  type(selector: string, text: string): Promise<void>
  keyboard: {
    press(key: string): Promise<void>
    type(text: string): Promise<void>
    down(key: string): Promise<void>
    up(key: string): Promise<void>
  }
  on(event: 'pageerror', listener: (error: unknown) => void): void
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void
}

interface Browser {
  newPage(): Promise<Page>
  close(): Promise<void>
}

interface Puppeteer {
  launch(options: { browser: 'firefox'; executablePath: string }): Promise<Browser>
}

/** Installed for these tests only. */
async function installPuppeteer(folder: string): Promise<Puppeteer> {
  const { status, stderr } = spawnSync(
    'npm',
    ['install', '--prefix', folder, '--no-audit', '--no-fund', 'puppeteer-core@25'],
    { encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(stderr)
  const path = createRequire(join(folder, 'package.json')).resolve('puppeteer-core')
  const { default: puppeteer } = (await import(pathToFileURL(path).href)) as { default: Puppeteer }
  return puppeteer
}

describe.skipIf(firefox === undefined)('the dashboard in Firefox', { timeout: 180_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-firefox-'))
  const complaints: string[] = []
  let server: RunningServer
  let browser: Browser
  let page: Page
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    const puppeteer = await installPuppeteer(folder)
    server = await startServer({ program: findProgram() })
    const owner = await setUp(server)
    const agent = (operation: string, input: object) => ask(server, owner.agentKey, `/api/agent/${operation}`, input)
    ids = await fillPages({ agent, owner, server })
    browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox ?? '' })
    page = await browser.newPage()
    page.on('pageerror', (error) => complaints.push(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text())
    })
    await page.goto(`${server.url}/login`)
    await page.waitForSelector('input[type=password]')
    await page.type('input:not([type=password])', person.email)
    await page.type('input[type=password]', person.password)
    await page.keyboard.press('Enter')
    await page.waitForSelector('nav')
  }, 180_000)

  afterAll(async () => {
    await browser?.close()
    await server?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const settle = async () => {
    await page.waitForSelector('h1')
    await page.waitForFunction(`document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null`)
  }

  it.each(paths)(
    '%s shows its content without errors, at 1440 px and at 320 px without scrolling sideways',
    async (path) => {
      for (const width of [1440, 320]) {
        await page.setViewport({ width, height: 900 })
        await page.goto(server.url + pathWith(ids, path))
        await settle()
        expect(await page.evaluate('Math.max(0, document.documentElement.scrollWidth - innerWidth)')).toBe(0)
      }
      expect(complaints).toEqual([])
    },
  )

  it('a memory is written, found, corrected and read with the keyboard alone', async () => {
    await page.setViewport({ width: 1440, height: 900 })
    await page.goto(`${server.url}/memories`)
    await settle()
    await page.keyboard.press('c')
    await page.waitForSelector('[role=dialog] textarea')
    await page.waitForFunction(`document.activeElement?.tagName === 'TEXTAREA'`)
    await page.keyboard.type('The lighthouse keeper feeds eleven cats')
    await save()
    await page.waitForFunction(`document.querySelector('[role=dialog] textarea') === null`)
    await page.keyboard.press('/')
    await page.keyboard.type('lighthouse keeper')
    await page.waitForFunction(`location.search.includes('lighthouse')`)
    await page.waitForFunction(`document.querySelector('main tbody')?.textContent?.includes('eleven cats') === true`)
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    await page.waitForFunction(`document.activeElement?.tagName === 'TEXTAREA'`)
    await page.keyboard.press('End')
    await page.keyboard.type(' and a dog')
    await save()
    await page.waitForFunction(
      `document.querySelector('main')?.textContent?.includes('eleven cats and a dog') === true`,
    )
    expect(complaints).toEqual([])
  })

  const save = async () => {
    await page.keyboard.down('Control')
    await page.keyboard.press('Enter')
    await page.keyboard.up('Control')
  }
})
