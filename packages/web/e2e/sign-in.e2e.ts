import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { codeOf } from './authenticator.ts'
import { describeDashboard, examine } from './dashboard.ts'
import { ask, person } from './server.ts'
import { intercept } from './intercept.ts'

describeDashboard('signing in with a second factor', {}, (dashboard) => {
  let secret = ''
  let recoveryCodes: string[] = []

  async function enterPassword(): Promise<void> {
    const { page } = dashboard()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Second factor' }).waitFor()
  }

  it('ends existing sessions when it is set up', async () => {
    const { page, open, mine } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    secret = String((await mine('/api/auth/totp', { password: person.password }))['secret'])
    // The previous code, so the current one is still unused.
    const confirmed = await mine('/api/auth/totp/confirm', { code: codeOf(secret, -1) })
    recoveryCodes = confirmed['recoveryCodes'] as string[]
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('says below a field what is wrong with it, not in a bubble of the browser', async () => {
    const { page } = dashboard()
    await page.getByLabel('Email').fill('ada')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('Enter your email address').waitFor()
    await page.getByText('Enter your password').waitFor()
  })

  it('asks for the code after the password, and returns to the previous page', async () => {
    const { page } = dashboard()
    await enterPassword()
    const field = page.getByLabel('Code')
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    expect(await page.locator(':focus').getAttribute('autocomplete')).toBe('one-time-code')
    await field.fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This code is wrong').waitFor()
    await examine(dashboard(), 'sign-in-code')
    const code = codeOf(secret)
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`)
    await field.clear()
    await field.press('Control+v')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/vaults')
  })

  it('accepts each recovery code once', async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: person.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await enterPassword()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await examine(dashboard(), 'sign-in-recovery')
    await page.getByLabel('Recovery code').fill((recoveryCodes[0] ?? '').toLowerCase())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.getByRole('button', { name: person.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await enterPassword()
    await page.getByRole('button', { name: 'Use a recovery code' }).click()
    await page.getByLabel('Recovery code').fill(recoveryCodes[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This code is wrong or was used before.').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('')
  })
})

describeDashboard('a browser with several users', {}, (dashboard) => {
  const grace = { email: 'grace@example.org', password: person.password }
  const secret = 'The spare key lies under the blue pot'

  async function signIn(page: Page, who: typeof person): Promise<void> {
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Email').fill(who.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(who.password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: who.email }).waitFor()
  }

  async function signOut(page: Page, who: typeof person): Promise<void> {
    await page.getByRole('button', { name: who.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  /** Everything in the browser's storage, except appearance settings. */
  const kept = (page: Page) =>
    page.evaluate(() => {
      const { vaultId } = JSON.parse(localStorage.getItem('holdfast-preferences') ?? '{}') as { vaultId?: string }
      return [JSON.stringify(Object.entries(sessionStorage)), vaultId ?? ''].join(' ')
    })

  it('keeps nothing after signing out, even during an import', async () => {
    const { page, server, agent, owner, open } = dashboard()
    await ask(server, server.operatorToken(), '/api/operator/users', grace)
    await agent('write-memory', { vaultId: owner.vaultId, summary: secret, content: secret, memoryType: 'fact' })
    await open('/memories')
    await page.getByText(secret).first().waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: 'Import & export' }).click()
    // The import never ends, because no response arrives.
    await intercept(page, '**/api/imports/records', async (route) => {
      const { dryRun } = route.request().postDataJSON() as { dryRun: boolean }
      if (dryRun) await route.continue()
    })
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose files or a zip' }).click()
    await (await chooser).setFiles(join(import.meta.dirname, '../../server/test/transfer/fixtures/server-memory.jsonl'))
    await page.getByRole('button', { name: /^Import \d+ records$/ }).click()
    await page.getByText('Importing “server-memory.jsonl”').waitFor()
    expect(await kept(page)).toContain('server-memory.jsonl')
    await signOut(page, person)
    await page.unroute('**/api/imports/records')
    expect(await kept(page)).not.toMatch(/server-memory|holdfast-import|[0-9a-f]{8}-/)
  })

  it('shows the next user nothing of the previous one', async () => {
    const { page } = dashboard()
    await signIn(page, grace)
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('link', { name: 'Import & export' }).click()
    await page.getByText('No imports into this vault yet.').waitFor()
    expect(await page.getByText(/server-memory\.jsonl/).count()).toBe(0)
    await page.getByRole('link', { name: 'Memories' }).click()
    await page.getByText('No memories yet').waitFor()
    expect(await page.getByText(secret).count()).toBe(0)
    await signOut(page, grace)
  })

  it('clears other tabs too, and opens them for the next user', async () => {
    const { page, server } = dashboard()
    await signIn(page, person)
    const other = await page.context().newPage()
    await other.goto(`${server.url}/memories`)
    await other.getByText(secret).first().waitFor()
    await signOut(page, person)
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, grace)
    await other.getByRole('button', { name: grace.email }).waitFor()
    expect(new URL(other.url()).pathname).toMatch(/^\/v\/[\w-]+$/)
    expect(await kept(other)).not.toContain(secret)
    await other.close()
    await signOut(page, grace)
  })

  it('does the same when the session ends elsewhere, and gives the next user no draft', async () => {
    const { page, server, open } = dashboard()
    await signIn(page, person)
    await open('/memories?new=true')
    const form = page.getByRole('dialog', { name: 'New memory' })
    await form.getByLabel('What to remember').fill('Half a secret')
    await expect.poll(() => kept(page)).toContain('Half a secret')
    await page.evaluate(() => sessionStorage.setItem('holdfast-import', '{"name":"diary.md"}'))
    const sessionKey = await page.evaluate(() => localStorage.getItem('holdfast-session-key') ?? '')
    const headers = { 'X-Requested-With': 'holdfast', 'X-Session-Key': sessionKey }
    const sessions = await page.request.get(`${server.url}/api/auth/sessions`, { headers })
    const own = ((await sessions.json()) as { sessions: { id: string; isCurrent: boolean }[] }).sessions
    const id = own.find(({ isCurrent }) => isCurrent)?.id ?? ''
    const ended = await page.request.post(`${server.url}/api/auth/sessions/end`, { headers, data: { id } })
    expect(ended.status()).toBe(200)
    // The page may already have left by itself.
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await kept(page)).not.toMatch(/diary\.md|secret/)
    await signIn(page, grace)
    await page.getByRole('link', { name: 'Memories', exact: true }).click()
    await page.getByText('No memories yet').waitFor()
    expect(await kept(page)).not.toContain('secret')
    // With text that isn't saved, this would ask first.
    await signOut(page, grace)
  })

  it('leads out of the vault of someone else with every link', async () => {
    const { page, open } = dashboard()
    await signIn(page, person)
    await page.waitForURL(/\/v\//)
    const { pathname } = new URL(page.url())
    await signOut(page, person)
    await open(`${pathname}/tasks`)
    await signIn(page, grace)
    await page.getByRole('heading', { name: 'Vault not found' }).waitFor()
    await page.getByRole('link', { name: 'Memories', exact: true }).click()
    await page.getByText('No memories yet').waitFor()
    expect(page.url()).not.toContain(pathname)
    await signOut(page, grace)
  })
})
