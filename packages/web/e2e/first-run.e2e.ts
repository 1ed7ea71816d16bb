import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeDashboard, examine } from './dashboard.ts'
import { person } from './server.ts'

const readShownKey = async (page: Page) =>
  (await page.getByText(/^export HOLDFAST_KEY=svc_\w+/).textContent())?.split('=')[1] ?? ''

describeDashboard('the first run', { isNew: true }, (dashboard) => {
  let key = ''

  it('starts at every URL while there is no owner, and rejects a wrong token', async () => {
    const { page, open } = dashboard()
    await open('/vaults')
    await page.getByRole('heading', { name: 'Create your account' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/setup')
    await page.getByLabel('Setup token').fill('hfs_wrong')
    await page.getByLabel('Email').fill('ada')
    await page.getByRole('button', { name: 'Create account' }).click()
    // Below its field, like all errors, and not in a bubble of the browser.
    await page.getByText('Enter your email address').waitFor()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').getByText('This setup token is wrong').waitFor()
    await examine(dashboard(), 'setup-account')
  })

  it('takes the token from the link, and removes it from the URL', async () => {
    const { page, server, open } = dashboard()
    // A change after the # doesn't load a new page.
    await open('/docs')
    await open(`/setup#token=${server.setupToken()}`)
    await page.getByLabel('Email').fill(person.email)
    expect(await page.getByLabel('Setup token').count()).toBe(0)
    expect(page.url()).not.toContain('hfs_')
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('heading', { name: 'Save a copy of the root key' }).waitFor()
  })

  it('shows the key file, names the vault and imports into it', async () => {
    const { page } = dashboard()
    await page.getByText(/\.key$/).waitFor()
    await examine(dashboard(), 'setup-key')
    await page.getByLabel('I have saved a copy').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Vault name').fill('Harbour')
    await page.getByRole('button', { name: 'Import notes or memories' }).click()
    await page.getByRole('button', { name: 'Choose a folder' }).waitFor()
    await page
      .locator('input[type="file"]')
      .first()
      .setInputFiles({ name: 'AGENTS.md', mimeType: 'text/markdown', buffer: Buffer.from('# Rules\n\n- Use tabs.\n') })
    await page.getByRole('button', { name: /^Import \d/ }).click()
    await page.getByText('Imported. You can undo this under Import & export.').waitFor()
    await examine(dashboard(), 'setup-vault')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
  })

  it('goes back a step, and keeps the size of the card', async () => {
    const { page } = dashboard()
    const cardSize = async () => {
      const { width, height } = (await page.locator('main > div').boundingBox()) ?? {}
      return { width, height }
    }
    await page.getByText('Step 4 of 4').waitFor()
    const size = await cardSize()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByLabel('Vault name').waitFor()
    expect(await cardSize()).toEqual(size)
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Save a copy of the root key' }).waitFor()
    expect(await cardSize()).toEqual(size)
    expect(await page.getByRole('button', { name: 'Back' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
  })

  it('continues at the same step after a reload', async () => {
    const { page } = dashboard()
    await page.reload()
    await page.getByRole('heading', { name: 'Connect an agent' }).waitFor()
  })

  it('connects an agent, and shows its first call', async () => {
    const { page, server } = dashboard()
    await page.getByRole('radio', { name: 'Claude Code' }).check()
    await examine(dashboard(), 'setup-clients')
    await page.getByRole('button', { name: 'Create key for Claude Code' }).click()
    await page.getByText('Listening for the first call').waitFor()
    const first = await readShownKey(page)
    // Nobody has copied the key, so leaving it takes a second click.
    await page.getByRole('button', { name: 'Back' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without the key?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await readShownKey(page)).toBe(first)
    page.once('dialog', (dialog) => void dialog.accept())
    await page.reload()
    await page.getByText('The key was shown only once').waitFor()
    await page.getByRole('button', { name: 'Create new key' }).click()
    await page.getByText('Your key is already filled in').waitFor()
    key = await readShownKey(page)
    const info = (agentKey: string) =>
      fetch(`${server.url}/api/agent/info`, { headers: { Authorization: `Bearer ${agentKey}` } })
    expect((await info(first)).status).toBe(401)
    await examine(dashboard(), 'setup-connect')
    const client = new Client({ name: 'claude-code', version: '2.0.0' })
    const requestInit = { headers: { Authorization: `Bearer ${key}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
    await page.getByText('Now tell your agent something worth remembering').waitFor()
    await client.close()
  })

  it('waits for the first memory of an agent, ignoring imports, and shows it', async () => {
    const { page, server } = dashboard()
    await page.getByText('Waiting for the first memory').waitFor()
    await examine(dashboard(), 'setup-try')
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const body = JSON.stringify({ content: 'Ada prefers tabs to spaces.' })
    await fetch(`${server.url}/api/agent/write-memory`, { method: 'POST', headers, body })
    await page.getByRole('status').getByText('Ada prefers tabs to spaces.').waitFor()
    await examine(dashboard(), 'setup-remembered')
    await page.getByRole('button', { name: 'Open dashboard' }).click()
    await page.getByRole('button', { name: 'Harbour' }).waitFor()
  })

  it('creates one agent, named after its client', async () => {
    const { page, open } = dashboard()
    await open('/agents')
    await page.getByRole('link', { name: 'Claude Code', exact: true }).waitFor()
    expect(await page.getByRole('table', { name: 'Agents' }).getByRole('row').count()).toBe(2)
  })

  it('cannot be repeated', async () => {
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
