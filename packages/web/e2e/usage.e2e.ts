import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

describeDashboard('usage', {}, (dashboard) => {
  const table = (name: string) => dashboard().page.getByRole('table', { name })
  const cellsOf = async (name: string, row: number) =>
    table(name).getByRole('row').nth(row).getByRole('cell').allTextContents()

  async function download(file: string): Promise<[name: string, text: string]> {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'Export CSV' }).click()
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: file }).click(),
    ])
    return [saved.suggestedFilename(), await readFile(await saved.path(), 'utf8')]
  }

  it('says when there are no calls yet', async () => {
    const { page, open } = dashboard()
    await open('/usage')
    await page.getByText('No calls yet.').waitFor()
    await page.getByRole('link', { name: 'Connect an agent' }).waitFor()
    await examine(dashboard(), 'usage-none')
  })

  it('shows calls and failures by operation and by agent', async () => {
    const { page, open, agent } = dashboard()
    for (const content of ['The tide is high at nine.', 'The boat is blue.', 'Ingrid has the key.'])
      await agent('write-memory', { content })
    await agent('search-memories', { query: 'tide' })
    await agent('search-memories', { query: 'boat' })
    await agent('session-start', {})
    await agent('read-memories', { memoryIds: [crypto.randomUUID()] })
    await open('/usage')
    await table('Calls by operation').waitFor()
    expect((await cellsOf('Calls by operation', 1)).slice(0, 2)).toEqual(['Wrote a memory write-memory', '3'])
    expect((await cellsOf('Calls by agent', 1))[1]).toBe('7')
    // No call was rejected, so there is no column for it.
    expect(await page.getByRole('columnheader', { name: 'Rejected' }).count()).toBe(0)
    await page.getByText(/, 0 rejected$/).waitFor()
    await page.getByText('Median context', { exact: true }).waitFor()
    await page.getByText('3 memories created in this period').waitFor()
    await table('Storage by vault').getByRole('cell').first().waitFor()
    await examine(dashboard(), 'usage')
  })

  it('sorts its tables, and shows its charts as tables', async () => {
    const { page } = dashboard()
    const operations = table('Calls by operation')
    await operations.getByRole('button', { name: 'Operation' }).click()
    await operations
      .getByRole('columnheader', { name: 'Operation' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor()
    expect((await cellsOf('Calls by operation', 1))[0]).toBe('Read memories read-memories')
    await page.getByRole('button', { name: 'Calls as a table' }).click()
    await table('Calls over time').waitFor()
    const [from, calls] = await cellsOf('Calls over time', 1)
    expect(from).toMatch(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
    expect(calls).toBe('7')
    await page.getByRole('button', { name: 'Memories as a table' }).click()
    await table('Memories over time').waitFor()
    expect((await cellsOf('Memories over time', 1)).slice(1)).toEqual(['3', '3'])
    await page.getByRole('button', { name: 'Units by month as a table' }).click()
    await table('Units by month').waitFor()
    expect((await cellsOf('Units by month', 1)).slice(2, 4)).toEqual(['3', '2'])
    await examine(dashboard(), 'usage-tables')
  })

  it('filters by operation, agent and custom days', async () => {
    const { page } = dashboard()
    await table('Calls by operation').getByRole('button', { name: 'Searched memories' }).click()
    await page.getByRole('button', { name: 'Operation: Searched memories' }).waitFor()
    await expect.poll(async () => (await cellsOf('Calls by agent', 1))[1], { timeout: 10_000 }).toBe('2')
    await table('Calls by agent').getByRole('button').last().click()
    await page.getByRole('button', { name: 'Agent: ' }).waitFor()
    await page.getByRole('button', { name: 'Operation: Searched memories' }).click()
    await expect.poll(() => table('Calls by operation').getByRole('row').count(), { timeout: 10_000 }).toBe(5)
    await page.getByRole('radiogroup', { name: 'Period' }).getByText('Custom').click()
    const last = await page.getByLabel('Last day').inputValue()
    await page.getByLabel('First day').fill('2024-01-01')
    await page.getByText('Choose up to 400 days').waitFor()
    await page.getByLabel('Last day').fill('2024-02-01')
    await page.getByText('No calls on these days match this filter.').waitFor()
    await page.getByText('No memories were created in this period').waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByRole('button', { name: 'Show the last 90 days' }).waitFor()
    await examine(dashboard(), 'usage-nothing')
    await page.getByLabel('Last day').fill(last)
    await page.getByLabel('First day').fill(last)
    await table('Calls by operation').waitFor()
  })

  it('downloads CSV files', async () => {
    const { open } = dashboard()
    await open('/usage')
    await table('Calls by operation').waitFor()
    const [name, text] = await download('Calls by operation')
    expect(name).toBe('holdfast-usage-operations.csv')
    expect(text.split('\r\n')[1]).toMatch(/^write-memory,,,3,0,0,[\d.]+,[\d.]+,\d+$/)
    const [months, units] = await download('Units by month')
    expect(months).toBe('holdfast-usage-months.csv')
    expect(units).toMatch(/^month,read,write,search,ingest,embeddingTokens\r\n\d{4}-\d\d,/)
  })
})
