import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { rememberStories } from './remembered.ts'

const longName = 'The committee for the renewal of the northern ferry landing and all of its buildings, '
  .repeat(2)
  .slice(0, 180)
const unbroken = 'x'.repeat(120)

describeDashboard('the page of an entity', {}, (dashboard) => {
  const heading = (name: string) => dashboard().page.getByRole('heading', { level: 1, name, exact: true })
  const path = () => new URL(dashboard().page.url()).pathname.replace(/^\/v\/[\w-]+/, '')

  it('opens from the chip of a memory, and shows what is known about it', async () => {
    const { page, open, agent } = dashboard()
    await rememberStories(dashboard())
    await agent('create-task', { title: 'Print the new timetable', entities: ['timetable'] })
    await agent('create-note', { title: 'Winter', content: 'In winter the timetable changes on a Sunday.' })
    await open('/memories?q=Route%207')
    await page.getByRole('link', { name: /^Route 7 runs/ }).click()
    const memory = page.getByRole('region', { name: 'Memory', exact: true })
    await memory.getByRole('link', { name: 'timetable', exact: true }).click()
    await heading('timetable').waitFor()
    await page.getByText(/^3 memories and 1 task since .* 1 note mentions it\./).waitFor()
    const records = page.getByRole('region', { name: 'Memories and tasks' })
    await records.getByRole('link', { name: 'Print the new timetable' }).waitFor()
    expect(await records.getByRole('listitem').count()).toBe(4)
    const notes = page.getByRole('region', { name: 'Notes that mention it' })
    await notes.getByText('In winter the timetable changes').waitFor()
    await page
      .getByRole('region', { name: 'Appears with' })
      .getByRole('link', { name: /^route 7/ })
      .waitFor()
    await examine(dashboard(), 'entity')
  })

  it('keeps the name out of every request', async () => {
    const { page, open } = dashboard()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url().replace(/#.*/, '')))
    await open('/entities#Ingrid%20Solheim')
    await heading('Ingrid Solheim').waitFor()
    await page.reload()
    await heading('Ingrid Solheim').waitFor()
    expect(asked.length).toBeGreaterThan(2)
    expect(asked.filter((url) => /ingrid|solheim/i.test(url))).toEqual([])
  })

  it('includes what is no longer live on request', async () => {
    const { page, open } = dashboard()
    await open('/entities#timetable')
    const records = page.getByRole('region', { name: 'Memories and tasks' })
    await records.getByRole('checkbox', { name: 'Include 1 archived or superseded' }).check()
    await records.getByText('The timetable is deployed by hand').waitFor()
    await heading('timetable').waitFor()
    expect(await records.getByRole('listitem').count()).toBe(5)
  })

  it('goes from one entity to the next, and to the list of all', async () => {
    const { page } = dashboard()
    await page
      .getByRole('region', { name: 'Appears with' })
      .getByRole('link', { name: /^north pier/ })
      .click()
    await heading('north pier').waitFor()
    await page.goBack()
    await heading('timetable').waitFor()
    await page.getByRole('link', { name: 'All entities' }).click()
    await heading('Entities').waitFor()
    await page.getByRole('link', { name: /^fares/ }).waitFor()
    await examine(dashboard(), 'entities')
  })

  it('opens from the palette', async () => {
    const { page } = dashboard()
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('Solheim')
    const palette = page.getByRole('dialog', { name: 'Search or jump to' })
    await palette.getByText('Ingrid Solheim', { exact: true }).click()
    await heading('Ingrid Solheim').waitFor()
    expect(path()).toBe('/entities')
  })

  it('has room for long names and names in any script', async () => {
    const { page, open, agent } = dashboard()
    const entities = [longName, unbroken, '東京', 'سلام', '100% # ~/?']
    await agent('write-memory', { content: 'Many names.', entities })
    await open('/entities#100~25~20~23~20~7E~2F~3F')
    await heading('100% # ~/?').waitFor()
    await page.getByRole('link', { name: /^東京/ }).first().click()
    await heading('東京').waitFor()
    await page.getByRole('link', { name: unbroken }).first().click()
    await heading(unbroken).waitFor()
    await examine(dashboard(), 'entity-long')
  })

  it('pages through many memories', async () => {
    const { page, open, agent } = dashboard()
    for (let at = 0; at < 22; at++)
      await agent('write-memory', { content: `Sighting ${at} of the seal.`, entities: ['seal'], dedup: false })
    await open('/entities#seal')
    const records = page.getByRole('region', { name: 'Memories and tasks' })
    await records.getByText('1 to 20 of 22').waitFor()
    await records.getByRole('button', { name: 'Next' }).click()
    await records.getByText('21 to 22 of 22').waitFor()
    await heading('seal').waitFor()
  })

  it('says if nothing is known', async () => {
    const { page, open } = dashboard()
    await open('/entities#Nobody')
    await page.getByText('Nothing in this vault is about this entity.').waitFor()
    await examine(dashboard(), 'entity-unknown')
  })

  it('can be found by its name among the most frequent ones, or looked up', async () => {
    const { page, open, agent } = dashboard()
    await agent('write-memory', { content: 'The lighthouse keeper retires.', entities: ['lighthouse'] })
    await open('/entities')
    const list = page.getByRole('table', { name: 'Entities' })
    await list.getByRole('link', { name: /^lighthouse/ }).waitFor()
    await page.getByText(/^\d+ entities$/).waitFor()
    await list.getByRole('button', { name: 'Last memory' }).click()
    await expect.poll(() => list.getByRole('link').first().innerText()).toBe('lighthouse')
    await page.getByRole('textbox', { name: 'Filter entities' }).fill('LightH')
    await expect.poll(() => list.getByRole('link').count()).toBe(1)
    await page.getByText(/^1 of \d+ entities$/).waitFor()
    await examine(dashboard(), 'entities-filtered')
    await page.getByRole('textbox', { name: 'Filter entities' }).fill('submarine')
    await page.getByRole('link', { name: 'Look up “submarine”' }).click()
    await heading('submarine').waitFor()
  })

  it('shows a memory once, even if its text has marks that excerpts leave out', async () => {
    const { open, page, agent } = dashboard()
    await agent('write-memory', { content: 'Run `make lanterns` before each release.', entities: ['lanterns'] })
    await open('/entities#lanterns')
    const records = page.getByRole('region', { name: 'Memories and tasks' })
    await records.getByRole('link', { name: 'Run make lanterns before each release.' }).waitFor()
    expect((await records.innerText()).match(/before each release/g)).toHaveLength(1)
  })
})
