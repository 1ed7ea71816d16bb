import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { describeDashboard } from './dashboard.ts'

const packageFolder = join(import.meta.dirname, '..')
const assets = join(packageFolder, 'dist', 'assets')
const mantineStyles = join(packageFolder, '..', '..', 'node_modules', '@mantine', 'core', 'styles.css')

/** With gzip. The page itself takes another kilobyte. */
const maxBytes = 200_000

const sizeOf = (name: string) => statSync(join(assets, `${name}.gz`)).size

describeDashboard('the first load of the dashboard', {}, (dashboard) => {
  it(`transfers at most ${maxBytes / 1_000} KB of scripts and styles before Home shows its content`, async () => {
    const { page, open, agent } = dashboard()
    await agent('write-memory', { content: 'A vault in use shows all parts of Home.' })
    await page.addInitScript(() => {
      const isShown = () => document.querySelector('main h2') !== null
      new MutationObserver((_, observer) => {
        if (!isShown()) return
        performance.mark('content')
        observer.disconnect()
      }).observe(document, { subtree: true, childList: true })
    })
    await open('/')
    await page.getByRole('heading', { name: 'Needs your attention' }).waitFor()
    const loaded = await page.evaluate(() => {
      const shownMs = performance.getEntriesByName('content')[0]?.startTime ?? 0
      const files = performance.getEntriesByType('resource').filter(({ startTime }) => startTime < shownMs)
      return files.map(({ name }) => new URL(name).pathname)
    })
    const names = [...new Set(loaded)]
      .filter((path) => /\.(js|css)$/.test(path))
      .map((path) => path.slice('/assets/'.length))
    expect(names.some((name) => name.startsWith('home-page-'))).toBe(true)
    const bytes = names.reduce((sum, name) => sum + sizeOf(name), 0)
    expect(bytes, names.map((name) => `${name}: ${sizeOf(name)}`).join('\n')).toBeLessThanOrEqual(maxBytes)
  })

  it('styles every Mantine component that a page has', () => {
    const read = (suffix: string) =>
      readdirSync(assets)
        .filter((name) => name.endsWith(suffix))
        .map((name) => readFileSync(join(assets, name), 'utf8'))
        .join('\n')
    const [scripts, styles] = [read('.js'), read('.css')]
    const classNames = new Set(readFileSync(mantineStyles, 'utf8').match(/(?<=\.)m[-_][\da-z]{6,}/g))
    const inUse = [...classNames].filter((name) => scripts.includes(name))
    expect(inUse.length).toBeGreaterThan(100)
    expect(inUse.filter((name) => !styles.includes(`.${name}`))).toEqual([])
  })

  it('opens the palette, the menus and the list of shortcuts at once, also before their code has loaded', async () => {
    const { page, open } = dashboard()
    const openEarly = async (press: () => Promise<void>) => {
      let release = () => {}
      const held = new Promise<void>((done) => (release = done))
      await page.route('**/assets/parts-*.js', (route) => held.then(() => route.continue()))
      await open('/vaults')
      // Without its cache, the browser loads everything again.
      await page.getByRole('table', { name: 'Vaults' }).waitFor({ timeout: 90_000 })
      await press()
      release()
    }
    await openEarly(() => page.keyboard.press('Control+k'))
    await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor()
    await openEarly(async () => {
      await page.keyboard.press('?')
      // Meant for the list, so it creates no vault.
      await page.keyboard.press('c')
    })
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await openEarly(() => page.getByRole('button', { name: 'Account' }).click())
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
    await openEarly(() => page.getByRole('button', { name: /^Vault / }).click())
    await page.getByRole('textbox', { name: 'Find a vault' }).waitFor()
    // Focus stays on a button that its menu replaces.
    await openEarly(() => page.getByRole('button', { name: 'Account' }).focus())
    await page.locator('[data-opens="account"][id]').waitFor()
    await expect.poll(() => page.locator(':focus').getAttribute('data-opens')).toBe('account')
    await page.unroute('**/assets/parts-*.js')
  })
})
