import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addSession, describeDashboard, examine } from './dashboard.ts'
import { ask } from './server.ts'

const grace = { email: 'grace@example.org', password: 'another long and private sentence' }

describeDashboard('sharing a vault', {}, (dashboard) => {
  const rowOf = (page: Page, vault: string) =>
    page.getByRole('table', { name: 'Vaults' }).getByRole('row', { name: vault })

  async function openMembers(page: Page, vault: string, item: string) {
    await page.getByRole('button', { name: `Actions for ${vault}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
    return page.getByRole('dialog', { name: `Members of ${vault}` })
  }

  let gracesToken = ''
  let graces: Page | undefined
  const gracesPage = () => {
    if (graces === undefined) throw new Error('Grace has not signed in')
    return graces
  }

  it('the owner invites someone by their address and chooses a role', async () => {
    const { page, open, server, mine, owner } = dashboard()
    const created = await ask(server, server.operatorToken(), '/api/operator/users', grace)
    gracesToken = String(created['dashboardToken'])
    await mine('/api/memories', { vaultId: owner.vaultId, content: 'The garden gate is green.' })
    await open('/vaults')
    const dialog = await openMembers(page, 'Main', 'Share')
    await dialog.getByRole('textbox', { name: 'Email address' }).fill(grace.email)
    await dialog.getByRole('combobox', { name: 'Role', exact: true }).click()
    await page.getByRole('option', { name: 'Editor' }).click()
    await dialog.getByRole('button', { name: 'Invite' }).click()
    await dialog.getByRole('list', { name: 'Open invitations' }).getByText(grace.email).waitFor()
    await examine(dashboard(), 'vault-members')
  })

  it('the invited accepts on their Vaults page and then uses the vault', async () => {
    const { browser, server } = dashboard()
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
    context.setDefaultTimeout(30_000)
    await addSession(context, server, grace)
    graces = await context.newPage()
    await graces.goto(`${server.url}/vaults`)
    await graces
      .getByRole('list', { name: 'Invitations' })
      .getByText('ada@example.org invites you as an editor.')
      .waitFor()
    await examine({ ...dashboard(), page: graces }, 'vaults-invitation')
    await graces.getByRole('button', { name: 'Accept Main' }).click()
    await graces.getByText('Shared by ada@example.org · Editor').waitFor()
    await examine({ ...dashboard(), page: graces }, 'vaults-shared')
  })

  it('the owner sees who uses the vault, and what a member wrote under their name', async () => {
    const { page, open, server, owner } = dashboard()
    await ask(server, gracesToken, '/api/memories', { vaultId: owner.vaultId, content: 'The pond needs water.' })
    await open('/memories')
    await page.getByText('The pond needs water.').click()
    await page.getByRole('region', { name: 'Memory' }).getByText(grace.email).first().waitFor()
  })

  it('the rules of a vault can be changed', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    const openSettings = async () => {
      await page.getByRole('button', { name: 'Actions for Main' }).click()
      await page.getByRole('menuitem', { name: 'Settings' }).click()
      return page.getByRole('dialog', { name: 'Settings of Main' })
    }
    const dialog = await openSettings()
    await dialog.getByRole('textbox', { name: 'Minimum similarity of search results' }).fill('0.55')
    await examine(dashboard(), 'vault-settings')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    const again = await openSettings()
    const field = again.getByRole('textbox', { name: 'Minimum similarity of search results' })
    await expect.poll(() => field.inputValue()).toBe('0.55')
    await page.keyboard.press('Escape')
  })

  it('a member who was removed finds nothing any more', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await rowOf(page, 'Main').getByText('Shared with 1 person').waitFor()
    const dialog = await openMembers(page, 'Main', 'Share')
    await dialog.getByRole('button', { name: `Remove ${grace.email}` }).click()
    await page.getByRole('button', { name: 'Remove member' }).click()
    await page.getByText(`${grace.email} removed`).waitFor()
    // Their page learns of it by itself.
    await gracesPage().getByText('Shared by ada@example.org').waitFor({ state: 'detached' })
  })
})
