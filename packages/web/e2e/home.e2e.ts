import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories } from './remembered.ts'

describeDashboard('the home page', {}, (dashboard) => {
  it('shows the setup steps that are left', async () => {
    const { page, open } = dashboard()
    await open('/')
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    await page.getByText('0 of 3 done').waitFor()
    await page.getByText('No agents have been active today.').waitFor()
    await page.getByText('You’re all caught up.').waitFor()
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
    await page.getByRole('link', { name: /^Memories and tasks 16 16 new in 7 days/ }).waitFor()
    expect(await page.getByRole('heading', { name: 'Getting started' }).count()).toBe(0)
    const table = page.getByRole('table', { name: 'Agents today' })
    expect(await table.getByRole('row', { name: /^scout/ }).textContent()).toMatch(/^scout82/)
    await page.getByText('1 message to acknowledge').waitFor()
    await page.getByRole('link', { name: 'On the old laptop' }).waitFor()
    await page.getByText('Everything is indexed').waitFor()
    await examine(dashboard(), 'home')
    await table.getByRole('link', { name: 'codex' }).click()
    await page.waitForURL(/\/memories\?agent=codex/)
  })
})
