import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories } from './remembered.ts'

describeDashboard('the start page', {}, (dashboard) => {
  it('says what is left of the first run', async () => {
    const { page, open } = dashboard()
    await open('/')
    await page.getByRole('heading', { name: 'Getting started' }).waitFor()
    await page.getByText('0 of 3 done').waitFor()
    await page.getByText('No agent has been at work here today.').waitFor()
    await page.getByText('Nothing waits.').waitFor()
    await examine(dashboard(), 'home-new')
    await page.getByRole('link', { name: 'Remember something' }).click()
    await page.getByRole('heading', { name: 'Memories', level: 1 }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  })

  it('says what there is, who was at work, and what waits', async () => {
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
    await page.getByText('1 message to you is not acknowledged').waitFor()
    await page.getByRole('link', { name: 'On the old laptop' }).waitFor()
    await page.getByText('Everything is indexed').waitFor()
    await examine(dashboard(), 'home')
    await table.getByRole('link', { name: 'codex' }).click()
    await page.waitForURL(/\/memories\?agent=codex/)
  })
})
