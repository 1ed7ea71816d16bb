import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { person } from './server.ts'

const keyShown = async (page: Page) =>
  (await page.getByText(/^export HOLDFAST_KEY=svc_\w+/).textContent())?.split('=')[1] ?? ''

describeDashboard('the first run', { isNew: true }, (dashboard) => {
  let key = ''

  it('begins at every address while there is no owner, and refuses a wrong token', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('heading', { name: 'Make your account' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/setup')
    await page.getByLabel('Set-up token').fill('hfs_wrong')
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.getByRole('button', { name: 'Make account' }).click()
    await page.getByRole('alert').getByText('This set-up token is not right').waitFor()
    await examine(dashboard(), 'setup-account')
  })

  it('takes the token out of the link, and out of the address', async () => {
    const { page, server, open } = dashboard()
    // What is behind the # alone loads no new page.
    await open('/docs')
    await open(`/setup#token=${server.setupToken()}`)
    await page.getByLabel('E-mail').fill(person.email)
    expect(await page.getByLabel('Set-up token').count()).toBe(0)
    expect(page.url()).not.toContain('hfs_')
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.getByRole('button', { name: 'Make account' }).click()
    await page.getByRole('heading', { name: 'Keep a copy of the root key' }).waitFor()
  })

  it('says where the key lies, what searches by meaning, and names the vault', async () => {
    const { page } = dashboard()
    await page.getByText(/\.key$/).waitFor()
    await examine(dashboard(), 'setup-key')
    await page.getByLabel('I have put a copy elsewhere').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('static/').waitFor()
    await examine(dashboard(), 'setup-search')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Name of the vault').fill('Harbour')
    await page.getByRole('button', { name: 'Bring notes or memories along' }).click()
    await page.getByRole('button', { name: 'Choose a folder' }).waitFor()
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'AGENTS.md', mimeType: 'text/markdown', buffer: Buffer.from('# Rules\n\n- Use tabs.\n') })
    await page.getByRole('button', { name: /^Import/ }).click()
    await page.getByText('Imported. Import & export can take it back.').waitFor()
    await examine(dashboard(), 'setup-vault')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
  })

  it('goes on where it was after a reload', async () => {
    const { page } = dashboard()
    await page.reload()
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
  })

  it('connects an agent: its first word turns the page green', async () => {
    const { page, server } = dashboard()
    await page.getByRole('radio', { name: 'Claude Code' }).check()
    await examine(dashboard(), 'setup-clients')
    await page.getByRole('button', { name: 'Make a key for Claude Code' }).click()
    await page.getByText('Listening for the first call').waitFor()
    const first = await keyShown(page)
    await page.reload()
    await page.getByText('Its key was shown once').waitFor()
    await page.getByRole('button', { name: 'Make another key' }).click()
    await page.getByText('The key is filled in already').waitFor()
    key = await keyShown(page)
    const info = (agentKey: string) =>
      fetch(`${server.url}/api/agent/info`, { headers: { Authorization: `Bearer ${agentKey}` } })
    expect((await info(first)).status).toBe(401)
    await examine(dashboard(), 'setup-connect')
    const client = new Client({ name: 'claude-code', version: '2.0.0' })
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    await page.getByText('Claude Code has made its first call.').waitFor()
    await client.close()
  })

  it('waits for the first memory of an agent, whatever people brought along, and shows it', async () => {
    const { page, server } = dashboard()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Waiting for the first memory').waitFor()
    await examine(dashboard(), 'setup-try')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ content: 'Ada prefers tabs to spaces.' })
    await fetch(`${server.url}/api/agent/write-memory`, { method: 'POST', headers, body })
    await page.getByRole('status').getByText('Ada prefers tabs to spaces.').waitFor()
    await examine(dashboard(), 'setup-remembered')
    await page.getByRole('button', { name: 'To the dashboard' }).click()
    await page.getByRole('button', { name: 'Harbour' }).waitFor()
  })

  it('leaves one agent behind, named after its program', async () => {
    const { page, open } = dashboard()
    await open('/agents')
    await page.getByRole('link', { name: 'Claude Code' }).waitFor()
    expect(await page.getByRole('table', { name: 'Agents' }).getByRole('row').count()).toBe(2)
  })

  it('is over for good', async () => {
    const { page, open, server } = dashboard()
    await page.context().clearCookies()
    await open('/setup')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const body = JSON.stringify({ token: 'hfs_x', ...person })
    const again = await fetch(`${server.url}/api/setup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    })
    expect(again.status).toBeGreaterThanOrEqual(400)
  })
})
