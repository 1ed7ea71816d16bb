import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

const runbook = `# Runbook

What to do when the departure board stays dark, by whoever is on duty.

## First

- [x] Look whether the **pier switch** has power
- [ ] Restart the board: \`make board-restart\`
- [ ] Tell the [[Duty roster]], see [[Duty roster#Nights|nights]]

## If that does not help

> Roll back first and ask later.

\`\`\`sh
make deploy ENV=production TAG=previous
\`\`\`

Then write to *everybody*, and note it in the [[Harbour diary]]. #operations #board`

const hours = Array.from({ length: 8 }, (_, at) => `- ${at + 8}:15 from the north pier`).join('\n')
const timetable = `Winter and summer.\n\n${hours}\n\nThe Runbook says what to do on dark mornings.`

describeDashboard('notes', {}, (dashboard) => {
  const ids = new Map<string, string>()
  const write = async (title: string, content: string, more: object = {}) => {
    const { noteId } = (await dashboard().agent('create-note', { title, content, ...more })) as { noteId: string }
    ids.set(title, noteId)
  }
  const idOf = (title: string) => ids.get(title) ?? ''
  const stored = async (title: string) =>
    (await dashboard().agent('read-note', { noteId: idOf(title) }))['note'] as {
      title: string
      content: string
      tags: string[]
      folderPath: string | null
      status: string
    }
  const text = () => dashboard().page.getByRole('textbox', { name: 'Text of the note' })
  const rows = () => dashboard().page.getByRole('list', { name: 'Notes', exact: true }).getByRole('listitem')
  /** In the list or the text, not among the tabs. */
  const link = (name: string) =>
    dashboard()
      .page.getByRole('link', { name, exact: true })
      .and(dashboard().page.locator(':not([aria-label="Open notes"] *)'))
  const saved = () => dashboard().page.locator('[data-save="saved"]').waitFor()
  const tab = (name: string) => dashboard().page.getByRole('tab', { name }).click()

  it('explain themselves while there are none, then let a person write the first', async () => {
    const { page, open } = dashboard()
    await open('/notes')
    await page.getByText('No notes yet').waitFor()
    await examine(dashboard(), 'notes-none')
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New note' })
    await form.getByRole('button', { name: 'Create note' }).click()
    await form.getByText('Enter a title.').waitFor()
    await form.getByLabel('Title').fill('Duty roster')
    await form.getByLabel('Folder').fill('Ferries/Crew')
    await form.getByRole('button', { name: 'Create note' }).click()
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Text of the note')
    await page.keyboard.type('# Nights\n\n- Mon Ingrid\nTue Olav #crew ')
    await saved()
    ids.set('Duty roster', new URL(page.url()).pathname.split('/').at(-1) ?? '')
    expect(await stored('Duty roster')).toMatchObject({
      content: '# Nights\n\n- Mon Ingrid\n- Tue Olav #crew ',
      tags: ['crew'],
      folderPath: 'Ferries/Crew',
    })
    await write('Runbook', runbook, { folderPath: 'Ferries', tags: ['operations'], agentId: 'claude-code' })
    await write('Timetable', timetable, {
      folderPath: 'Ferries/Plans',
    })
    await write('Winter service', 'Ice on the north pier: see the runbook first.', {
      folderPath: 'Ferries/Plans',
      tags: ['winter'],
    })
    await write('Café', 'Closed on Mondays, somebody said.', { agentId: 'scout' })
    await write('Old board', 'It was replaced. [[Runbook]] still names it, and the [[Runbook]] is right to.', {
      folderPath: 'Archive/2019/Boards',
    })
    await dashboard().agent('write-memory', {
      content: 'A dark departure board is restarted before anything else is tried.',
      sourceNoteIds: [idOf('Runbook')],
    })
  })

  it('are listed by folder, found by title and text, and selected by keys', async () => {
    const { page, open } = dashboard()
    await open('/notes')
    await link('Runbook').waitFor()
    expect(await rows().count()).toBe(6)
    await examine(dashboard(), 'notes')
    await page.keyboard.press('/')
    await page.keyboard.type('tim')
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByRole('button', { name: 'Clear the search' }).click()
    await page.getByRole('textbox', { name: 'Filter notes' }).fill('mornings')
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByRole('textbox', { name: 'Filter notes' }).fill('zeppelin')
    await page.getByText('No notes match this filter.').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('treeitem', { name: 'Recent' }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('treeitem', { name: '2019' }).waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => rows().count()).toBe(4)
    await page.getByRole('treeitem', { name: 'Unfiled' }).click()
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByRole('button', { name: 'Folder actions' }).click()
    await page.getByRole('menuitem', { name: 'New folder' }).click()
    await page.getByRole('dialog', { name: 'New folder' }).getByLabel('Name').fill('Drafts')
    await page.keyboard.press('Enter')
    await page.getByText('No notes in this folder.').waitFor()
    await page.getByRole('button', { name: 'Folder actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete Drafts' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete folder' }).click()
    await page.getByRole('treeitem', { name: 'Drafts' }).waitFor({ state: 'detached' })
    await page.getByRole('treeitem', { name: 'Unfiled' }).click()
    await expect.poll(() => rows().count()).toBe(1)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 note selected').waitFor()
    await page
      .getByRole('region', { name: 'Selected notes' })
      .getByRole('button', { name: 'Move', exact: true })
      .click()
    await page.getByRole('dialog', { name: 'Move 1 note' }).getByLabel('Folder').fill('Ferries/Crew')
    await page.keyboard.press('Enter')
    await page.getByText('1 note moved to Ferries/Crew').waitFor()
    expect((await stored('Café')).folderPath).toBe('Ferries/Crew')
  })

  it('complete links while typing, and follow them', async () => {
    const { page, open } = dashboard()
    await open('/notes')
    await link('Runbook').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('article').getByText('What to do when').waitFor()
    await page.keyboard.press('Control+e')
    await text().getByText('What to do when').waitFor()
    await text().locator('.cm-missing').getByText('Harbour diary').waitFor()
    await examine(dashboard(), 'note')
    await text().focus()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('\n\nIn ice: [[win')
    await page.getByRole('option', { name: /Winter service/ }).waitFor()
    // The list ignores keys for a moment after it appears, so Enter doesn't accept an option by accident.
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.type(', nights [[Duty roster#')
    await page.getByRole('option', { name: 'Nights' }).click()
    await page.keyboard.press('Control+s')
    await saved()
    expect((await stored('Runbook')).content).toMatch(/In ice: \[\[Winter service]], nights \[\[Duty roster#Nights]]$/)
    await text()
      .getByText('Winter service')
      .click({ modifiers: ['Control'] })
    await page.getByRole('heading', { name: 'Winter service', level: 1 }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Runbook', level: 1 }).waitFor()
    await text().getByText('Harbour diary').click()
    await page.keyboard.press('Control+Enter')
    const form = page.getByRole('dialog', { name: 'New note' })
    expect(await form.getByLabel('Title').inputValue()).toBe('Harbour diary')
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'detached' })
    await page.locator('.cm-box').nth(1).click()
    await expect.poll(async () => (await stored('Runbook')).content).toContain('- [x] Restart the board')
    await text().focus()
    await page.keyboard.press('Escape')
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('ARTICLE')
    await page.keyboard.press('Escape')
    await page.waitForURL(/\/notes(\?.*)?$/)
  })

  it('offer inserts after /, and link to memories', async () => {
    const { page, open, agent } = dashboard()
    await write('Morning', '')
    await open(`/notes/${idOf('Morning')}`)
    await text().focus()
    await page.keyboard.type('/')
    await page.getByRole('option', { name: /^Table/ }).waitFor()
    await examine(dashboard(), 'note-inserts')
    await text().focus()
    await page.keyboard.type('task')
    await page.getByRole('option', { name: /^Table/ }).waitFor({ state: 'detached' })
    await page.getByRole('option', { name: /^Task list/ }).waitFor()
    // As above.
    await page.waitForTimeout(150)
    await page.keyboard.press('Enter')
    await page.keyboard.type('Look at the board, see /memory')
    // Options from before the last keystroke are still visible but don't react to clicks.
    const offered = page.locator('.cm-tooltip-autocomplete:not(.cm-tooltip-autocomplete-disabled)')
    await offered.getByRole('option', { name: /^Link to a memory/ }).click()
    await offered.getByRole('option', { name: /^A dark departure board/ }).waitFor()
    await page.keyboard.type('restarted')
    await offered.getByRole('option', { name: /^A dark departure board/ }).click()
    await page.keyboard.type(' and/or wait')
    await page.keyboard.press('Control+s')
    await saved()
    const written =
      /^- \[ ] Look at the board, see \[\[memory:([0-9a-f-]{36})\|A dark departure board[^\]]*]] and\/or wait$/
    const { content } = await stored('Morning')
    const [, memoryId = content] = written.exec(content) ?? []
    const { links } = await agent('get-links', { nodeId: idOf('Morning'), nodeType: 'note' })
    expect(links).toMatchObject([{ targetId: memoryId, targetType: 'memory', relationType: 'wiki_link' }])
    await text()
      .locator('.cm-note-link')
      .first()
      .click({ modifiers: ['Control'] })
    await page.waitForURL(new RegExp(`/memories/${memoryId}`))
    await open(`/notes/${idOf('Morning')}?panel=graph`)
    await page.getByRole('img', { name: /^Graph of 2 nodes/ }).waitFor()
    const list = page.getByRole('list', { name: 'Linked records' })
    await list.getByRole('link', { name: /^A dark departure board/ }).waitFor()
    await page.locator('[data-settled="true"]').waitFor()
    await examine(dashboard(), 'note-graph')
    await page.getByRole('button', { name: 'Open in graph' }).click()
    await page.waitForURL(new RegExp(`/graph\\?from=.*${idOf('Morning')}`))
    await agent('delete-note', { noteId: idOf('Morning') })
  })

  it('are in folders that can be moved by keyboard, with their contents', async () => {
    const { page, open } = dashboard()
    await open('/notes')
    await page.getByRole('treeitem', { name: 'Archive' }).focus()
    await page.keyboard.press('m')
    const form = page.getByRole('dialog', { name: 'Move the folder Archive' })
    const into = form.getByRole('combobox', { name: 'Move to' })
    await into.waitFor()
    await examine(dashboard(), 'note-move-folder')
    await into.fill('plans')
    await page.getByRole('option', { name: 'Ferries/Plans' }).waitFor()
    expect(await page.getByRole('option', { name: 'Archive' }).count()).toBe(0)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect.poll(() => into.inputValue()).toBe('Ferries/Plans')
    await form.getByRole('button', { name: 'Move' }).click()
    await page.getByText('Folder moved to Ferries/Plans/Archive').waitFor()
    await form.waitFor({ state: 'detached' })
    await expect.poll(async () => (await stored('Old board')).folderPath).toBe('Ferries/Plans/Archive/2019/Boards')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await stored('Old board')).folderPath).toBe('Archive/2019/Boards')
    await page.getByRole('treeitem', { name: 'Ferries' }).click()
    await page.getByRole('button', { name: 'Folder actions' }).click()
    await page.getByRole('menuitem', { name: 'Move Ferries' }).click()
    await page.getByRole('dialog', { name: 'Move the folder Ferries' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('show their headings, backlinks, mentions, memories and versions', async () => {
    const { page, open } = dashboard()
    await open(`/notes/${idOf('Runbook')}`)
    await page.getByRole('button', { name: 'Show note details' }).click()
    await page.getByRole('navigation', { name: 'Headings' }).getByRole('button', { name: 'First' }).click()
    await page.getByRole('button', { name: 'Hide note details' }).click()
    await page.getByRole('button', { name: /^Linked from \d/ }).click()
    await page.getByText('[[Runbook]] still names it').waitFor()
    await tab('Unlinked mentions')
    await page.getByRole('button', { name: 'Link Timetable' }).waitFor()
    await page.getByRole('button', { name: 'Link all' }).click()
    await page.getByText('2 links added').waitFor()
    expect((await stored('Winter service')).content).toBe('Ice on the north pier: see the [[Runbook|runbook]] first.')
    await tab('Linked memories')
    await link('A dark departure board is restarted before anything else is tried.').waitFor()
    await tab('Versions')
    await page.getByRole('button', { name: 'Version 1' }).click()
    const compared = page.getByRole('dialog', { name: 'Version 1' })
    await compared.getByText('In ice:').waitFor()
    await compared.getByText('Written by ').waitFor()
    await examine(dashboard(), 'note-version')
    await compared.getByRole('button', { name: 'Restore this version' }).click()
    await page.getByText('Version 1 restored').waitFor()
    await expect.poll(async () => (await stored('Runbook')).content).toBe(runbook)
  })

  it('say who wrote them, also after an agent has changed a person’s text', async () => {
    const { page, open, mine, agent, owner } = dashboard()
    const byHand = await mine('/api/notes', {
      vaultId: owner.vaultId,
      title: 'House rules',
      content: 'No boats on Fridays.',
    })
    const { noteId } = byHand as { noteId: string }
    ids.set('House rules', noteId)
    await open(`/notes/${noteId}`)
    await page.getByText('By you,').waitFor()
    await agent('update-note', { noteId, content: 'Boats whenever you like.', agentId: 'codex' })
    await page.getByText('By you, changed by codex (key: Scout),').waitFor()
    await tab('Versions')
    const version = page.getByRole('button', { name: 'Version 1' })
    await version.getByText('by you,').waitFor()
    await examine(dashboard(), 'note-writers')
    await version.click()
    const compared = page.getByRole('dialog', { name: 'Version 1' })
    await compared.getByText('Written by you.').waitFor()
    await compared.getByRole('button', { name: 'Restore this version' }).click()
    await expect.poll(async () => (await stored('House rules')).content).toBe('No boats on Fridays.')
    await page.getByRole('article').getByText('No boats on Fridays.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await stored('House rules')).content).toBe('Boats whenever you like.')
    await page.getByText('By you, changed by codex (key: Scout),').waitFor({ state: 'detached' })
    await page.getByText('By you and agents,').waitFor()
  })

  it('are renamed together with the links to them', async () => {
    const { page, open } = dashboard()
    await open(`/notes/${idOf('Winter service')}`)
    await open(`/notes/${idOf('Runbook')}`)
    const title = page.getByRole('textbox', { name: 'Title' })
    await title.fill('Board runbook')
    await page.keyboard.press('Enter')
    const question = page.getByRole('dialog', { name: 'Rename note' })
    await question.getByText('3 notes link to “Runbook”').waitFor()
    await question.getByRole('button', { name: 'Rename and update links' }).click()
    await expect.poll(async () => (await stored('Old board')).content).toContain('[[Board runbook]]')
    await page.getByRole('heading', { name: 'Board runbook', level: 1 }).waitFor()
  })

  it('lose no text to a conflict or an unreachable server', async () => {
    const { page, open, agent } = dashboard()
    await open(`/notes/${idOf('Timetable')}?view=edit`)
    await text().click()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Mine first. ')
    await agent('update-note', { noteId: idOf('Timetable'), mode: 'append', content: '\n\nTheirs last.' })
    await page.getByText('Changed by someone else', { exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Mine' }).getByText('Mine first.').waitFor()
    await examine(dashboard(), 'note-conflict')
    await page.getByRole('button', { name: 'Use this passage' }).last().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Mine' }).getByText('Theirs last.').waitFor()
    await page.getByRole('button', { name: 'Save my text' }).click()
    await saved()
    const { content } = await stored('Timetable')
    expect([content.startsWith('Mine first. Winter'), content.endsWith('Theirs last.')]).toEqual([true, true])
    await page.context().setOffline(true)
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(' Written in the tunnel.')
    await page.locator('[data-save="retrying"]').waitFor()
    await link('Old board').click()
    await page.getByRole('textbox', { name: 'Title' }).waitFor({ state: 'detached' })
    const asked = page.waitForEvent('dialog')
    await page.evaluate(() => void setTimeout(() => location.reload()))
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await link('Timetable').click()
    await page.getByRole('article').getByText('Written in the tunnel.').waitFor()
    await page.context().setOffline(false)
    await saved()
    expect((await stored('Timetable')).content).toContain('Written in the tunnel.')
  })

  it('go to the trash and come back', async () => {
    const { page, open } = dashboard()
    await open(`/notes/${idOf('Café')}`)
    await page.getByRole('article').getByText('Closed on Mondays').waitFor()
    await page.getByRole('button', { name: 'Note actions' }).click()
    await page.getByRole('menuitem', { name: 'Move to trash' }).click()
    await page.getByText('1 note moved to trash').waitFor()
    expect((await stored('Café')).status).toBe('trashed')
    await page.getByRole('treeitem', { name: 'Trash' }).click()
    await link('Café').click()
    await page.getByText('This note is in the trash').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('1 note restored').waitFor()
    await expect.poll(async () => (await stored('Café')).status).toBe('active')
    for (const id of ['0198c5f0-0000-7000-8000-000000000201', 'not-an-id']) {
      await open(`/notes/${id}`)
      await page.getByText('Note not found.').waitFor()
    }
  })

  it('stay where someone has moved them since, when a move is undone', async () => {
    const { page, open, agent } = dashboard()
    const title = 'Winter service'
    await open(`/notes/${idOf(title)}`)
    await page.getByRole('article').getByText('Ice on the north pier').waitFor()
    await page.getByRole('button', { name: 'Note actions' }).click()
    await page.getByRole('menuitem', { name: 'Move to a folder' }).click()
    await page.getByRole('dialog', { name: 'Move the note' }).getByLabel('Folder').fill('Archive/Winter')
    await page.keyboard.press('Enter')
    await page.getByText('1 note moved to Archive/Winter').waitFor()
    await agent('move-note', { noteId: idOf(title), folderPath: 'Ferries/Crew' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`“${title}” has changed since.`).waitFor()
    expect((await stored(title)).folderPath).toBe('Ferries/Crew')
  })

  it('say so when the folder that a move came from is gone', async () => {
    const { page, open, agent, server, owner } = dashboard()
    await write('Lost oar', 'It floats.', { folderPath: 'Shed' })
    await open(`/notes/${idOf('Lost oar')}`)
    await page.getByRole('article').getByText('It floats.').waitFor()
    await page.getByRole('button', { name: 'Note actions' }).click()
    await page.getByRole('menuitem', { name: 'Move to a folder' }).click()
    await page.getByRole('dialog', { name: 'Move the note' }).getByLabel('Folder').fill('Ferries/Crew')
    await page.keyboard.press('Enter')
    await page.getByText('1 note moved to Ferries/Crew').waitFor()
    const headers = { Authorization: `Bearer ${owner.dashboardToken}` }
    const { folders } = (await agent('list-folders', {})) as { folders: { id: string; path: string }[] }
    const shed = folders.find(({ path }) => path === 'Shed')?.id ?? ''
    const url = `${server.url}/api/folders?vaultId=${owner.vaultId}&folderId=${shed}`
    expect((await fetch(url, { method: 'DELETE', headers })).status).toBe(200)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('“Lost oar” couldn’t be undone: Its former folder no longer exists.').waitFor()
  })

  it('come back from the trash as far as they can, when moving several there is undone', async () => {
    const { page, open, mine, owner } = dashboard()
    for (const title of ['Pebble one', 'Pebble two', 'Pebble three']) await write(title, 'Round.')
    await open('/notes?q=Pebble')
    for (const title of ['Pebble one', 'Pebble two', 'Pebble three'])
      await page.getByRole('checkbox', { name: `Select ${title}` }).check()
    await page.getByRole('button', { name: 'Move to trash' }).click()
    await page.getByText('3 notes moved to trash').waitFor()
    await mine('/api/notes/erase', { vaultId: owner.vaultId, noteId: idOf('Pebble two') })
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 undone. “Pebble two” no longer exists.').waitFor()
    for (const title of ['Pebble one', 'Pebble three']) expect((await stored(title)).status).toBe('active')
  })
})
