import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { addSession, describeDashboard, examine, type Dashboard } from './dashboard.ts'
import { ask } from './server.ts'
import { intercept } from './intercept.ts'

const grace = { email: 'grace@example.org', password: 'another long and private sentence' }

const viewersLine = 'You can read this vault. Ask its owner for the role editor to change it.'

interface SharedPage {
  path: string
  /** What it shows to everyone. */
  text: string
  /** The buttons that only editors get. */
  edits: readonly string[]
}

/** Fills the owner's vault with a record for each page, and returns the pages. */
async function fillVault({ mine, agent, owner, server }: Dashboard): Promise<SharedPage[]> {
  const { vaultId } = owner
  const { memoryId } = await mine('/api/memories', { vaultId, content: 'The shed needs a lock.' })
  const { memoryId: oldId } = await mine('/api/memories', { vaultId, content: 'The old lock is rusty.' })
  await mine('/api/memories/archive', { vaultId, ids: [oldId] })
  const { taskId } = await mine('/api/tasks', { vaultId, title: 'Oil the hinges', status: 'todo' })
  const { noteId } = await mine('/api/notes', { vaultId, title: 'Beds', content: 'Roses by the wall.' })
  const run = { agentId: 'scout', agentRunId: 'spring' }
  await agent('write-memory', { content: 'Perhaps the pump is broken.', confidence: 1, ...run })
  const headers = { Authorization: `Bearer ${owner.dashboardToken}` }
  const findRun = async () => {
    const answer = await fetch(`${server.url}/api/runs?vaultId=${vaultId}`, { headers })
    return ((await answer.json()) as { runs: { id: string }[] }).runs[0]?.id
  }
  // Runs are written within a second.
  await expect.poll(findRun).toBeDefined()
  const runId = await findRun()
  return [
    { path: '', text: 'Perhaps the pump is broken.', edits: ['This is right'] },
    { path: `/memories/${String(memoryId)}`, text: 'The shed needs a lock.', edits: ['New memory', 'Edit', 'Archive'] },
    { path: `/tasks/${String(taskId)}`, text: 'Oil the hinges', edits: ['New task', 'Edit', 'New task in To do'] },
    { path: '/tasks?view=list', text: 'Oil the hinges', edits: ['New task', 'Actions for Oil the hinges'] },
    { path: `/notes/${String(noteId)}`, text: 'Roses by the wall.', edits: ['New note', 'Folder actions', 'Star'] },
    { path: '/review?kind=unsure', text: 'Perhaps the pump is broken.', edits: ['This is right', 'Skip'] },
    {
      path: `/graph?view=table&unlinked=true&at=${String(memoryId)}`,
      text: 'The shed needs a lock.',
      edits: ['Link to…'],
    },
    { path: `/runs/${runId}`, text: 'spring', edits: ['Undo this run’s writes'] },
    { path: '/trash', text: 'The old lock is rusty.', edits: ['Actions for The old lock is rusty.'] },
  ]
}

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
    await rowOf(graces, 'Main').getByText('Shared by ada@example.org · Editor').waitFor()
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
    await dialog.getByRole('textbox', { name: 'Threshold' }).fill('0.55')
    await examine(dashboard(), 'vault-settings')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    const again = await openSettings()
    const field = again.getByRole('textbox', { name: 'Threshold' })
    await expect.poll(() => field.inputValue()).toBe('0.55')
    await page.keyboard.press('Escape')
  })

  const setRole = (role: string) =>
    dashboard().mine('/api/vaults/members', { vaultId: dashboard().owner.vaultId, email: grace.email, role })

  /** Opens a page of the shared vault as Grace, and returns it once it shows this text. */
  async function openAsGrace(path: string, text: string) {
    const { server, owner } = dashboard()
    await gracesPage().goto(`${server.url}/v/${owner.vaultId}${path}`)
    await gracesPage().getByRole('main').getByText(text).filter({ visible: true }).first().waitFor()
    return gracesPage()
  }

  it('an editor can change what a viewer only reads, and neither is offered what the server would refuse', async () => {
    const pages = await fillVault(dashboard())
    const refused: string[] = []
    gracesPage().on('response', (response) => {
      if (response.status() === 403) refused.push(response.url())
    })
    for (const { path, text, edits } of pages) {
      const page = await openAsGrace(path, text)
      for (const name of edits) await page.getByRole('button', { name, exact: true }).first().waitFor()
      expect(await page.getByText(viewersLine).count(), path).toBe(0)
    }
    // The open page learns of the new role by itself.
    const open = await openAsGrace('/memories', 'The garden gate is green.')
    await open.getByRole('button', { name: 'New memory' }).waitFor()
    await setRole('viewer')
    await open.getByRole('button', { name: 'New memory' }).waitFor({ state: 'detached' })
    for (const { path, text, edits } of pages) {
      const page = await openAsGrace(path, text)
      await page.getByText(viewersLine).first().waitFor()
      for (const name of [...edits, 'Delete permanently'])
        expect(await page.getByRole('button', { name, exact: true }).count(), `${path}: ${name}`).toBe(0)
      expect(
        await page
          .getByRole('main')
          .getByRole('checkbox', { name: /^Select/ })
          .count(),
        path,
      ).toBe(0)
    }
    expect(refused).toEqual([])
  })

  it('a viewer has no keys, commands and forms that change the vault', async () => {
    const { server, owner } = dashboard()
    const page = await openAsGrace('/memories?new=true', 'The garden gate is green.')
    await examine({ ...dashboard(), page }, 'viewer-memories')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('c')
    await page.keyboard.press('?')
    const keys = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await keys.getByText('Next row').waitFor()
    for (const name of ['New memory', 'Select the row', 'Edit', 'Archive or move to trash'])
      expect(await keys.getByText(name, { exact: true }).count(), name).toBe(0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('create')
    const actions = page.locator('.mantine-Spotlight-action')
    await actions.filter({ hasText: 'New vault' }).waitFor()
    expect(await actions.filter({ hasText: 'New memory' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByText('The garden gate is green.').click()
    const memory = page.getByRole('region', { name: 'Memory', exact: true })
    await memory.waitFor()
    const edit = new URL(page.url())
    edit.searchParams.set('edit', 'true')
    await page.goto(edit.href)
    await memory.getByText('The garden gate is green.').first().waitFor()
    expect(await page.getByRole('region', { name: 'Edit memory' }).count()).toBe(0)
    await page.goto(`${server.url}/v/${owner.vaultId}/tasks`)
    const card = page.getByRole('listitem').filter({ hasText: 'Oil the hinges' })
    expect(await card.getAttribute('draggable')).toBe('false')
    await examine({ ...dashboard(), page }, 'viewer-tasks')
  })

  it('the switcher says who shares a vault, and one’s own role in it', async () => {
    const page = await openAsGrace('/memories', 'The garden gate is green.')
    const switcher = page.getByRole('button', { name: /^Vault / })
    await switcher.getByText('Viewer · ada@example.org').waitFor()
    await switcher.click()
    await page.getByRole('option', { name: 'Main Shared by ada@example.org · Viewer' }).waitFor()
    // Her own vault has the same name.
    expect(await page.getByRole('option', { name: 'Main', exact: true }).count()).toBe(1)
    await examine({ ...dashboard(), page }, 'vault-switcher-shared')
    await page.keyboard.press('Escape')
  })

  it('pages say what needs more than the role of an editor', async () => {
    await setRole('editor')
    const page = await openAsGrace('/documents/soul', 'Ask the owner of this vault for the role admin')
    expect(await page.getByRole('textbox', { name: 'This vault’s own text' }).getAttribute('readonly')).not.toBeNull()
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await setRole('admin')
    await page.getByRole('button', { name: 'Save' }).waitFor()
    await openAsGrace('/transfer', 'Only the owner of this vault can import into it and export it.')
    expect(await page.getByRole('button', { name: /^(Choose|Export)/ }).count()).toBe(0)
    await openAsGrace('/context', 'Only the owner of this vault can preview what agents get from it.')
    await openAsGrace('/trash', 'The old lock is rusty.')
    await page.getByRole('button', { name: /^Actions for The old lock/ }).click()
    await page.getByRole('menuitem', { name: 'Delete permanently' }).waitFor()
    await page.keyboard.press('Escape')
    await setRole('editor')
    await page.getByRole('button', { name: 'Delete automatically…' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Actions for The old lock/ }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete permanently' }).count()).toBe(0)
  })

  it('a message from the page of a shared vault is for one’s own agents', async () => {
    const page = await openAsGrace('/tasks', 'Oil the hinges')
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Inbox' }).click()
    await page.getByRole('button', { name: 'New message' }).first().click()
    const form = page.getByRole('dialog', { name: 'New message' })
    await form.getByText('The message goes to your vault Main.').waitFor()
    await examine({ ...dashboard(), page }, 'message-new-own-vault')
    await form.getByRole('combobox', { name: 'Agent' }).fill('scout')
    await form.getByRole('textbox', { name: 'Message' }).fill('Close the gate.')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Sent to scout in your vault Main').waitFor()
  })

  it('Connect offers one’s own vault, because agents of members can’t use a shared one', async () => {
    const page = await openAsGrace('/connect?client=cursor', 'Only its owner’s agents can work in Main.')
    expect(await page.getByRole('button', { name: 'Create agent and key' }).count()).toBe(0)
    await examine({ ...dashboard(), page }, 'connect-shared')
    await page.getByRole('link', { name: 'Use your own vault' }).click()
    await page.getByRole('button', { name: 'Create agent and key' }).waitFor()
    await page.waitForURL(({ pathname }) => !pathname.includes(dashboard().owner.vaultId))
  })

  it('a member who was removed finds nothing any more', async () => {
    const { page, open, server } = dashboard()
    await gracesPage().goto(`${server.url}/vaults`)
    await gracesPage().getByRole('table', { name: 'Vaults' }).getByText('Shared by ada@example.org · Editor').waitFor()
    await open('/vaults')
    await rowOf(page, 'Main').getByText('Shared with 1 person').waitFor()
    const dialog = await openMembers(page, 'Main', 'Share')
    await dialog.getByRole('button', { name: `Remove ${grace.email}` }).click()
    await page.getByRole('button', { name: 'Remove member' }).click()
    await page.getByText(`${grace.email} removed`).waitFor()
    // Their page learns of it by itself.
    await gracesPage().getByRole('table', { name: 'Vaults' }).getByText('Shared by').waitFor({ state: 'detached' })
  })

  it('an invitation that is withdrawn, and a shared vault that is deleted, leave the open pages of the other person', async () => {
    const { page, server, owner, mine } = dashboard()
    const invite = (vaultId: string) => mine('/api/vaults/members', { vaultId, email: grace.email, role: 'viewer' })
    const invitations = gracesPage().getByRole('list', { name: 'Invitations' })
    await gracesPage().goto(`${server.url}/vaults`)
    await invite(owner.vaultId)
    await invitations.getByText('ada@example.org invites you as a viewer.').waitFor()
    const dialog = page.getByRole('dialog', { name: 'Members of Main' })
    await dialog.getByRole('button', { name: `Withdraw the invitation of ${grace.email}` }).click()
    await invitations.waitFor({ state: 'detached' })
    const pond = String((await mine('/api/vaults', { name: 'Pond' }))['id'])
    await invite(pond)
    await gracesPage().getByRole('button', { name: 'Accept Pond' }).click()
    await rowOf(gracesPage(), 'Pond').getByText('Shared by ada@example.org · Viewer').waitFor()
    await gracesPage().goto(`${server.url}/v/${pond}/memories`)
    await gracesPage().getByText('No memories yet.').waitFor()
    const deleted = await fetch(`${server.url}/api/vaults?id=${pond}&name=Pond`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${owner.dashboardToken}` },
    })
    expect(deleted.status).toBe(200)
    await gracesPage().getByRole('heading', { name: 'Vault not found' }).waitFor()
  })

  it('unsaved words of a note can be copied after its vault is gone', async () => {
    const { server, owner, mine } = dashboard()
    const page = gracesPage()
    const quay = String((await mine('/api/vaults', { name: 'Quay' }))['id'])
    const { noteId } = await mine('/api/notes', { vaultId: quay, title: 'Ropes', content: 'Coil them.' })
    await mine('/api/vaults/members', { vaultId: quay, email: grace.email, role: 'editor' })
    await page.goto(`${server.url}/vaults`)
    await page.getByRole('button', { name: 'Accept Quay' }).click()
    await rowOf(page, 'Quay').getByText('Shared by ada@example.org · Editor').waitFor()
    await page.goto(`${server.url}/v/${quay}/notes/${String(noteId)}?view=edit`)
    const text = page.getByRole('textbox', { name: 'Text of the note' })
    await text.getByText('Coil them.').waitFor()
    await intercept(page, '**/api/notes', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    await text.focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' And dry them.')
    const words = 'Coil them. And dry them.'
    await page.locator('[data-save="retrying"]').waitFor()
    const deleted = await fetch(`${server.url}/api/vaults?id=${quay}&name=Quay`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${owner.dashboardToken}` },
    })
    expect(deleted.status).toBe(200)
    await page.getByRole('heading', { name: 'Vault not found' }).waitFor()
    await examine({ ...dashboard(), page }, 'vault-gone-unsaved')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    // Browsers only copy on pages with HTTPS, so it can be selected too.
    expect(await page.getByRole('textbox', { name: 'Your text of “Ropes”' }).inputValue()).toBe(words)
    await page.getByRole('button', { name: 'Copy your text of “Ropes”' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(words)
    await page.unroute('**/api/notes')
  })
})
