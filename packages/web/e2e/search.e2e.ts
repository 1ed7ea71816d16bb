import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories, type Remembered } from './remembered.ts'

describeDashboard('the search lab', {}, (dashboard) => {
  let remembered: Remembered | undefined
  const idOf = (beginning: string) => remembered?.idOf(beginning) ?? ''

  it('asks by keyboard, and shows what made each score', async () => {
    const { page, open } = dashboard()
    remembered = await rememberStories(dashboard())
    await open('/search')
    await page.getByText('Ask this vault something').waitFor()
    await examine(dashboard(), 'search-none')
    await page.keyboard.press('/')
    await page.keyboard.type('What does a bicycle cost on the ferry?')
    await page.keyboard.press('Enter')
    const first = page.getByRole('listitem').filter({ hasText: 'The fare for bicycles is 4.50' })
    await first.getByRole('img', { name: /^Score \d.\d+: Meaning/ }).waitFor()
    await page.waitForURL(/q=What/)
    await first.getByRole('button', { name: 'All figures' }).click()
    await first.getByText('Place in the answer').waitFor()
    await examine(dashboard(), 'search')
  })

  it('is asked by the palette, too, which leads to what is found', async () => {
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
    await page.waitForURL((url) => url.pathname === `/tasks/${String(taskId)}`)
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('What does a bicycle cost on the ferry?')
    await palette.getByText('The fare for bicycles is 4.50', { exact: false }).click()
    await page.waitForURL((url) => url.pathname === `/memories/${idOf('The fare for bicycles')}`)
    await open('/search?q=What%20does%20a%20bicycle%20cost%20on%20the%20ferry%3F')
  })

  it('asks again with other parameters, which stand in the URL', async () => {
    const { page } = dashboard()
    await page.getByRole('slider', { name: 'Threshold' }).focus()
    await page.keyboard.press('End')
    await page.waitForURL(/threshold=1/)
    await page.getByRole('textbox', { name: 'How many (topK)' }).fill('2')
    await page.waitForURL(/topK=2/)
    await page.getByRole('tab', { name: 'Found (2)' }).waitFor()
    await page.getByRole('button', { name: 'As the vault has it' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('topK')).toBeNull()
  })

  it('tells why an item is not there', async () => {
    const { page, mine, owner } = dashboard()
    const id = idOf('The fare for bicycles')
    await mine('/api/memories/archive', { vaultId: owner.vaultId, ids: [id] })
    await page.reload()
    await page.getByRole('tab', { name: /^Lost/ }).click()
    const why = page.getByRole('region', { name: 'Why is this item not here?' })
    await why.getByRole('textbox').fill('no id')
    await why.getByRole('button', { name: 'Ask' }).click()
    await why.getByText('An id, as the memory’s page shows it').waitFor()
    await why.getByRole('textbox').fill(id)
    await why.getByRole('button', { name: 'Ask' }).click()
    await why.getByText('Archived', { exact: true }).waitFor()
    await examine(dashboard(), 'search-lost')
    await page.getByRole('textbox', { name: 'Id of a memory' }).or(why.getByRole('textbox')).fill(idOf('A poster at'))
    await why.getByRole('button', { name: 'Ask' }).click()
    await why.getByText(/^It is here, at place \d/).waitFor()
  })

  it('prints calls that work as they are', async () => {
    const { page, owner } = dashboard()
    await page.getByRole('tab', { name: 'Request' }).click()
    const curl = await page.getByRole('group', { name: 'As an agent asks, with curl' }).textContent()
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

  it('says what comes nearest where nothing is found', async () => {
    const { page, open } = dashboard()
    await open('/search?q=zeppelins&threshold=1')
    await page.getByText(/Nothing is similar enough|Nothing here has to do with it/).waitFor()
    await page.getByRole('tab', { name: 'Found (0)' }).waitFor()
    await examine(dashboard(), 'search-nothing')
    await open('/search?q=zeppelins&topK=900')
    await page.getByRole('alert').waitFor()
  })
})
