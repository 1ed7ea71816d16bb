import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

describeDashboard('trash', {}, (dashboard) => {
  const rows = () => dashboard().page.getByRole('table', { name: 'Trash' }).locator('tbody tr')
  const tab = (name: string) => dashboard().page.getByRole('tab', { name })

  async function fillTrash() {
    const { agent } = dashboard()
    for (const content of [
      'The café closes on Mondays.',
      'The old scanner needs its lid held down while it warms up.',
      'A poster at the south pier still says 4.00 for bicycles.',
    ]) {
      const { memoryId } = await agent('write-memory', { content, agentId: 'scout' })
      await agent('archive-memory', { memoryId, reason: 'Out of date' })
    }
    const { taskId } = await agent('create-task', { title: 'Order a ribbon for the ticket printer', agentId: 'codex' })
    await agent('archive-memory', { memoryId: taskId })
    const { noteId } = await agent('create-note', {
      title: 'Winter party',
      content: 'On the old boat, with [[Music]].',
    })
    await agent('delete-note', { noteId })
  }

  it('says when it is empty', async () => {
    const { page, open } = dashboard()
    await open('/trash')
    await page.getByText('The trash is empty.').waitFor()
    await examine(dashboard(), 'trash-none')
  })

  it('lists records by kind, and restores one or many', async () => {
    const { page, open } = dashboard()
    await fillTrash()
    await open('/trash')
    await expect.poll(() => rows().count()).toBe(3)
    await page.getByText('Archived memories stay here until you delete them.').waitFor()
    await examine(dashboard(), 'trash')
    await page.getByRole('button', { name: /^Actions for A poster/ }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await page.getByText('1 memory restored').waitFor()
    await expect.poll(() => rows().count()).toBe(2)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => rows().count()).toBe(3)
    // The row that took the place of the restored one has the focus. Go up to the first row.
    for (const key of ['k', 'k', 'x', 'j', 'x']) await page.keyboard.press(key)
    const bar = page.getByRole('region', { name: 'Selected memories' })
    await bar.getByText('2 memories selected').waitFor()
    await examine(dashboard(), 'trash-selected')
    await bar.getByRole('button', { name: 'Restore' }).click()
    await expect.poll(() => rows().count()).toBe(1)
    await tab('Tasks 1').click()
    await page.getByRole('link', { name: 'Order a ribbon for the ticket printer' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('region', { name: 'Selected tasks' }).getByRole('button', { name: 'Restore' }).click()
    await page.getByText('No archived tasks.').waitFor()
    await tab('Notes 1').click()
    await page.getByText('Notes stay here until you delete them.').waitFor()
    await page.getByRole('button', { name: /^Actions for Winter party/ }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await page.getByText('No notes in the trash.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await expect.poll(() => rows().count()).toBe(1)
  })

  it('deletes permanently only after a typed confirmation', async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: /^Actions for Winter party/ }).click()
    await page.getByRole('menuitem', { name: 'Delete permanently' }).click()
    const question = page.getByRole('dialog', { name: 'Delete 1 note permanently?' })
    expect(await question.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true)
    await examine(dashboard(), 'trash-delete')
    await question.getByLabel('Type delete to confirm').fill('delete')
    await page.keyboard.press('Enter')
    await page.getByText('1 note deleted permanently').waitFor()
    await page.getByText('No notes in the trash.').waitFor()
    await tab('Memories 1').click()
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    const bar = page.getByRole('region', { name: 'Selected memories' })
    await bar.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByLabel('Type delete to confirm').fill('delete')
    await page.keyboard.press('Enter')
    await page.getByText('The trash is empty.').waitFor()
  })

  it('keeps archived records for as long as the vault is set to', async () => {
    const { page, open } = dashboard()
    await open('/trash')
    await page.getByRole('button', { name: 'Delete automatically…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete automatically' })
    await dialog.getByLabel('For a number of days, then delete them permanently').check()
    await dialog.getByLabel('Days', { exact: true }).fill('120')
    await examine(dashboard(), 'trash-keep')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('are deleted permanently 120 days after they were archived').waitFor()
    await page.getByRole('button', { name: 'Delete automatically…' }).click()
    await dialog.getByLabel('Until you delete them').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page
      .getByText('Archived memories and tasks, and deleted notes, stay here until you delete them permanently.')
      .waitFor()
  })

  it('a list says which damaged records it lacks, and what to do', async () => {
    const { page, open, agent } = dashboard()
    await agent('write-memory', { content: 'The harbor office opens at eight.' })
    await agent('create-task', { title: 'Paint the harbor office' })
    await agent('create-note', { title: 'Harbor', content: 'Three piers.' })
    const { memoryId } = await agent('write-memory', { content: 'The old pier is closed.' })
    await agent('archive-memory', { memoryId, reason: 'Out of date' })
    const damagedIds = Array.from({ length: 4 }, (_, at) => `0198c5f0-0000-7000-8000-00000000000${at}`)
    // The server keeps its store locked, so nothing can damage a record while it runs.
    const lists = /\/api\/(memories|tasks|notes)\?/
    await page.route(lists, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), leftOut: { damagedIds } } })
    })
    for (const [path, count] of [
      ['/memories', 4],
      // One list per state.
      ['/tasks', 20],
      ['/notes', 4],
      ['/trash', 4],
    ] as const) {
      await open(path)
      const notice = page.getByText(`${count} damaged records aren’t shown: ${damagedIds.slice(0, 3).join(', ')}`)
      await notice.waitFor()
      expect(await notice.textContent()).toMatch(/and \d+ more\. .* run this on the server: .*doctor$/)
      await examine(dashboard(), `left-out-${path.slice(1)}`)
    }
    await page.unroute(lists)
  })
})
