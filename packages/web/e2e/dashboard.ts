import axe from 'axe-core'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { findProgram } from '../../server/test/program.ts'
import { openBrowser } from './browser.ts'
import { findChromium } from './find-chromium.ts'
import { ask, person, setUp, startServer, type Owner, type RunningServer } from './server.ts'

/** A real server and a real browser, shared by the tests of one file. */
export interface Dashboard {
  server: RunningServer
  page: Page
  /** For other people than the owner, each in their own browser context. */
  browser: Browser
  /** All fields are empty if the server isn't set up. */
  owner: Owner
  /** Calls an operation as an agent, with the owner's first key. */
  agent(operation: string, input: object): Promise<Record<string, unknown>>
  /** Calls a route as the owner, with a dashboard token. */
  mine(path: string, input: object): Promise<Record<string, unknown>>
  /** Opens a path of the dashboard. */
  open(path: string): Promise<void>
}

interface Options {
  webhookAllow?: string
  modelUrl?: string
  /** Default: an owner exists and is signed in. */
  isNew?: boolean
}

/** A block of tests that is skipped without a browser. Errors on the pages' console fail it. */
export function describeDashboard(name: string, options: Options, tests: (dashboard: () => Dashboard) => void): void {
  // oxlint-disable-next-line vitest/valid-title -- the title is the caller's
  describe.skipIf(findChromium() === undefined)(name, { timeout: 180_000 }, () => {
    let started: Awaited<ReturnType<typeof start>> | undefined
    beforeAll(async () => {
      started = await start(options)
    }, 180_000)
    afterAll(async () => {
      await started?.browser.close()
      await started?.server.stop()
      expect(started?.complaints).toEqual([])
    })
    tests(() => {
      if (started === undefined) throw new Error('Not started yet')
      return started
    })
  })
}

async function start({ webhookAllow = '', modelUrl = '', isNew = false }: Options) {
  const server = await startServer({ program: findProgram(), webhookAllow, modelUrl })
  const { browser, context, page, complaints } = await openBrowser()
  const owner = isNew ? noOwner : await setUp(server)
  if (!isNew) await addSession(context, server)
  return {
    server,
    browser,
    page,
    owner,
    complaints,
    agent: (operation: string, input: object) => ask(server, owner.agentKey, `/api/agent/${operation}`, input),
    mine: (path: string, input: object) => ask(server, owner.dashboardToken, path, input),
    open: async (path: string) => void (await page.goto(server.url + path)),
  }
}

const noOwner: Owner = { vaultId: '', integrationId: '', agentKey: '', dashboardToken: '' }

/** Signs in through the API, which is faster than the page. `url`: the address that the browser uses for the server. */
export async function addSession(
  context: BrowserContext,
  server: RunningServer,
  who = person,
  url = server.url,
): Promise<void> {
  const response = await fetch(`${server.url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(who),
  })
  const [pair = ''] = (response.headers.get('set-cookie') ?? '').split(';')
  const [name = '', value = ''] = pair.split('=')
  await context.addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }])
  const { sessionKey } = (await response.json()) as { sessionKey: string }
  const page = await context.newPage()
  await page.goto(`${url}/healthz`)
  await page.evaluate((key) => localStorage.setItem('holdfast-session-key', key), sessionKey)
  await page.close()
}

const shotFolder = process.env['E2E_SHOTS']

const sizes = [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
] as const

interface Violation {
  impact: string
  id: string
  nodes: { html: string }[]
}

const schemes = ['light', 'dark'] as const

/** Layouts are the same in both schemes, so only screenshots need all combinations. */
const looks = schemes
  .flatMap((colorScheme) => sizes.map((size) => ({ colorScheme, size })))
  .filter(({ colorScheme, size }) => shotFolder !== undefined || colorScheme === 'light' || size.width === 390)

/**
 * Checks the page in both color schemes and three sizes: nothing is wider than the screen, a dialog's buttons are in view, and axe
 * finds nothing serious.
 * `E2E_SHOTS`: a folder for screenshots.
 */
export async function examine({ page }: Dashboard, name: string): Promise<void> {
  await page.locator('h1').first().waitFor()
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
  const found: string[] = []
  for (const { colorScheme, size } of looks) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.setViewportSize(size)
    const where = `${name}, ${colorScheme}, ${size.width} px`
    if (await overflows(page, size.width)) found.push(`${where}: wider than the screen`)
    if (await hidesButtons(page)) found.push(`${where}: the dialog’s buttons are out of view`)
    await takeShot(page, `${name}-${colorScheme}-${size.width}`)
    // Two combinations are enough for axe: both schemes, and the widest and the narrowest layout.
    if (size.width === (colorScheme === 'light' ? 1440 : 390))
      found.push(...(await findSeriousViolations(page)).map((what) => `${where}: ${what}`))
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize(sizes[0])
  await nextFrames(page)
  expect(found).toEqual([])
}

/** The page learns of another size in the next frame, and has rendered for it in the one after. Keys before that would be lost. */
const nextFrames = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))

/** Waits, since the layout changes shortly after the size does. */
const overflows = (page: Page, widthPx: number): Promise<boolean> =>
  page
    .waitForFunction((width) => document.documentElement.scrollWidth <= width, widthPx, { timeout: 30_000 })
    .then(
      () => false,
      () => true,
    )

/** Whether a person would have to scroll to the button that ends an open dialog. */
export const hidesButtons = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.querySelectorAll('.mantine-Modal-content')].some((dialog) =>
      [...dialog.querySelectorAll('button[type=submit]')].some(
        (button) => button.getBoundingClientRect().bottom > dialog.getBoundingClientRect().bottom,
      ),
    ),
  )

interface Axe {
  run(options: object): Promise<{ violations: Violation[] }>
}

const findSeriousViolations = (page: Page): Promise<string[]> =>
  runAxe(page, ({ impact }) => impact === 'serious' || impact === 'critical')

/** All rules of axe, best practices included: for example, everything is in a landmark. */
export const findViolations = (page: Page): Promise<string[]> => runAxe(page, () => true)

async function runAxe(page: Page, isWanted: (found: Violation) => boolean): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'] }),
  )
  return violations
    .filter(isWanted)
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
}

async function takeShot(page: Page, name: string): Promise<void> {
  if (shotFolder !== undefined) await page.screenshot({ path: join(shotFolder, `${name}.png`) })
}
