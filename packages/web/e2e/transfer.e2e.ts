import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { intercept } from './intercept.ts'

const fixtures = join(import.meta.dirname, '../../server/test/transfer/fixtures')
const folder = mkdtempSync(join(tmpdir(), 'holdfast-transfer-e2e-'))
afterAll(() => rmSync(folder, { recursive: true }))

describeDashboard('import and export', {}, (dashboard) => {
  const chooseFiles = async (...paths: string[]) => {
    const { page } = dashboard()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files or a zip' }).click()
    await (await chooser).setFiles(paths)
  }
  const countOf = async (kind: 'notes' | 'memories') => {
    const { owner, server } = dashboard()
    const headers = { Authorization: `Bearer ${owner.dashboardToken}` }
    const response = await fetch(`${server.url}/api/${kind}?vaultId=${owner.vaultId}`, { headers })
    return ((await response.json()) as { total: number }).total
  }

  it('list the formats, and reject files in no known format', async () => {
    const { page, open } = dashboard()
    await open('/transfer')
    await page.getByText('No imports into this vault yet.').waitFor()
    await examine(dashboard(), 'transfer')
    await chooseFiles(join(fixtures, 'obsidian/attachments/bed.png'))
    await page.getByText('Unknown format. Supported formats:').waitFor()
    await examine(dashboard(), 'transfer-refused')
  })

  it('take files that are dropped anywhere, and only preview them', async () => {
    const { page, open } = dashboard()
    await open('/tasks')
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    const files = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(['# Beds\n\nViolets.'], 'Beds.md', { type: 'text/markdown' }))
      return data
    })
    // Browsers send this as long as files are over the page.
    const isAwaited = async () => {
      await page.dispatchEvent('body', 'dragover', { dataTransfer: files })
      return page.getByText('Drop to import').isVisible()
    }
    await expect.poll(isAwaited).toBe(true)
    await page.dispatchEvent('body', 'drop', { dataTransfer: files })
    await page.getByText('Nothing has been imported yet.').waitFor()
    expect(await page.getByText('Drop to import').count()).toBe(0)
    expect(new URL(page.url()).pathname).toMatch(/\/transfer$/)
    expect(await countOf('notes')).toBe(0)
    await page.getByRole('button', { name: 'Choose other files' }).click()
  })

  it('preview a folder before writing anything', async () => {
    const { page } = dashboard()
    await page.locator('input[type=file][webkitdirectory]').setInputFiles(join(fixtures, 'obsidian'))
    await page.getByText('Nothing has been imported yet.').waitFor()
    await page.getByText('Attachments and other files, not imported (.png): 1').waitFor()
    expect(await page.getByLabel('Source name').inputValue()).toBe('obsidian')
    await examine(dashboard(), 'transfer-preview')
    expect(await countOf('notes')).toBe(0)
    await page.getByRole('button', { name: /^Import \d+ records$/ }).click()
    await page.getByText('Imported. You can undo this under Import & export.').waitFor()
    expect(await countOf('notes')).toBeGreaterThan(3)
    await page.getByRole('table', { name: 'Imports' }).getByText('obsidian').first().waitFor()
    await examine(dashboard(), 'transfer-done')
  })

  it('recognize existing records, and continue after an interruption', async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'Import more files' }).click()
    await page.locator('input[type=file][webkitdirectory]').setInputFiles(join(fixtures, 'obsidian'))
    await page.getByText(', 0 new.').waitFor()
    expect(await page.getByRole('button', { name: 'Import 0 records' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Choose other files' }).click()
    await chooseFiles(join(fixtures, 'server-memory.jsonl'))
    await page.getByText('Nothing has been imported yet.').waitFor()
    await intercept(page, '**/api/imports/records', (route) => route.abort())
    await page.getByRole('button', { name: /^Import \d+ records$/ }).click()
    await page.getByText('Importing “server-memory.jsonl”').waitFor()
    page.once('dialog', (question) => void question.accept())
    await page.reload()
    await page.getByText('An import was interrupted').waitFor()
    await examine(dashboard(), 'transfer-interrupted')
    await page.unroute('**/api/imports/records')
    await chooseFiles(join(fixtures, 'server-memory.jsonl'))
    await page.getByRole('button', { name: /^Import \d+ records$/ }).click()
    await page.getByText('Imported. You can undo this under Import & export.').waitFor()
    expect(await countOf('memories')).toBeGreaterThan(0)
  })

  it('export the vault as a zip file that can be imported again', async () => {
    const { page } = dashboard()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as zip' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^Main \d{4}-\d\d-\d\d\.zip$/)
    const file = join(folder, 'main.zip')
    await download.saveAs(file)
    expect(readFileSync(file).subarray(0, 2).toString()).toBe('PK')
    await page.getByRole('button', { name: 'Import more files' }).click()
    await chooseFiles(file)
    await page.getByText('Holdfast export').first().waitFor()
    const notes = page.getByRole('table', { name: 'Records by kind' }).getByRole('row').filter({ hasText: 'Notes' })
    expect(await notes.getByRole('cell').nth(1).textContent()).toBe('0')
    await page.getByRole('button', { name: 'Choose other files' }).click()
  })

  it('undo an import', async () => {
    const { page } = dashboard()
    const row = page.getByRole('table', { name: 'Imports' }).getByRole('row').filter({ hasText: 'obsidian' }).last()
    await row.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByText(/notes moved to trash/).waitFor()
    await row.getByText('Undone').waitFor()
    await expect.poll(() => countOf('notes')).toBe(0)
  })

  it('report an import that was undone while it ran, and start over', async () => {
    const { page, owner, mine } = dashboard()
    const file = join(folder, 'harbour.jsonl')
    // Records of two kinds go in two batches.
    const lines = [
      { type: 'entity', name: 'Quay', entityType: 'place', observations: ['Lanterns burn along the quay.'] },
      { type: 'entity', name: 'Olaf', entityType: 'person', observations: ['Olaf lights the lanterns.'] },
      { type: 'relation', from: 'Olaf', to: 'Quay', relationType: 'works at' },
    ]
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'))
    const importAll = async () => {
      await chooseFiles(file)
      await page.getByRole('button', { name: /^Import \d+ records$/ }).click()
    }
    await intercept(page, '**/api/imports/records', async (route) => {
      const { importId, dryRun } = route.request().postDataJSON() as { importId: string; dryRun: boolean }
      const response = await route.fetch()
      // Undoes the import as another window would.
      if (!dryRun) await mine('/api/imports/revert', { vaultId: owner.vaultId, importId })
      return route.fulfill({ response })
    })
    await importAll()
    await page.getByText('The import was undone while it was running').waitFor()
    await examine(dashboard(), 'transfer-undone')
    await page.unroute('**/api/imports/records')
    await page.getByRole('button', { name: 'Import more files' }).click()
    await page.getByRole('button', { name: 'Choose files or a zip' }).waitFor()
    expect(await page.getByText('An import was interrupted').count()).toBe(0)
    await importAll()
    await page.getByText('Imported. You can undo this under Import & export.').waitFor()
  })
})
