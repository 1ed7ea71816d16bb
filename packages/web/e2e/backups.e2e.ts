import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'

describeDashboard('the backups', {}, (dashboard) => {
  const section = (name: string) => dashboard().page.getByRole('region', { name, exact: true })
  const rows = () => section('Backups').getByRole('list', { name: 'Backups' }).getByRole('listitem')

  it('Home and the settings say when there are no backups', async () => {
    const { page, open } = dashboard()
    await open('/')
    await page.getByRole('link', { name: 'None yet', exact: true }).click()
    await page.waitForURL(/\/settings\/backups$/)
    await section('Backups')
      .getByText(/^No backups yet/)
      .waitFor()
    await section('Automatic backups').getByText('HOLDFAST_BACKUP_EVERY=24').waitFor()
    await examine(dashboard(), 'backups-empty')
  })

  it('backups can be created, verified and deleted by keyboard', async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'Back up now' }).press('Enter')
    await page.getByText('Backup created and verified').waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    await rows().getByText('Verified', { exact: true }).waitFor()
    await page.getByRole('button', { name: /^Verify the backup/ }).press('Enter')
    await page.getByText('Backup verified').waitFor()
    await section('Restore a backup')
      .getByText(/restore ".*\.backup" --force/)
      .waitFor()
    await examine(dashboard(), 'backups')
    await page.getByRole('button', { name: /^Delete the backup/ }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).press('Enter')
    await section('Backups')
      .getByText(/^No backups yet/)
      .waitFor()
  })
})
