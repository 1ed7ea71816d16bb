import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

const checks = `# Checks of the ferry office

- [ ] The timetable at the **north pier** shows the change.
- [ ] Nothing is released on a Friday after noon.

## Before a release

1. Ask in \`#ferries\` whether a boat is being boarded.
2. Tell the harbour master.`

const ropes = '# Ropes\n\nCoil it clockwise.'

describeDashboard('documents', {}, (dashboard) => {
  const field = () => dashboard().page.getByRole('textbox', { name: 'This vault’s own text' })
  const forAll = () => dashboard().page.getByRole('textbox', { name: 'Your text for all vaults' })
  const save = () => dashboard().page.getByRole('button', { name: 'Save' })
  const saved = () => dashboard().page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' })
  const patch = async (path: string, changes: object) => {
    const { server, owner } = dashboard()
    const { ok } = await fetch(server.url + path, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.dashboardToken}` },
      body: JSON.stringify(changes),
    })
    expect(ok).toBe(true)
  }
  const elsewhere = (content: string) => patch('/api/documents/defaults', { documentType: 'skills', content })
  const update = (content: string, mode = 'replace') =>
    dashboard().agent('update-document', {
      documentType: 'checks',
      vaultId: dashboard().owner.vaultId,
      content,
      mode,
      agentId: 'codex',
    })

  it('lists documents with what agents may do, and opens them by keyboard', async () => {
    const { page, open } = dashboard()
    await open('/documents')
    await page.getByRole('link', { name: 'Checks' }).waitFor()
    expect(await page.getByText('Built-in text').count()).toBe(4)
    await examine(dashboard(), 'documents')
    for (const key of ['j', 'j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor()
  })

  it.each(['planning', 'incident', 'handoff', 'deep', 'minimal', 'none', 'default'])(
    'says which documents a session starts with in mode %s, as session-start does',
    async (defaultMode) => {
      const { page, open, owner, agent } = dashboard()
      await patch('/api/settings', { vaultId: owner.vaultId, settings: { defaultMode } })
      const { documents } = await agent('session-start', { agentId: 'codex', maxResponseChars: 100_000 })
      const included = (documents as { documentType: string }[]).map(({ documentType }) => documentType)
      await open('/documents')
      const atStart = page.getByRole('row').filter({ hasText: 'When a session starts' }).getByRole('link')
      await expect
        .poll(async () => (await atStart.allTextContents()).map((title) => title.toLowerCase()).toSorted())
        .toEqual(included.toSorted())
    },
  )

  it('starts a text from the template, previews and saves it', async () => {
    const { page, open } = dashboard()
    await open('/documents/checks')
    await page.getByRole('button', { name: 'Start from template' }).click()
    await page.getByRole('button', { name: 'Discard' }).waitFor()
    await field().fill(checks)
    await page.getByRole('heading', { name: 'Before a release' }).waitFor()
    await page.getByRole('link', { name: 'All documents' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await examine(dashboard(), 'document')
    await field().press('Control+s')
    await page.getByText('Saved', { exact: true }).waitFor()
    await page.getByRole('tab', { name: 'What agents see' }).click()
    await page.getByText('This vault’s text.').waitFor()
    await examine(dashboard(), 'document-agents')
    expect(await page.getByRole('group', { name: /^Text for agents/ }).textContent()).toBe(checks)
    await page.getByRole('tab', { name: 'Text' }).click()
  })

  it('does not overwrite an agent’s change', async () => {
    const { page } = dashboard()
    await field().fill(`${checks}\n3. Have a coffee.`)
    await update('4. Look at the weather.', 'append')
    await save().click()
    await page.getByText('Changed by someone else').waitFor()
    await page.getByText('4. Look at the weather.').first().waitFor()
    expect(await field().inputValue()).toContain('Have a coffee')
    await examine(dashboard(), 'document-conflict')
    await page.getByRole('button', { name: 'Keep my changes' }).click()
    await save().click()
    await page.getByText('Changed by someone else').waitFor({ state: 'detached' })
  })

  it('compares versions with the current text and restores one', async () => {
    const { page } = dashboard()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByText('Version 2', { exact: true }).waitFor()
    await page.getByText(/^By you and agents,/).waitFor()
    await page.getByText(/Version 2, by codex \(key: Scout\),/).waitFor()
    await page.getByRole('button', { name: 'Compare with current' }).first().click()
    const diff = page.getByRole('group', { name: 'Changes since version 2' })
    await diff.getByText('4. Look at the weather.').waitFor()
    expect(await diff.textContent()).toContain('Have a coffee')
    await examine(dashboard(), 'document-versions')
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText('Version 2 restored').waitFor()
    await page.getByText('Same text as the current version.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Version 4', { exact: true }).waitFor()
  })

  it('locks a document for agents, or lets them only append', async () => {
    const { page } = dashboard()
    await page.getByRole('switch', { name: 'Append only' }).click()
    await page.getByText('Agents can only append').waitFor()
    await expect(update('Mine alone')).rejects.toThrow('403')
    await update('5. Go home.', 'append')
    await page.getByRole('switch', { name: 'Agents can edit' }).click()
    await page.getByText('Locked for agents').waitFor()
    await expect(update('6. Stay.', 'append')).rejects.toThrow('403')
    await page.getByRole('switch', { name: 'Append only' }).waitFor({ state: 'detached' })
  })

  it('has texts for all vaults, in a list that the keyboard reaches', async () => {
    const { page, open } = dashboard()
    await open('/documents')
    await page.getByRole('radio', { name: 'This vault' }).press('ArrowRight')
    await page.getByText('in all of your vaults').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/\/documents\/all$/)
    // Keyboard users keep their focus.
    expect(
      await page.getByRole('radio', { name: 'All vaults' }).evaluate((one) => one === document.activeElement),
    ).toBe(true)
    await expect.poll(() => page.getByText('No text yet').count()).toBe(4)
    await examine(dashboard(), 'documents-all')
    await page.getByRole('link', { name: 'Skills' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skills for all vaults' }).waitFor()
    await forAll().fill(ropes)
    await page.getByRole('link', { name: 'this vault’s document' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).getByRole('button', { name: 'Stay' }).click()
    await examine(dashboard(), 'document-all')
    await forAll().press('Control+s')
    await saved()
  })

  it('shows in the vault how the text for all vaults is used, and both texts combined', async () => {
    const { page } = dashboard()
    await page.getByRole('link', { name: 'this vault’s document' }).click()
    await page.getByText('is used because this vault has no text').waitFor()
    await page.getByText('Your text for all vaults, which comes before this one').waitFor()
    await field().fill('## Moor at the north pier')
    const before = page.getByRole('region', { name: 'For all vaults' })
    await before.getByText('Coil it clockwise.').waitFor()
    await save().click()
    await saved()
    await page.getByText('comes before this text').waitFor()
    await examine(dashboard(), 'document-inherited')
    await page.getByRole('tab', { name: 'What agents see' }).click()
    const both = `${ropes}\n## Moor at the north pier`
    expect(await page.getByRole('group', { name: /^Text for agents/ }).textContent()).toBe(both)
    const { agent, owner } = dashboard()
    const read = await agent('read-document', { documentType: 'skills', vaultId: owner.vaultId })
    expect(read).toMatchObject({ content: both })
    await page.getByRole('link', { name: 'Your text for all vaults' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skills for all vaults' }).waitFor()
  })

  it('does not overwrite a change to a text for all vaults', async () => {
    const { page } = dashboard()
    await forAll().fill(`${ropes}\nNever coil it wet.`)
    await elsewhere(`${ropes}\nDry it first.`)
    await save().click()
    await page.getByText('Changed by someone else').waitFor()
    await page.getByRole('alert').getByText('Dry it first.').waitFor()
    expect(await forAll().inputValue()).toContain('Never coil it wet.')
    await examine(dashboard(), 'document-all-conflict')
    await page.getByRole('button', { name: 'Keep my changes' }).click()
    await save().click()
    await saved()
  })

  it('restores versions of a text for all vaults, and removes it when saved empty', async () => {
    const { page } = dashboard()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Compare with current' }).first().click()
    await page.getByRole('group', { name: 'Changes since version 2' }).getByText('Dry it first.').waitFor()
    await examine(dashboard(), 'document-all-versions')
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText('Same text as the current version.').waitFor()
    await page.getByRole('tab', { name: 'Text' }).click()
    expect(await forAll().inputValue()).toContain('Dry it first.')
    await forAll().fill('')
    await save().click()
    await page.getByText('Text removed').waitFor()
    await page.getByRole('heading', { name: 'Built-in text' }).waitFor()
    await page.getByRole('link', { name: 'this vault’s document' }).click()
    await page.getByText('You have no text for all vaults.').waitFor()
    await page.getByRole('link', { name: 'Write one' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skills for all vaults' }).waitFor()
  })
})
