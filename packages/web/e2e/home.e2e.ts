import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories } from './remembered.ts'
import { intercept } from './intercept.ts'

describeDashboard('the home page', {}, (dashboard) => {
  it('shows the setup steps that are left', async () => {
    const { page, open } = dashboard()
    await open('/')
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    await page.getByText('1 of 3 done').waitFor()
    // Before anything has happened, there is only how to start.
    expect(await page.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['Getting started'])
    await examine(dashboard(), 'home-new')
    await page.getByRole('link', { name: 'Store a memory' }).click()
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })

  it('shows counts, active agents and what needs attention', async () => {
    const { page, open, agent, mine, owner } = dashboard()
    await rememberStories(dashboard())
    await agent('session-start', { agentId: 'scout', agentRunId: 'run-scout-2' })
    await agent('send-message', {
      targetId: 'user',
      category: 'question',
      title: 'Fares',
      content: 'Which fare holds?',
    })
    const expiresAt = new Date(Date.now() + 5 * 86_400_000).toISOString()
    await mine('/api/keys', { integrationId: owner.integrationId, label: 'On the old laptop', expiresAt })
    await open('/')
    await page.getByRole('link', { name: /^Memories 16 16 new in 7 days/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'Getting started' }).count()).toBe(0)
    const table = page.getByRole('table', { name: 'Agents today' })
    expect(await table.getByRole('row', { name: /^scout/ }).textContent()).toMatch(/^scout82/)
    await page.getByText('1 message to acknowledge').waitFor()
    await page.getByText('No backups yet.').waitFor()
    await page.getByRole('heading', { name: 'Latest memories' }).waitFor()
    await page
      .getByRole('region', { name: 'Last 30 days' })
      .getByText(/^Written in (?:this vault in )?30 days [1-9]/)
      .waitFor()
    const active = page.getByRole('list', { name: 'Active runs' }).getByRole('listitem')
    await expect.poll(() => active.count()).toBeGreaterThan(0)
    await page.getByRole('link', { name: 'On the old laptop' }).waitFor()
    await page.getByText('Everything is indexed').waitFor()
    await examine(dashboard(), 'home')
    await table.getByRole('link', { name: 'codex' }).click()
    await page.waitForURL(/\/memories\?agent=codex/)
  })

  it('acknowledges messages, decides review items and backs up in place, and shows new runs and memories live', async () => {
    const { page, open, agent } = dashboard()
    await open('/')
    const waiting = page.getByRole('listitem')
    await waiting.filter({ hasText: 'Which fare holds?' }).getByRole('button', { name: 'Acknowledge' }).click()
    await page.getByText('1 message acknowledged').waitFor()
    await expect.poll(() => waiting.filter({ hasText: 'Which fare holds?' }).count()).toBe(0)
    // The report may disappear before the list of backups is there, which must not cost the answer.
    await intercept(page, /\/api\/[^?]*backups/, async (route) => {
      if (route.request().method() === 'GET') await new Promise((resolve) => setTimeout(resolve, 1_500))
      await route.continue()
    })
    await waiting.filter({ hasText: 'No backups yet.' }).getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('Backup created and verified').waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await expect.poll(() => waiting.filter({ hasText: 'No backups yet.' }).count()).toBe(0)
    const { memoryId } = await agent('write-memory', { content: 'The pier may close.', confidence: 1 })
    const guess = waiting.filter({ hasText: 'The pier may close.' }).filter({ hasText: 'isn’t sure' })
    await guess.getByRole('button', { name: 'This is wrong' }).click()
    await expect.poll(() => guess.count()).toBe(0)
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await guess.getByRole('button', { name: 'This is right' }).click()
    await page.getByText('Confirmed').waitFor()
    const answer = await agent('read-memories', { memoryIds: [memoryId] })
    expect(answer['memories']).toMatchObject([{ status: 'active', confidence: 5 }])
    await agent('session-track', { event: 'start', agentRunId: 'paint', currentActivity: 'Painting the pier' })
    const run = page.getByRole('list', { name: 'Active runs' }).getByRole('link', { name: 'Painting the pier' })
    await run.click()
    await page.waitForURL(/\/runs\//)
  })
})
