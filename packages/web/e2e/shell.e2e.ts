import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { person } from './server.ts'

describeDashboard('the frame of the dashboard', {}, (dashboard) => {
  it('is worked by the keyboard alone: pages by two keys, everything by the palette', async () => {
    const { page, open } = dashboard()
    await open('/settings')
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('v')
    await page.getByRole('heading', { name: 'Vaults', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('webh')
    await examine(dashboard(), 'palette')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await examine(dashboard(), 'shortcuts')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Skip to the content')
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe('content')
  })

  it('takes no single key while somebody writes, nor where that is switched off', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New vault' }).getByLabel('Name').pressSequentially('gac?')
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(new URL(page.url()).pathname).toBe('/vaults')
    await page.keyboard.press('Escape')
    await open('/settings/shortcuts')
    await page.getByLabel('Shortcuts of single keys').uncheck()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).click()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor()
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByLabel('Shortcuts of single keys').check()
  })

  it('looks as somebody chose, also after a reload', async () => {
    const { page, open } = dashboard()
    await open('/settings/appearance')
    await examine(dashboard(), 'settings-appearance')
    await page.getByText('Dark', { exact: true }).click()
    await page.getByLabel('High contrast').check()
    await page.reload()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor()
    const root = page.locator('html')
    expect(await root.getAttribute('data-mantine-color-scheme')).toBe('dark')
    expect(await root.getAttribute('data-contrast')).toBe('high')
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(0, 0, 0)')
    await page.getByLabel('High contrast').uncheck()
    await page.getByText('As the system', { exact: true }).click()
  })

  it('has a bar of its own on small screens, with every page behind More', async () => {
    const { page, open } = dashboard()
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/vaults')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('says that a page could not be loaded, and loads it again', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.route('**/assets/usage-page-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor()
    await examine(dashboard(), 'not-loaded')
    await page.unroute('**/assets/usage-page-*.js')
    await page.getByRole('button', { name: 'Load again' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  })

  it('says so where it could not be loaded itself, and starts without storage', async () => {
    const { page, open, browser, server } = dashboard()
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await open('/vaults')
    await page.getByText('The server was updated in the meantime, or cannot be reached.').waitFor()
    await page.unroute('**/assets/main-*.js')
    await page.getByRole('link', { name: 'Load again' }).click()
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    const context = await browser.newContext()
    await context.addInitScript(() => {
      Object.defineProperty(globalThis, 'localStorage', {
        get() {
          throw new DOMException('Denied', 'SecurityError')
        },
      })
    })
    const other = await context.newPage()
    await other.goto(`${server.url}/login`)
    await other.getByLabel('E-mail').waitFor()
    await context.close()
  })

  it('says that a page is none, and shows what was stored as text', async () => {
    const { page, open, mine } = dashboard()
    await open('/no/such/page')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    const hostile = '<img src=x onerror="document.title=1"><b>bold</b>'
    await mine('/api/vaults', { name: hostile })
    await open('/vaults')
    await page.getByRole('cell', { name: hostile, exact: true }).waitFor()
    expect(await page.locator('main img, main b').count()).toBe(0)
  })

  it('notices a server that is away, and one that is back', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('The server cannot be reached').first().waitFor()
    await page.context().setOffline(false)
    // The live mark says it as well, for screen readers.
    await expect.poll(() => page.getByText('What you see may be old').count()).toBe(0)
    await expect.poll(() => page.getByText('The server cannot be reached').count()).toBe(0)
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
  })

  it('signs out and in again, to where somebody was, and slows those who guess', async () => {
    const { page, open } = dashboard()
    await open('/usage')
    await page.getByRole('button', { name: person.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('holdfast-preferences'))).not.toContain('vaultId":"')
    await open('/vaults?new=true')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill(person.email)
    const throttled = page.getByText('Too many attempts')
    // Each try after the fifth must wait twice as long; how many that takes depends on how fast the machine is.
    for (let tries = 0; tries < 12 && !(await throttled.isVisible()); tries += 1) {
      await page.getByRole('textbox', { name: 'Password' }).fill(`wrong ${tries}`)
      await page.keyboard.press('Enter')
      await page.locator('button[data-loading]').waitFor({ state: 'detached' })
    }
    await throttled.waitFor()
    await examine(dashboard(), 'login')
    await expect.poll(() => signIn(), { interval: 1_500 }).toBe('/vaults?new=true')
  })

  async function signIn(): Promise<string> {
    const { page } = dashboard()
    if (new URL(page.url()).pathname === '/login') {
      await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
      await page.keyboard.press('Enter')
      await page
        .getByRole('dialog', { name: 'New vault' })
        .waitFor({ timeout: 2_000 })
        .catch(() => {})
    }
    const { pathname, search } = new URL(page.url())
    return pathname + search
  }
})
