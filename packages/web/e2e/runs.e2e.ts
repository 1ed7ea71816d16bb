import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

describeDashboard('runs', {}, (dashboard) => {
  const rows = () => dashboard().page.getByRole('table', { name: 'Runs' }).locator('tbody tr:has(td)')
  const calls = () => dashboard().page.getByRole('list', { name: 'Calls' }).locator('> li')

  /** Ignores errors: some of these calls fail on purpose. */
  const tryTo = (operation: string, input: object) =>
    dashboard()
      .agent(operation, input)
      .catch(() => undefined)

  async function workInRuns() {
    const { agent, owner, server } = dashboard()
    const { memoryId: old } = await agent('write-memory', {
      content: 'Route 7 runs every forty minutes in winter.',
      agentId: 'codex',
    })
    const { noteId } = await agent('create-note', {
      title: 'Boards of the north pier',
      content: 'Three, all of oak.',
      agentId: 'codex',
    })
    const good = { agentId: 'codex', agentRunId: 'timetable-2026-11-20', modelId: 'gpt-6' }
    await agent('session-start', good)
    await agent('search-memories', { query: 'route 7', ...good })
    await agent('context-checkpoint', {
      memories: [{ content: 'The winter timetable begins on the fourth of November.' }],
      sessionSummary: 'Moved the winter timetable into routes.toml; the north pier still shows the old one.',
      ...good,
    })
    await agent('session-track', { event: 'end', ...good })
    const bad = { agentId: 'scout', agentRunId: 'night-shift', modelId: 'opus-5' }
    await agent('session-track', { event: 'start', currentActivity: 'Tidying up the timetable', ...bad })
    await agent('write-memory', {
      content: 'Route 7 does not run in winter at all.',
      memoryType: 'correction',
      supersededById: old,
      ...bad,
    })
    await agent('write-memory', { content: 'Nobody reads the board at the south pier.', ...bad })
    await agent('create-task', { title: 'Take down the board at the south pier', ...bad })
    await agent('create-note', { title: 'Boards to take down', content: 'South pier.', ...bad })
    const { memoryId: kept } = await agent('write-memory', { content: 'The ticket office opens at nine.', ...bad })
    await fetch(`${server.url}/api/memories`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.dashboardToken}` },
      body: JSON.stringify({ vaultId: owner.vaultId, memoryId: kept, content: 'The ticket office opens at ten.' }),
    })
    await agent('update-note', { noteId, content: 'None.', ...bad })
    await agent('send-message', { targetId: '*', content: 'The board at the south pier goes.', ...bad })
    await tryTo('search-memories', { query: '', ...bad })
    await tryTo('read-note', { noteId: old, ...bad })
    return { old: String(old) }
  }

  it('the empty state says how to get runs', async () => {
    const { page, open } = dashboard()
    await open('/runs')
    await page.getByText('No runs yet').waitFor()
    await examine(dashboard(), 'runs-none')
  })

  it('the list shows activity, takes its filter from the URL, and works by keyboard', async () => {
    const { page, open } = dashboard()
    await workInRuns()
    await open('/')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL(/\/runs$/)
    await expect.poll(() => rows().count()).toBe(2)
    await page
      .getByRole('table', { name: 'Runs' })
      .getByText(/^(Today|Yesterday)$/)
      .first()
      .waitFor()
    expect(await rows().first().textContent()).toContain('Tidying up the timetable')
    expect(await rows().first().textContent()).toContain('3 memories, 1 task, 1 note')
    expect(await rows().first().textContent()).toContain('2 errors')
    // Reads, writes and errors add up to the calls.
    const count = rows().first().locator('td').last()
    expect(await count.textContent()).toBe('9')
    expect(await count.getAttribute('title')).toBe('0 reads, 7 writes, 2 errors')
    // What the run says that it did, and when.
    const done = rows().nth(1)
    await done.getByRole('link', { name: /^Moved the winter timetable into routes.toml/ }).waitFor()
    expect(await done.textContent()).toContain('2 memories')
    expect(await done.textContent()).not.toContain('error')
    expect(await done.locator('time').last().textContent()).toMatch(/ago|just now/)
    await examine(dashboard(), 'runs')
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'With errors' }).click()
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByRole('button', { name: 'Clear all' }).click()
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByRole('option', { name: /^codex/ }).click()
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'Checkpoint saved' }).click()
    await page.waitForURL(/outcome=/)
    await page.reload()
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'No checkpoint' }).click()
    await page.getByText('No runs match this filter.').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await expect.poll(() => rows().count()).toBe(2)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'The ticket office opens at ten' }).waitFor()
  })

  it('a run shows its calls and memories', async () => {
    const { page } = dashboard()
    await page.getByText('9, 2 errors').waitFor()
    await page.getByText('No conversation recorded.').waitFor()
    await page.getByRole('link', { name: 'Take down the board at the south pier' }).first().waitFor()
    await expect.poll(() => calls().count()).toBe(9)
    expect(await calls().first().textContent()).toContain('404 Not found')
    expect(await calls().nth(1).textContent()).toContain('400 Invalid fields')
    await examine(dashboard(), 'run')
  })

  it('a run links to lists of its records, filtered until the filter is cleared', async () => {
    const { page } = dashboard()
    await page.getByRole('link', { name: 'Show in Tasks' }).click()
    const chip = page.getByRole('button', { name: 'Clear the filter by run night-shift' })
    await chip.waitFor()
    await page.getByRole('link', { name: 'Take down the board at the south pier' }).waitFor()
    await page.goBack()
    await page.getByRole('link', { name: 'Show in Memories' }).click()
    await chip.waitFor()
    const memories = page.getByRole('table', { name: 'Memories' }).locator('tbody tr')
    await expect.poll(() => memories.count()).toBe(4)
    await examine(dashboard(), 'memories-of-run')
    await chip.click()
    await expect.poll(() => memories.count()).toBeGreaterThan(4)
    expect(await chip.count()).toBe(0)
    await page.goBack()
    await page.getByRole('heading', { name: 'The ticket office opens at ten' }).waitFor()
  })

  it('undoing a run shows a preview, and skips records that were changed since', async () => {
    const { page, open } = dashboard()
    await page.getByRole('button', { name: 'Undo this run’s writes' }).waitFor()
    await page.keyboard.press('u')
    const question = page.getByRole('dialog', { name: 'Undo this run’s writes' })
    await question.getByText('Removes 4 records that the run created').waitFor()
    await question.getByText('Restores the text of 1 record').waitFor()
    await question.getByRole('group', { name: 'Texts to restore' }).getByText('Boards of the north pier').waitFor()
    await question.getByText('changed since by you').waitFor()
    await question.getByText('sent a message (once)').waitFor()
    await examine(dashboard(), 'run-undo')
    const confirm = question.getByRole('button', { name: 'Undo changes to 5 records' })
    await expect.poll(() => confirm.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await question
      .getByText('3 memories archived, 1 note moved to trash, 1 record active again, 1 earlier text restored')
      .waitFor()
    const unchanged = question.getByRole('group', { name: 'Not undone' })
    await unchanged.getByText('changed since by you').waitFor()
    await examine(dashboard(), 'run-undone')
    const link = unchanged.getByRole('link', { name: 'The ticket office opens at ten.' })
    expect(await link.getAttribute('href')).toMatch(/\/memories\/[\da-f-]{36}$/)
    await question.getByRole('button', { name: 'Close' }).last().click()
    const found = await dashboard().agent('search-memories', { query: 'route 7 winter' })
    expect(JSON.stringify(found)).toContain('every forty minutes')
    expect(JSON.stringify(found)).not.toContain('at all')
    await expect.poll(() => page.getByText('Inactive', { exact: true }).count()).toBeGreaterThanOrEqual(3)
    await open('/runs/0198c5f0-0000-7000-8000-000000000001')
    await page.getByText('Run not found in this vault.').waitFor()
  })

  it('a run can be undone from the list, with the mouse or by keyboard', async () => {
    const { page, open, agent } = dashboard()
    for (const run of ['by-mouse', 'by-key'])
      await agent('write-memory', { content: `The board was moved ${run}.`, agentId: 'codex', agentRunId: run })
    await open('/runs')
    const dialog = page.getByRole('dialog', { name: 'Undo this run’s writes' })
    for (const [run, undo] of [
      ['by-mouse', () => page.getByRole('button', { name: 'Undo the writes of The board was moved by-mouse' }).click()],
      ['by-key', () => page.keyboard.press('u')],
    ] as const) {
      await page.getByRole('link', { name: `The board was moved ${run}` }).focus()
      await undo()
      await dialog.getByText(`The board was moved ${run}.`).waitFor()
      await dialog.getByRole('button', { name: 'Undo changes to 1 record' }).press('Enter')
      await dialog.getByText('1 memory archived').waitFor()
      expect(new URL(page.url()).pathname).toMatch(/\/runs$/)
      await page.keyboard.press('Escape')
      const row = page.getByRole('link', { name: `The board was moved ${run}` })
      await expect.poll(() => row.evaluate((link) => link === document.activeElement)).toBe(true)
    }
  })

  const turns = () => dashboard().page.getByRole('list', { name: 'Turns' }).locator('> li')
  const say = (content: string, role = 'user') =>
    dashboard().agent('ingest-turn', {
      content,
      role,
      agentId: 'codex',
      agentRunId: 'timetable-2026-11-20',
    })

  it('a run shows its conversation, with long turns folded, and the memories from it', async () => {
    const { page, open } = dashboard()
    const hostile = '<img src="x" onerror="alert(1)"> [read on](https://example.org/)'
    await say('I prefer times of twenty-four hours. Never change the timetable on a Friday.')
    await say(
      `${hostile}\nWhat stands in routes.toml:\n${'pier = "north", every = 40\n'.repeat(220)}The end of it.`,
      'assistant',
    )
    await say('Thanks!')
    await open('/runs')
    await page.getByRole('link', { name: /^Moved the winter timetable/ }).click()
    await page.getByRole('heading', { name: /^Moved the winter timetable/ }).waitFor()
    await expect.poll(() => turns().count()).toBe(3)
    const [first, long, last] = [turns().first(), turns().nth(1), turns().nth(2)]
    expect(await first.textContent()).toMatch(/^User/)
    expect(await long.textContent()).toMatch(/^codex/)
    expect(await long.textContent()).toContain(hostile)
    expect(await first.getByText('Remembered 2').count()).toBe(1)
    expect(await turns().locator('img').count()).toBe(0)
    expect(await turns().getByRole('link').count()).toBe(2)
    expect(await last.textContent()).not.toMatch(/remember/i)
    expect(await long.getByText('The end of it.').count()).toBe(0)
    await examine(dashboard(), 'run-turns')
    await long.getByRole('button', { name: 'Show all' }).click()
    await long.getByText('The end of it.').waitFor()
    await long.getByRole('button', { name: 'Show less' }).click()
    await long.getByText('The end of it.').waitFor({ state: 'hidden' })
  })

  it('new turns appear, and more load on demand', async () => {
    const { page } = dashboard()
    await say('One more thing.')
    await expect.poll(() => turns().count(), { timeout: 30_000 }).toBe(4)
    for (let count = 5; count <= 23; count++) await say(`Turn number ${count}`)
    const more = page.getByRole('button', { name: 'Show more (23 in total)' })
    await more.waitFor()
    // News of the last calls may arrive meanwhile and reload the list from its start.
    const asked = async () => {
      if ((await more.count()) > 0) await more.click({ timeout: 3_000 }).catch(() => {})
      return turns().count()
    }
    await expect.poll(asked, { timeout: 30_000 }).toBe(23)
    expect(await turns().last().textContent()).toContain('Turn number 23')
  })

  it('a memory links to the run it came from', async () => {
    const { page } = dashboard()
    await turns().first().getByRole('link', { name: 'Never change the timetable on a Friday.' }).click()
    await page.getByRole('link', { name: 'open run' }).scrollIntoViewIfNeeded()
    await examine(dashboard(), 'memory-of-turn')
    await page.getByRole('link', { name: 'open run' }).click()
    await page.getByRole('heading', { name: /^Moved the winter timetable/ }).waitFor()
    await expect.poll(() => turns().count()).toBeGreaterThan(0)
  })

  it('a turn can be deleted permanently, alone or with a memory that was found in it', async () => {
    const { page } = dashboard()
    const dialog = page.getByRole('dialog')
    await turns().nth(2).getByText('Thanks!').waitFor()
    await turns().nth(2).getByRole('button', { name: 'Delete the turn' }).press('Enter')
    await dialog.getByRole('button', { name: 'Delete permanently' }).press('Enter')
    await page.getByText('Turn deleted permanently').waitFor()
    await page.getByText('Thanks!').waitFor({ state: 'hidden' })

    await turns().first().getByRole('link', { name: 'Never change the timetable on a Friday.' }).click()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await dialog.getByText('I prefer times of twenty-four hours.').waitFor()
    expect(await dialog.getByRole('checkbox', { name: 'Also delete the turn of a conversation' }).isChecked()).toBe(
      true,
    )
    await examine(dashboard(), 'erase-memory-of-turn')
    await dialog.getByRole('textbox', { name: 'Type delete' }).fill('delete')
    await page.keyboard.press('Enter')
    await page.getByText('Deleted permanently, with 1 turn').waitFor()
  })
})
