import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

describeDashboard('the vault in the address', {}, (dashboard) => {
  const title = (page: Page) => page.getByRole('heading', { level: 1 })
  const shownVault = (page: Page) => page.getByRole('button', { name: /^Vault / })
  const path = (page: Page) => new URL(page.url()).pathname
  const row = (page: Page, text: string) => page.getByRole('link', { name: text })
  let boat = ''

  it('shows the vault of the address in each tab, also after a reload and on old addresses', async () => {
    const { page, open, mine, owner } = dashboard()
    boat = String((await mine('/api/vaults', { name: 'Boat' }))['id'])
    await mine('/api/memories', { vaultId: owner.vaultId, content: 'The office opens at nine.' })
    await mine('/api/memories', { vaultId: boat, content: 'The boat leaves at noon.' })
    await open('/memories?sort=updated')
    await row(page, 'The office opens at nine.').waitFor()
    expect(path(page)).toBe(`/v/${owner.vaultId}/memories`)
    expect(new URL(page.url()).search).toBe('?sort=updated')
    const second = await page.context().newPage()
    await second.goto(`${dashboard().server.url}/v/${boat}/memories`)
    await row(second, 'The boat leaves at noon.').waitFor()
    await page.reload()
    await row(page, 'The office opens at nine.').waitFor()
    await second.reload()
    await row(second, 'The boat leaves at noon.').waitFor()
    // An address without a vault shows the one that was open last.
    await second.goto(`${dashboard().server.url}/`)
    await title(second).filter({ hasText: 'Home' }).waitFor()
    expect(path(second)).toBe(`/v/${boat}`)
    await second.close()
    await shownVault(page).click()
    await page.getByRole('option', { name: 'Boat' }).waitFor()
    await examine(dashboard(), 'vault-switcher')
    await page.keyboard.press('Escape')
  })

  it('links lead to pages of the same vault, and the person’s pages have none in their address', async () => {
    const { page, open, owner } = dashboard()
    await open(`/v/${boat}/memories`)
    await row(page, 'The boat leaves at noon.').click()
    await page
      .getByRole('region', { name: 'Memory', exact: true })
      .getByText('The boat leaves at noon.')
      .first()
      .waitFor()
    expect(path(page)).toMatch(new RegExp(`^/v/${boat}/memories/[\\w-]+$`))
    await page.keyboard.press('Escape')
    const rail = page.getByRole('navigation', { name: 'Pages' })
    expect(await rail.getByRole('link', { name: 'Notes' }).getAttribute('href')).toBe(`/v/${boat}/notes`)
    await rail.getByRole('link', { name: 'Agents & keys' }).click()
    await title(page).filter({ hasText: 'Agents' }).waitFor()
    expect(path(page)).toBe('/agents')
    expect(await rail.getByRole('link', { name: 'Notes' }).getAttribute('href')).toBe(`/v/${boat}/notes`)
    await open('/settings/account')
    await shownVault(page).filter({ hasText: 'Boat' }).waitFor()
    expect(await rail.getByRole('link', { name: 'Notes' }).getAttribute('href')).toBe(`/v/${boat}/notes`)
    expect(await page.locator(`a[href*="${owner.vaultId}"]`).count()).toBe(0)
  })

  it('opens another vault at the same page; going back and forward changes vaults', async () => {
    const { page, open, owner } = dashboard()
    await open(`/v/${boat}/memories?q=noon`)
    await row(page, 'The boat leaves at noon.').click()
    await page.getByRole('region', { name: 'Memory', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('region', { name: 'Memory', exact: true }).waitFor({ state: 'detached' })
    await shownVault(page).click()
    await page.getByRole('option', { name: 'Main' }).click()
    await page.getByText('No memories match').waitFor()
    expect(path(page)).toBe(`/v/${owner.vaultId}/memories`)
    await page.goBack()
    await row(page, 'The boat leaves at noon.').waitFor()
    await shownVault(page).filter({ hasText: 'Boat' }).waitFor()
    await page.goForward()
    await page.getByText('No memories match').waitFor()
    await shownVault(page).filter({ hasText: 'Main' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('open vault bo')
    await page.keyboard.press('Enter')
    await row(page, 'The boat leaves at noon.').waitFor()
    expect(page.url()).toContain(`/v/${boat}/memories?q=noon`)
  })

  it('says in which vault a record is, and opens it there', async () => {
    const { page, open, mine, owner } = dashboard()
    const there = { vaultId: boat }
    const { memoryId } = await mine('/api/memories', { ...there, content: 'The boat is blue.' })
    const { taskId } = await mine('/api/tasks', { ...there, title: 'Paint the boat' })
    const { noteId } = await mine('/api/notes', { ...there, title: 'Colors of the boat', content: 'Blue.' })
    for (const [record, text] of [
      [`memories/${String(memoryId)}`, 'The boat is blue.'],
      [`tasks/${String(taskId)}`, 'Paint the boat'],
      [`notes/${String(noteId)}`, 'Colors of the boat'],
    ] as const) {
      await open(`/v/${owner.vaultId}/${record}`)
      await page.getByText('It is in your vault Boat.').waitFor()
      await page.getByRole('link', { name: 'Open it there' }).click()
      await page.waitForURL((url) => url.pathname === `/v/${boat}/${record}`)
      await page.getByText('It is in your vault Boat.').waitFor({ state: 'detached' })
      await expect
        .poll(() => page.locator('main, [role=dialog]').allInnerTexts())
        .toContainEqual(expect.stringContaining(text))
    }
  })

  it('asks before what is typed in a form without drafts is discarded, also by opening another vault', async () => {
    const { page, open, owner } = dashboard()
    await open(`/v/${owner.vaultId}/notes`)
    await shownVault(page).click()
    await page.getByLabel('Find a vault').fill('boa')
    await page.keyboard.press('Enter')
    await row(page, 'Colors of the boat').waitFor()
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New note' })
    await form.getByLabel('Title').fill('Half a thought')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    for (const leave of [
      () => page.keyboard.press('Escape'),
      () => page.mouse.click(4, 4),
      () => page.evaluate(() => history.back()),
    ]) {
      await leave()
      await question.getByRole('button', { name: 'Stay' }).click()
      await question.waitFor({ state: 'detached' })
      expect(await form.getByLabel('Title').inputValue()).toBe('Half a thought')
    }
    const asked = page.waitForEvent('dialog')
    void page.reload().catch(() => {})
    const browserQuestion = await asked
    expect(browserQuestion.type()).toBe('beforeunload')
    await browserQuestion.dismiss()
    await page.keyboard.press('Escape')
    await question.getByRole('button', { name: 'Leave', exact: true }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('the settings of a vault stay as saved, and a field that was emptied says so', async () => {
    const { page, open } = dashboard()
    const openForm = async () => {
      await open('/vaults')
      await page.getByRole('button', { name: 'Actions for Boat' }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      return page.getByRole('dialog', { name: 'Settings of Boat' })
    }
    const form = await openForm()
    const newer = form.getByRole('switch', { name: 'Prefer newer facts' })
    expect(await newer.isChecked()).toBe(true)
    await newer.press('Space')
    const threshold = form.getByRole('textbox', { name: 'Threshold' })
    await threshold.clear()
    await form.getByRole('button', { name: 'Save settings' }).click()
    await form.getByText('Enter a number').waitFor()
    expect(await threshold.evaluate((node) => node === document.activeElement)).toBe(true)
    await threshold.fill('0.35')
    await form.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('Settings saved').waitFor()
    const again = await openForm()
    expect(await again.getByRole('textbox', { name: 'Threshold' }).inputValue()).toBe('0.35')
    expect(await again.getByRole('switch', { name: 'Prefer newer facts' }).isChecked()).toBe(false)
    await page.keyboard.press('Escape')
  })

  it('says that a vault doesn’t exist', async () => {
    const { page, open } = dashboard()
    await open('/v/0198c5f0-0000-7000-8000-000000000001/memories')
    await page.getByRole('heading', { name: 'Vault not found' }).waitFor()
    await page.getByRole('link', { name: 'Your vaults' }).click()
    await title(page).filter({ hasText: 'Vaults' }).waitFor()
  })
})
