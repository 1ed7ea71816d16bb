import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { ask } from './server.ts'

describeDashboard('activity', {}, (dashboard) => {
  const table = () => dashboard().page.getByRole('table', { name: 'Activity' })

  it('lists what agents and people do, live', async () => {
    const { agent, mine, owner, open } = dashboard()
    const { memoryId } = await agent('write-memory', { content: 'Ferries leave at noon.' })
    await agent('create-note', { title: 'Timetable' })
    await agent('search-memories', { query: 'ferry' })
    await agent('search-memories', { query: 'ferry' })
    await agent('session-track', { agentRunId: 'night-shift' })
    await mine('/api/memories/archive', { vaultId: owner.vaultId, ids: [memoryId] })
    await open('/activity')
    await table().getByRole('button', { name: 'Wrote a memory' }).waitFor()
    await table().getByText('Searched memories').waitFor()
    await table().getByText('2 times').waitFor()
    await table()
      .getByText(/^(Today|Yesterday)$/)
      .first()
      .waitFor()
    const written = table().getByRole('row').filter({ hasText: 'Wrote a memory' })
    const link = written.getByRole('link', { name: 'Ferries leave at noon.' })
    expect(await link.getAttribute('href')).toContain(`/memories/${String(memoryId)}`)
    await examine(dashboard(), 'activity')
    await agent('create-task', { title: 'Paint the pier' })
    await table().getByRole('button', { name: 'Created a task' }).waitFor()
  })

  it('hides heartbeats until they are switched on', async () => {
    const { page } = dashboard()
    const heartbeat = table().getByRole('button', { name: 'Sent a heartbeat' })
    expect(await heartbeat.count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Include heartbeats' }).check()
    await heartbeat.waitFor()
    await page.waitForURL(/heartbeats=true/)
    await page.getByRole('checkbox', { name: 'Include heartbeats' }).uncheck()
    await heartbeat.waitFor({ state: 'hidden' })
  })

  it('shows an entry’s details and the activity of its record, by keyboard', async () => {
    const { page } = dashboard()
    await page.getByRole('combobox', { name: 'Actions', exact: true }).click()
    await page.getByRole('option', { name: 'Changes' }).click()
    await expect.poll(() => table().getByText('Searched').count()).toBe(0)
    await page.locator('h1').click()
    for (const _ of [1, 2]) await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    const details = page.getByRole('dialog')
    await details.getByText('127.0.0.1').waitFor()
    await examine(dashboard(), 'activity-details')
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })
    await table().getByRole('button', { name: 'Wrote a memory' }).click()
    await details.getByRole('button', { name: 'All activity for this record' }).click()
    await page.getByRole('button', { name: /^One record/ }).waitFor()
    await table().getByText('Archived memories').waitFor()
    // The heads of the columns, the day, and two entries.
    await expect.poll(() => table().getByRole('row').count()).toBe(4)
  })

  it('shows failed calls, and clears its filters', async () => {
    const { page, server, owner } = dashboard()
    await page.getByRole('button', { name: 'Clear all' }).click()
    const missing = { memoryId: owner.vaultId, content: 'x' }
    await expect(ask(server, owner.agentKey, '/api/agent/update-memory', missing)).rejects.toThrow('404')
    await page.getByLabel('Failed only').check()
    await table().getByText('Not found').waitFor()
    await page.getByRole('radiogroup', { name: 'Time' }).getByText('Today').click()
    await table().getByText('Not found').waitFor()
    await page.getByRole('combobox', { name: 'Actions', exact: true }).click()
    await page.getByRole('option', { name: 'Exports' }).click()
    await page.getByText('No activity in the last 90 days matches').waitFor()
    await examine(dashboard(), 'activity-nothing')
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await table().getByRole('button', { name: 'Wrote a memory' }).waitFor()
  })

  it('saves entries as a CSV file', async () => {
    const { page } = dashboard()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('holdfast-activity.csv')
    const text = await readFile(await download.path(), 'utf8')
    expect(text).toContain('write-memory')
    expect(text).toContain('Ferries leave at noon.')
  })
})
