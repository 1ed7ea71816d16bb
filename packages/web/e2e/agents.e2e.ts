import { expect, it } from 'vitest'
import { describeDashboard, examine, hidesButtons } from './dashboard.ts'

describeDashboard('agents, their keys and vaults', {}, (dashboard) => {
  const infoStatus = async (key: string) => {
    const response = await fetch(`${dashboard().server.url}/api/agent/info`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    return response.status
  }

  it('creates an agent and a key that is shown once, and revokes it', async () => {
    const { page, open } = dashboard()
    await open('/agents')
    await examine(dashboard(), 'agents')
    await page.keyboard.press('c')
    const form = page.getByRole('dialog', { name: 'New agent' })
    await form.getByRole('button', { name: 'Create agent' }).click()
    await form.getByText('Enter a name').waitFor()
    await form.getByLabel('Name').fill('Codex on the desk')
    const chooseVaults = async (which: string) => {
      await form.getByRole('combobox', { name: 'Vaults', exact: true }).click()
      await page.getByRole('option', { name: which }).click()
    }
    await chooseVaults('Only certain vaults')
    await form.getByRole('button', { name: 'Create agent' }).click()
    await form.getByText('Choose at least one vault').waitFor()
    await chooseVaults('All vaults')
    await examine(dashboard(), 'agent-new')
    await form.getByRole('button', { name: 'Create agent' }).click()
    const detail = page.getByRole('region', { name: 'Agent', exact: true })
    await detail.getByText('No keys yet').waitFor()
    await detail.getByRole('button', { name: 'New key' }).click()
    await detail.getByRole('button', { name: 'Create key' }).click()
    const created = page.getByRole('dialog', { name: 'Agent key' })
    const key = (await created.getByText(/^svc_\w{20,}/).textContent()) ?? ''
    expect(await infoStatus(key)).toBe(200)
    // The key is shown once, so only its button closes it.
    await page.keyboard.press('Escape')
    await page.mouse.click(4, 4)
    await examine(dashboard(), 'agent-key')
    expect(await created.getByText(key).count()).toBe(1)
    await created.getByRole('button', { name: 'Done' }).click()
    await created.waitFor({ state: 'detached' })
    await detail.getByText(`svc_…${key.slice(-4)}`).waitFor()
    expect(await page.getByText(key).count()).toBe(0)
    await detail.getByRole('button', { name: /^Revoke/ }).click()
    await page
      .getByRole('dialog', { name: /^Revoke/ })
      .getByRole('button', { name: 'Revoke' })
      .click()
    await detail.getByText('Revoked', { exact: true }).waitFor()
    expect(await infoStatus(key)).toBe(401)
  })

  it('pauses and resumes an agent, and changes its access', async () => {
    const { page, open, owner } = dashboard()
    await open(`/agents/${owner.integrationId}`)
    const detail = page.getByRole('region', { name: 'Agent', exact: true })
    await detail.getByRole('button', { name: 'Pause' }).click()
    await detail.getByText('Paused: its keys don’t work').waitFor()
    expect(await infoStatus(owner.agentKey)).toBe(403)
    await detail.getByRole('button', { name: 'Resume' }).click()
    await detail.getByRole('button', { name: 'Pause' }).waitFor()
    expect(await infoStatus(owner.agentKey)).toBe(200)
    await detail.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit agent' })
    await form.getByRole('button', { name: 'Save' }).waitFor()
    await page.setViewportSize({ width: 1280, height: 720 })
    expect(await hidesButtons(page)).toBe(false)
    await examine(dashboard(), 'agent-edit')
    await form.getByLabel('Access').click()
    await page.getByRole('option', { name: /^Read and write/ }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await detail.getByText('Read and write').waitFor()
  })

  it('says under which names an agent may act, and keeps others from its own', async () => {
    const { page, open, agent } = dashboard()
    expect((await agent('read-messages', { agentId: 'planner' })).total).toBe(0)
    await open('/agents')
    await page.getByRole('button', { name: 'New agent' }).click()
    const form = page.getByRole('dialog', { name: 'New agent' })
    await form.getByLabel('Name').fill('The planner')
    await form.getByRole('button', { name: 'More options' }).click()
    const pin = form.getByRole('checkbox', { name: 'Only act as this agent' })
    expect(await pin.isChecked()).toBe(false)
    await form.getByLabel('Agent id').fill('user')
    expect(await pin.isChecked()).toBe(true)
    await form.getByLabel('Can also act as').fill('scheduler')
    await page.keyboard.press('Enter')
    await form.getByRole('combobox', { name: 'Editing your records' }).click()
    await page.getByRole('option', { name: 'Don’t allow' }).click()
    await examine(dashboard(), 'agent-new-names')
    await form.getByRole('button', { name: 'Create agent' }).click()
    await form.getByText(/must not look like "user"/).waitFor()
    await form.getByLabel('Agent id').fill('planner')
    await form.getByRole('button', { name: 'Create agent' }).click()
    const detail = page.getByRole('region', { name: 'Agent', exact: true })
    await detail.getByText('Only itself, and scheduler', { exact: true }).waitFor()
    await detail.getByText('Not allowed', { exact: true }).waitFor()
    await examine(dashboard(), 'agent-names')
    await expect(agent('read-messages', { agentId: 'planner' })).rejects.toThrow('belongs to another integration')
    await detail.getByRole('button', { name: 'Edit' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit agent' })
    await edit.getByRole('checkbox', { name: 'Only act as this agent' }).uncheck()
    await edit.getByRole('button', { name: 'Save' }).click()
    await detail.getByText('Any agent that isn’t limited to itself, and scheduler').waitFor()
    expect((await agent('read-messages', { agentId: 'planner' })).total).toBe(0)
  })

  it('shows whose key sent and acknowledged a message under another name', async () => {
    const { page, open, agent, mine, owner } = dashboard()
    const { vaultId } = owner
    await agent('send-message', { targetId: 'user', content: 'Send me the key.', agentId: 'planner' })
    const asked = await mine('/api/messages', { vaultId, targetId: 'planner', content: 'Why?' })
    await agent('ack-message', { messageId: asked.messageId, agentId: 'planner' })
    await open('/messages?box=all')
    const list = page.getByRole('list', { name: 'Threads' })
    await list.getByText('key: Scout').waitFor()
    await examine(dashboard(), 'inbox-keys')
    await page.getByRole('link', { name: 'Why?' }).click()
    await page.getByText(/acknowledged this/).waitFor()
    expect(await page.getByText(/acknowledged this/).textContent()).toContain('planner key: Scout acknowledged')
  })

  it('deletes an agent with its keys, after a confirmation', async () => {
    const { page, open } = dashboard()
    await open('/agents')
    await page.getByRole('link', { name: 'Codex on the desk', exact: true }).click()
    const detail = page.getByRole('region', { name: 'Agent', exact: true })
    await detail.getByRole('button', { name: 'Actions for Codex on the desk' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Codex on the desk?' })
    await question.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Codex on the desk deleted').waitFor()
    await page.getByRole('link', { name: 'Codex on the desk', exact: true }).waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/agents')
  })

  it('connects another client with its own key, filled in already', async () => {
    const { page, open } = dashboard()
    await open('/connect')
    await page.getByRole('radio', { name: 'GitHub Copilot CLI' }).check()
    await page.getByRole('group', { name: '~/.copilot/mcp-config.json' }).getByText('Bearer svc_...').waitFor()
    await page.getByRole('button', { name: 'Create agent and key' }).click()
    const key = (await page.getByRole('group', { name: 'Agent key' }).textContent()) ?? ''
    // Leaving asks, until the key was copied or used.
    await page.getByRole('radio', { name: 'Cursor' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without the key?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    const snippet = page.getByRole('group', { name: '~/.copilot/mcp-config.json' })
    await snippet.getByText(`Bearer ${key}`).waitFor()
    await examine(dashboard(), 'connect')
    expect(await infoStatus(key)).toBe(200)
    await page.getByText('GitHub Copilot CLI has made its first call.').waitFor()
  })

  it('adds the server to a client with one click, without a key in the link', async () => {
    const { page, server, open } = dashboard()
    await open('/connect?client=cursor')
    const link = page.getByRole('link', { name: 'Add to Cursor' })
    const config = new URL((await link.getAttribute('href')) ?? '').searchParams.get('config') ?? ''
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual({
      url: `${server.url}/mcp`,
      headers: { Authorization: 'Bearer ${env:HOLDFAST_KEY}' },
    })
    await page.getByRole('button', { name: 'Create agent and key' }).click()
    await page.getByRole('button', { name: 'Copy: Agent key' }).click()
    expect(await link.getAttribute('href')).not.toContain('svc_')
    await examine(dashboard(), 'connect-link')
    // The key was copied, so leaving doesn't ask.
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByRole('radio', { name: 'LM Studio' }).click()
    await page.getByRole('link', { name: 'Add to LM Studio' }).waitFor()
    await page.getByText('replace svc_... with your key').waitFor()
  })

  it('shows working commands for custom code', async () => {
    const { page, server, open } = dashboard()
    await open('/connect')
    await page.getByRole('radio', { name: 'My own code' }).check()
    await page.getByRole('button', { name: 'Create agent and key' }).click()
    const key = (await page.getByRole('group', { name: 'Agent key' }).textContent()) ?? ''
    const exported = page.getByRole('group', { name: 'In your shell or its profile' })
    expect(await exported.textContent()).toBe(`export HOLDFAST_URL=${server.url}\nexport HOLDFAST_KEY=${key}`)
    const send = async (name: string) => {
      const command = (await page.getByRole('group', { name }).textContent()) ?? ''
      const [, path = '', body = ''] = /^curl -s "\$HOLDFAST_URL(\S+)" .*-d '(.+)'$/s.exec(command) ?? []
      const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
      const answer = await fetch(`${server.url}${path}`, { method: 'POST', headers, body })
      return JSON.stringify([answer.status, await answer.json()])
    }
    expect(await send('Write, in a shell')).toMatch(/^\[201,/)
    expect(await send('Search, in a shell')).toMatch(/^\[200,.*Ada prefers tabs to spaces\./)
    await examine(dashboard(), 'connect-rest')
    await page.getByText('My own code has made its first call.').waitFor()
  })

  it('creates, shows, renames and deletes vaults, which takes typing the name', async () => {
    const { page, open } = dashboard()
    await open('/vaults?new=true')
    const form = page.getByRole('dialog', { name: 'New vault' })
    await form.getByLabel('Name').fill('Boat')
    await form.getByRole('button', { name: 'Create vault' }).click()
    await page.getByRole('button', { name: 'Vault Boat' }).waitFor()
    await examine(dashboard(), 'vaults')
    const row = page.getByRole('row', { name: /Boat/ })
    await row.getByRole('button', { name: 'Actions for Boat' }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const change = page.getByRole('dialog', { name: 'Edit vault' })
    await change.getByLabel('Name').fill('Ferry')
    await change.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Vault Ferry' }).waitFor()
    await page.getByRole('button', { name: 'Actions for Ferry' }).click()
    await page.getByRole('menuitem', { name: 'Delete permanently' }).click()
    const question = page.getByRole('dialog', { name: 'Delete Ferry permanently?' })
    await question.getByLabel('Type Ferry to confirm').fill('ferry')
    expect(await question.getByRole('button', { name: 'Delete permanently' }).isDisabled()).toBe(true)
    await examine(dashboard(), 'vault-delete')
    await question.getByLabel('Type Ferry to confirm').fill('Ferry')
    await question.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('Vault Ferry deleted').waitFor()
    await page.getByRole('button', { name: 'Vault Main' }).waitFor()
  })
})
