import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addSession, describeDashboard } from './dashboard.ts'
import { fillPages, pathWith } from './every-page.ts'

describeDashboard('on a phone', {}, (dashboard) => {
  let phone: Page
  let ids: Readonly<Record<string, string>>

  beforeAll(async () => {
    const { browser, server } = dashboard()
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      isMobile: true,
      hasTouch: true,
      reducedMotion: 'reduce',
    })
    context.setDefaultTimeout(30_000)
    await addSession(context, server)
    phone = await context.newPage()
    ids = await fillPages(dashboard())
  })

  /** What may be lower than a finger is wide. */
  const lower = [
    // The pill around it is high enough, and Backspace removes it, too.
    '.mantine-Pill-remove',
    // The place of a menu that opens where the person presses.
    ':empty',
  ].join(', ')

  afterAll(() => phone?.context().close())

  const open = async (path: string) => {
    await phone.goto(dashboard().server.url + pathWith(ids, path))
    await phone.locator('h1').first().waitFor()
    await phone.waitForFunction(() => document.querySelector('.mantine-Skeleton-root, [aria-busy=true]') === null)
  }

  it.each([
    '/',
    '/messages',
    '/memories',
    '/tasks',
    '/notes',
    '/agents/AGENT',
    '/graph',
    '/activity',
    '/usage',
    '/review',
    '/vaults',
    '/settings/backups',
    '/settings/sessions',
    '/messages?new=true',
    '/webhooks?new=true',
  ])('buttons and choices on %s are large enough for fingers', async (path) => {
    await open(path)
    const small = await phone.evaluate((exceptions) => {
      const pressed = ['button', '[role=button]', 'summary', '.mantine-Checkbox-label', '.mantine-Chip-label']
      return [...document.querySelectorAll(pressed.join(', '))]
        .filter((one) => !one.matches(exceptions))
        .map((one) => ({ height: one.getBoundingClientRect().height, what: one.outerHTML.slice(0, 160) }))
        .filter(({ height }) => height > 0 && height < 35.5)
    }, lower)
    expect(small).toEqual([])
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  it('nothing of a field for numbers is outside it', async () => {
    await open('/vaults')
    await phone.getByRole('button', { name: 'Actions for Main' }).tap()
    await phone.getByRole('menuitem', { name: 'Settings' }).tap()
    await phone.getByRole('textbox', { name: 'Threshold' }).waitFor()
    const outside = await phone.evaluate(() =>
      [...document.querySelectorAll('.mantine-NumberInput-wrapper')].flatMap((field) => {
        const { bottom } = field.getBoundingClientRect()
        return [...field.querySelectorAll('*')].filter((one) => one.getBoundingClientRect().bottom > bottom + 1)
      }),
    )
    expect(outside).toEqual([])
    await phone.keyboard.press('Escape')
  })

  it.each([
    { path: '/memories', selected: 'Selected memories' },
    { path: '/tasks?view=list', selected: 'Selected tasks' },
    { path: '/notes', selected: 'Selected notes' },
  ])('the rows of $path have checkboxes while a person selects some, and a tap selects', async ({ path, selected }) => {
    await open(path)
    const main = phone.getByRole('main')
    const boxes = main.getByRole('checkbox', { name: /^Select / })
    const select = main.getByRole('button', { name: 'Select', exact: true })
    await select.waitFor()
    expect(await boxes.count()).toBe(0)
    await select.tap()
    const box = main.getByRole('checkbox', { name: /^Select (?!all on this page)/ }).first()
    const title = main.locator('[data-row]').first()
    await box.check()
    // The title leads to the record at other times.
    const place = phone.url()
    await title.tap()
    await expect.poll(() => box.isChecked()).toBe(false)
    await title.tap()
    await expect.poll(() => box.isChecked()).toBe(true)
    expect(phone.url()).toBe(place)
    const bar = phone.getByRole('region', { name: selected })
    await bar.getByText(/^1 \w+ selected$/).waitFor()
    await bar.getByRole('button', { name: 'Clear' }).tap()
    await expect.poll(() => boxes.count()).toBe(0)
    await select.tap()
    await main.getByRole('button', { name: 'Done', exact: true }).tap()
    await expect.poll(() => boxes.count()).toBe(0)
    await title.tap()
    await expect.poll(() => phone.url()).not.toBe(place)
  })

  it('offers no shortcuts, and says under which tab a page is', async () => {
    await open('/settings')
    const links = phone.getByRole('navigation', { name: 'Settings' })
    await links.getByRole('link', { name: 'Appearance' }).waitFor()
    expect(await links.getByRole('link', { name: 'Shortcuts' }).count()).toBe(0)
    const more = phone.getByRole('button', { name: 'More', exact: true })
    expect(await more.getAttribute('aria-current')).toBe('true')
    await open('/memories')
    expect(await more.getAttribute('aria-current')).toBeNull()
  })

  it('Home begins with what needs attention', async () => {
    await open('/')
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
    const charts = await top(phone.getByRole('region', { name: 'Last 30 days' }))
    expect(await top(phone.getByRole('heading', { name: 'Needs your attention' }))).toBeLessThan(charts)
  })

  it('a form takes the whole screen', async () => {
    await open('/memories?new=true')
    const dialog = phone.getByRole('dialog', { name: 'New memory' })
    await dialog.getByLabel('What to remember').waitFor()
    await expect.poll(async () => (await dialog.boundingBox())?.height).toBe(844)
  })
})
