import { expect, it } from 'vitest'
import { addSession, describeDashboard, examine } from './dashboard.ts'
import { person } from './server.ts'
import { intercept } from './intercept.ts'

describeDashboard('the frame of the dashboard', {}, (dashboard) => {
  it('works by keyboard: pages by two keys, everything by the palette', async () => {
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
    expect(await page.locator(':focus').textContent()).toBe('Skip to content')
    await page.keyboard.press('Enter')
    expect(await page.locator(':focus').getAttribute('id')).toBe('content')
  })

  it('opens the palette with what was opened last, and with what can be created', async () => {
    const { page, agent, open, owner } = dashboard()
    const { memoryId } = await agent('write-memory', {
      content: 'The south pier **closes** at ten.\n\nAlso on Sundays.',
    })
    await open(`/v/${owner.vaultId}/memories/${String(memoryId)}`)
    await page.getByText('Also on Sundays.').waitFor()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.keyboard.press('Control+k')
    const actions = page.locator('.mantine-Spotlight-action')
    await expect.poll(() => actions.first().textContent()).toBe('The south pier closes at ten.')
    for (const name of ['New memory', 'New task', 'New note', 'Switch between light and dark'])
      await actions.filter({ hasText: name }).waitFor()
    await examine(dashboard(), 'palette-recent')
    // Only the id stays in the browser.
    expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain('south pier')
    await actions.first().click()
    await page.waitForURL(/\/memories\//)
    await page.getByText('Also on Sundays.').waitFor()
  })

  it('selects the best result of the palette, also if it arrives later', async () => {
    const { page, agent, open } = dashboard()
    await agent('write-memory', { content: 'The lighthouse keeper retires in May.' })
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('lighthouse')
    const selected = page.locator('.mantine-Spotlight-action[data-selected]')
    await expect.poll(() => selected.allTextContents()).toEqual(['The lighthouse keeper retires in May.'])
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('theme')
    await expect.poll(() => selected.allTextContents()).toEqual(['Switch between light and dark'])
    await page.keyboard.press('Escape')
  })

  it('keeps the palette at its place while results change, and creates records', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.keyboard.press('Control+k')
    const field = page.getByRole('textbox', { name: 'Search or jump to' })
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await field.waitFor()
    const topOf = async () => (await palette.boundingBox())?.y
    const top = await topOf()
    for (const query of ['lighthouse', 'nothing is called so', 'new task']) {
      await field.fill(query)
      await expect.poll(() => palette.getByRole('button').first().textContent()).toContain(query.slice(1, 5))
      expect(await topOf()).toBe(top)
    }
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'New task' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('keeps about ten pages in the rail, with what waits for the person, and the others under More', async () => {
    const { page, open, agent } = dashboard()
    await agent('write-memory', { content: 'The lamp may be from 1890.', confidence: 1 })
    await agent('send-message', { targetId: 'user', targetType: 'user', content: 'Is the lamp from 1890?' })
    await open('/memories')
    const rail = page.getByRole('navigation', { name: 'Pages' })
    await rail.getByTitle('1 unacknowledged message').waitFor()
    await rail.getByTitle('1 item to review in this vault').waitFor()
    expect(await rail.getByRole('link').count()).toBeLessThanOrEqual(12)
    const more = rail.getByRole('button', { name: 'More' })
    await more.press('Enter')
    await rail.getByRole('link', { name: 'Webhooks' }).waitFor()
    await more.press('Enter')
    await rail.getByRole('link', { name: 'Webhooks' }).waitFor({ state: 'detached' })
    // More is open on its pages.
    await open('/webhooks')
    await rail.getByRole('link', { name: 'Webhooks' }).waitFor()
    await examine(dashboard(), 'rail-more')
  })

  it('shows the current page in a rail that is too low for all, wherever it was scrolled to before', async () => {
    const { page, open } = dashboard()
    const size = page.viewportSize()
    await page.setViewportSize({ width: 1280, height: 480 })
    const rail = page.getByRole('navigation', { name: 'Pages' })
    const isInView = (name: string) =>
      rail.getByRole('link', { name }).evaluate((link) => {
        const [own, frame] = [link.getBoundingClientRect(), link.closest('nav')?.getBoundingClientRect()]
        return frame !== undefined && own.top >= frame.top && own.bottom <= frame.bottom
      })
    await open('/usage')
    await expect.poll(() => isInView('Usage')).toBe(true)
    await rail.evaluate((nav) => nav.scrollTo(0, 0))
    await expect.poll(() => isInView('Home')).toBe(true)
    await page.reload()
    await expect.poll(() => isInView('Usage')).toBe(true)
    await rail.evaluate((nav) => nav.scrollTo(0, 0))
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.waitForURL(/\/activity$/)
    await expect.poll(() => isInView('Activity')).toBe(true)
    if (size !== null) await page.setViewportSize(size)
  })

  it('scrolls no page for nothing, and moves nothing when a dialog stops the page from scrolling', async () => {
    const { page, open } = dashboard()
    for (const path of ['/vaults', '/webhooks', '/settings/appearance', '/no/such/page']) {
      await open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null)
      const height = await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)
      expect([path, height]).toEqual([path, 0])
    }
    const gutter = await page.evaluate(() => getComputedStyle(document.documentElement).scrollbarGutter)
    expect(gutter).toBe('stable')
    await open('/vaults?new=true')
    await page.getByRole('dialog', { name: 'New vault' }).waitFor()
    expect(await page.evaluate(() => getComputedStyle(document.body).marginRight)).toBe('0px')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('prints the page alone, in dark ink', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.getByRole('navigation').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'New vault' }).count()).toBe(0)
    expect(await page.getByRole('cell', { name: /^Main/ }).isVisible()).toBe(true)
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)')
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  })

  it('ignores single keys in text fields, and everywhere if they are turned off', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('dialog', { name: 'New vault' }).getByLabel('Name').pressSequentially('gac?')
    expect(await page.getByRole('dialog').count()).toBe(1)
    expect(new URL(page.url()).pathname).toBe('/vaults')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    await open('/settings/shortcuts')
    await page.getByLabel('Single-key shortcuts').uncheck()
    await page.getByRole('heading', { name: 'Settings', level: 1 }).click()
    await page.keyboard.press('?')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).waitFor()
    expect(await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByLabel('Single-key shortcuts').check()
  })

  it('keeps the chosen appearance after a reload', async () => {
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
    await page.getByText('System', { exact: true }).click()
  })

  it('has a bottom bar on small screens, with all pages under More', async () => {
    const { page, open } = dashboard()
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/vaults')
    const tabs = page.getByRole('navigation', { name: 'Main pages' })
    await expect.poll(() => tabs.getByRole('link').allTextContents()).toEqual(['Home', 'Inbox1', 'Review1', 'Memories'])
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
  })

  it('shows that a page failed to load, and reloads it', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await intercept(page, '**/assets/usage-page-*.js', (route) => route.abort())
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'This page couldn’t be loaded' }).waitFor()
    await examine(dashboard(), 'not-loaded')
    await page.unroute('**/assets/usage-page-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  })

  it('keeps the frame while the server is too slow, says so, and tries again', async () => {
    const { browser, server } = dashboard()
    const refused = { status: 408, json: { error: 'Validation failed: the request did not arrive in time' } }
    const slow = /\/api\/(?:auth\/session|vaults)/
    // The error is expected in the console of this page.
    const context = await browser.newContext()
    await addSession(context, server)
    const page = await context.newPage()
    await page.route(slow, (route) => route.fulfill(refused))
    await page.goto(`${server.url}/memories`)
    await page.getByText('The server took too long to respond. Try again.').first().waitFor()
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inbox' }).waitFor()
    await page.unroute(slow)
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    await context.close()
  })

  it('shows that the dashboard failed to load, and starts without storage', async () => {
    const { page, open, browser, server } = dashboard()
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await open('/vaults')
    await page.getByText('The server was updated, or it can’t be reached.').waitFor()
    await page.unroute('**/assets/main-*.js')
    await page.getByRole('link', { name: 'Reload' }).click()
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
    await other.getByLabel('Email').waitFor()
    await context.close()
  })

  it('shows unknown pages as not found, and stored markup as text', async () => {
    const { page, open, mine } = dashboard()
    await open('/no/such/page')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(await page.title()).toBe('Page not found · Holdfast')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Home' }).waitFor()
    await examine(dashboard(), 'page-not-found')
    const hostile = '<img src=x onerror="document.title=1"><b>bold</b>'
    await mine('/api/vaults', { name: hostile })
    await open('/vaults')
    await page.getByRole('cell', { name: hostile, exact: true }).waitFor()
    expect(await page.locator('main img, main b').count()).toBe(0)
  })

  it('notices when the server is gone, and when it is back', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('The server can’t be reached').first().waitFor()
    await page.context().setOffline(false)
    // The live mark has this text as well, for screen readers.
    await expect.poll(() => page.getByText('You may be seeing old data').count()).toBe(0)
    await expect.poll(() => page.getByText('The server can’t be reached').count()).toBe(0)
    await page.getByRole('heading', { name: 'Usage' }).waitFor()
  })

  it('signing in again returns to the page, and guessing is throttled', async () => {
    const { page, open } = dashboard()
    await open('/usage')
    await page.getByRole('button', { name: person.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('holdfast-preferences'))).not.toContain('vaultId":"')
    await open('/vaults?new=true')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill(person.email)
    const throttled = page.getByText('Too many attempts')
    // From the sixth try, each has to wait twice as long. How many tries it takes depends on the speed of the machine.
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
