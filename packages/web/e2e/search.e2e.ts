import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories, type Remembered } from './remembered.ts'

describeDashboard('the search lab', {}, (dashboard) => {
  let remembered: Remembered | undefined
  const idOf = (beginning: string) => remembered?.idOf(beginning) ?? ''

  it('searches by keyboard and shows the parts of each score', async () => {
    const { page, open } = dashboard()
    remembered = await rememberStories(dashboard())
    await open('/search')
    await page.getByRole('heading', { name: 'Try one of these' }).waitFor()
    await examine(dashboard(), 'search-none')
    const example = page.getByRole('region', { name: 'Examples' }).getByRole('button').first()
    const query = (await example.textContent()) ?? ''
    expect(query).toMatch(/^What do we know about /)
    await example.press('Enter')
    await page.waitForURL(/q=What/)
    const field = page.getByRole('textbox', { name: 'Query' })
    await expect.poll(() => field.inputValue()).toBe(query)
    expect(await field.evaluate((node) => node === document.activeElement)).toBe(true)
    await open('/search')
    await page.getByRole('heading', { name: 'Try one of these' }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('What does a bicycle cost on the ferry?')
    await page.keyboard.press('Enter')
    const first = page.getByRole('listitem').filter({ hasText: 'The fare for bicycles is 4.50' })
    await first.getByRole('img', { name: /^Score \d.\d+: Meaning/ }).waitFor()
    await page.waitForURL(/q=What/)
    await first.getByRole('button', { name: 'Why this result?' }).click()
    await first.getByText(/^Found (mainly )?by its/).waitFor()
    await first.getByText(/^Words: the/).waitFor()
    await first.getByRole('button', { name: 'All figures' }).click()
    await first.getByText('Final rank').waitFor()
    await examine(dashboard(), 'search')
  })

  it('the palette finds the same records and opens them', async () => {
    const { page, open, agent } = dashboard()
    const { taskId } = await agent('create-task', { title: 'Paint the bicycle rack on the ferry' })
    await agent('create-note', { title: 'Bicycles', content: 'How many bicycles the ferry takes.' })
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('What does a bicycle cost on the ferry?')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByText('Bicycles', { exact: true }).waitFor()
    await palette.getByText('The fare for bicycles is 4.50', { exact: false }).waitFor()
    await examine(dashboard(), 'palette-records')
    await palette.getByText('Paint the bicycle rack').click()
    await page.waitForURL((url) => url.pathname.endsWith(`/tasks/${String(taskId)}`))
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('What does a bicycle cost on the ferry?')
    await palette.getByText('The fare for bicycles is 4.50', { exact: false }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/memories/${idOf('The fare for bicycles')}`))
    await open('/search?q=What%20does%20a%20bicycle%20cost%20on%20the%20ferry%3F')
  })

  it('searches again when parameters change, and keeps them in the URL', async () => {
    const { page } = dashboard()
    await page.getByRole('slider', { name: 'Threshold' }).focus()
    await page.keyboard.press('End')
    await page.waitForURL(/threshold=1/)
    await page.getByRole('textbox', { name: 'Number of results' }).fill('2')
    await page.waitForURL(/topK=2/)
    await page.getByRole('tab', { name: 'Results (2)' }).waitFor()
    await page.getByRole('button', { name: 'Reset to vault defaults' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('topK')).toBeNull()
  })

  it('explains why an item isn’t returned', async () => {
    const { page, mine, owner } = dashboard()
    const id = idOf('The fare for bicycles')
    await mine('/api/memories/archive', { vaultId: owner.vaultId, ids: [id] })
    await page.reload()
    await page.getByRole('tab', { name: /^Not returned/ }).click()
    const why = page.getByRole('region', { name: 'Why isn’t this item here?' })
    await why.getByRole('textbox').fill('no id')
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('Enter the id that the memory’s page shows').waitFor()
    await why.getByRole('textbox').fill(id)
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText('Archived', { exact: true }).waitFor()
    await examine(dashboard(), 'search-lost')
    await page.getByRole('textbox', { name: 'Id of a memory' }).or(why.getByRole('textbox')).fill(idOf('A poster at'))
    await why.getByRole('button', { name: 'Check' }).click()
    await why.getByText(/^This is result \d/).waitFor()
  })

  it('prints calls that work when copied', async () => {
    const { page, owner } = dashboard()
    await page.getByRole('tab', { name: 'Request' }).click()
    const curl = await page.getByRole('group', { name: 'Agent request with curl' }).textContent()
    const body = /-d '(.*)'$/s.exec(curl ?? '')?.[1] ?? ''
    const url = /curl -s (\S+)/.exec(curl ?? '')?.[1] ?? ''
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${owner.agentKey}` },
      body,
    })
    expect(response.status).toBe(200)
    await examine(dashboard(), 'search-raw')
  })

  it('shows the closest results if there are none', async () => {
    const { page, open } = dashboard()
    await open('/search?q=zeppelins&threshold=1')
    await page.getByText(/No results/).waitFor()
    await page.getByRole('tab', { name: 'Results (0)' }).waitFor()
    await examine(dashboard(), 'search-nothing')
    await open('/search?q=zeppelins&topK=900')
    await page.getByRole('alert').waitFor()
  })

  it('names the better result of what diversity dropped', async () => {
    const { page, open, agent } = dashboard()
    const texts = ['', ' now', ' today', ' again'].map((end) => `Snow ploughs leave the depot at four${end}.`)
    for (const content of [...texts, 'Two ploughs stay in the depot for repairs.'])
      await agent('write-memory', { content, dedup: false })
    await open('/search?q=snow%20ploughs%20leave%20the%20depot&topK=3&diversity=1&tab=lost')
    const dropped = page.getByRole('listitem').filter({ hasText: 'Dropped for diversity' }).first()
    await dropped.getByText(/says nearly the same as “Snow ploughs leave the depot.*”, which is result 1/).waitFor()
    expect(await dropped.textContent()).not.toMatch(/[\da-f]{8}-[\da-f]{4}/)
  })

  it('wraps a title that is one long word', async () => {
    const { page, open, agent } = dashboard()
    const summary = 'W'.repeat(400)
    await agent('write-memory', { summary, content: 'The lighthouse keeper is called Marit.' })
    await open('/search?q=Who%20is%20the%20lighthouse%20keeper%3F')
    await page
      .getByRole('listitem')
      .filter({ hasText: summary.slice(0, 40) })
      .first()
      .waitFor()
    await examine(dashboard(), 'search-long-word')
  })
})
