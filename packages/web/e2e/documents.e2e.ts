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
  const elsewhere = async (content: string) => {
    const { server, owner } = dashboard()
    const { ok } = await fetch(`${server.url}/api/documents/defaults`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.dashboardToken}` },
      body: JSON.stringify({ documentType: 'skills', content }),
    })
    expect(ok).toBe(true)
  }
  const update = (content: string, mode = 'replace') =>
    dashboard().agent('update-document', {
      documentType: 'checks',
      vaultId: dashboard().owner.vaultId,
      content,
      mode,
      agentId: 'codex',
    })

  it('are listed with who may change them, and opened by keys', async () => {
    const { page, open } = dashboard()
    await open('/documents')
    await page.getByRole('link', { name: 'Checks' }).waitFor()
    expect(await page.getByText('As shipped').count()).toBe(4)
    await examine(dashboard(), 'documents')
    for (const key of ['j', 'j', 'j', 'j', 'Enter']) await page.keyboard.press(key)
    await page.getByRole('heading', { level: 1, name: 'Checks' }).waitFor()
  })

  it('are begun from their template, written beside their preview, and saved', async () => {
    const { page } = dashboard()
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
    await page.getByText('What this vault says.').waitFor()
    await examine(dashboard(), 'document-agents')
    expect(await page.getByRole('group', { name: /^As agents read it/ }).textContent()).toBe(checks)
    await page.getByRole('tab', { name: 'Text' }).click()
  })

  it('are not overwritten where an agent was faster', async () => {
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

  it('keep what they were, compared with now and restored', async () => {
    const { page } = dashboard()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByText('Version 2', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Compare with now' }).first().click()
    const diff = page.getByRole('group', { name: 'From version 2 to now' })
    await diff.getByText('4. Look at the weather.').waitFor()
    expect(await diff.textContent()).toContain('Have a coffee')
    await examine(dashboard(), 'document-versions')
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText('Version 2 holds again').waitFor()
    await page.getByText('Same text as the current version.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Version 4', { exact: true }).waitFor()
  })

  it('are locked for agents, or only to be added to', async () => {
    const { page } = dashboard()
    await page.getByRole('switch', { name: 'Only add to it' }).click()
    await page.getByText('Agents may only add to it').waitFor()
    await expect(update('Mine alone')).rejects.toThrow('403')
    await update('5. Go home.', 'append')
    await page.getByRole('switch', { name: 'Agents may change it' }).click()
    await page.getByText('Locked for agents').waitFor()
    await expect(update('6. Stay.', 'append')).rejects.toThrow('403')
    await page.getByText('Locked: people alone do').waitFor()
  })

  it('are written for all vaults as well, in a list of their own that keys lead to', async () => {
    const { page, open } = dashboard()
    await open('/documents')
    await page.getByRole('radio', { name: 'This vault' }).press('ArrowRight')
    await page.getByText('in whichever of your vaults it works').waitFor()
    expect(new URL(page.url()).pathname).toBe('/documents/all')
    // Whoever moves by keys stays where they were.
    expect(
      await page.getByRole('radio', { name: 'All vaults' }).evaluate((one) => one === document.activeElement),
    ).toBe(true)
    await expect.poll(() => page.getByText('Nothing yet').count()).toBe(4)
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

  it('are inherited: the vault says so, leads there, and shows both put together', async () => {
    const { page } = dashboard()
    await page.getByRole('link', { name: 'this vault’s document' }).click()
    await page.getByText('is used, because this vault has none of its own').waitFor()
    await page.getByText('Yours for all vaults, which comes before what you write here').waitFor()
    await field().fill('## Moor at the north pier')
    const before = page.getByRole('region', { name: 'For all vaults' })
    await before.getByText('Coil it clockwise.').waitFor()
    await save().click()
    await saved()
    await page.getByText('comes before this text').waitFor()
    await examine(dashboard(), 'document-inherited')
    await page.getByRole('tab', { name: 'What agents see' }).click()
    const both = `${ropes}\n## Moor at the north pier`
    expect(await page.getByRole('group', { name: /^As agents read it/ }).textContent()).toBe(both)
    const { agent, owner } = dashboard()
    const read = await agent('read-document', { documentType: 'skills', vaultId: owner.vaultId })
    expect(read).toMatchObject({ content: both })
    await page.getByRole('link', { name: 'What you have written for all vaults' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skills for all vaults' }).waitFor()
  })

  it('for all vaults are not overwritten where another page was faster', async () => {
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

  it('for all vaults keep what they were, and are taken away by saving nothing', async () => {
    const { page } = dashboard()
    await page.getByRole('tab', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Compare with now' }).first().click()
    await page.getByRole('group', { name: 'From version 2 to now' }).getByText('Dry it first.').waitFor()
    await examine(dashboard(), 'document-all-versions')
    await page.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText('Same text as the current version.').waitFor()
    await page.getByRole('tab', { name: 'Text' }).click()
    expect(await forAll().inputValue()).toContain('Dry it first.')
    await forAll().fill('')
    await save().click()
    await page.getByText('Taken away').waitFor()
    await page.getByText('As shipped: what a vault without any text has').waitFor()
    await page.getByRole('link', { name: 'this vault’s document' }).click()
    await page.getByText('You have written nothing for all vaults.').waitFor()
    await page.getByRole('link', { name: 'Write it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Skills for all vaults' }).waitFor()
  })
})
