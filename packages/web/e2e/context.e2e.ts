import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories } from './remembered.ts'

describeDashboard('the context preview', {}, (dashboard) => {
  const pane = (mode: string) => dashboard().page.getByRole('region', { name: `Preview: ${mode}` })

  it('shows the exact response of session-start, and starts no session', async () => {
    const { open, agent } = dashboard()
    await rememberStories(dashboard())
    await open('/context')
    await pane('Default').getByText('Fits the hook limit of 10,000 characters').waitFor()
    const text = await pane('Default').getByRole('group', { name: 'Text the model receives' }).textContent()
    expect(text).toContain('Passenger lists never leave the office network.')
    await examine(dashboard(), 'context')
    await pane('Default').getByRole('tab', { name: 'JSON' }).click()
    const json = await pane('Default').getByRole('group', { name: 'Response of session-start' }).textContent()
    const { sessionContext, budget } = JSON.parse(json ?? '') as Record<string, { usedChars?: number }>
    const answer = (await agent('session-start', { peek: true })) as Record<string, { usedChars?: number }>
    expect(sessionContext).toEqual(answer['sessionContext'])
    expect(budget?.usedChars).toBeGreaterThan(1_000)
    const { agents } = (await agent('list-active-agents', {})) as { agents: { agentId: string; runs: number }[] }
    const withRuns = agents.filter(({ runs }) => runs > 0).map(({ agentId }) => agentId)
    expect(withRuns.toSorted()).toEqual(['claude-code', 'codex', 'scout'])
  })

  it('compares two modes, with custom limits', async () => {
    const { page } = dashboard()
    await page.getByRole('combobox', { name: 'Compare with' }).click()
    await page.getByRole('option', { name: 'Minimal' }).click()
    await pane('Minimal')
      .getByRole('row', { name: /^Facts 3/ })
      .waitFor()
    await page.getByRole('textbox', { name: 'Max facts' }).fill('1')
    await pane('Minimal')
      .getByRole('row', { name: /^Facts 1/ })
      .waitFor()
    await pane('Default')
      .getByRole('row', { name: /^Facts 1/ })
      .waitFor()
    await pane('Default').getByRole('tab', { name: 'Items' }).click()
    await pane('Default')
      .getByRole('link', { name: /^Nothing is released on a Friday/ })
      .waitFor()
    await examine(dashboard(), 'context-two')
    await page.reload()
    await pane('Minimal')
      .getByRole('row', { name: /^Facts 1/ })
      .waitFor()
    await page.getByRole('textbox', { name: 'Topic of the session' }).fill('bicycle fares')
    await page.keyboard.press('Enter')
    await pane('Minimal')
      .getByRole('link', { name: /bicycles/ })
      .first()
      .waitFor()
  })
})
