import { expect, it } from 'vitest'
import { codeOf } from './authenticator.ts'
import { describeDashboard, examine } from './dashboard.ts'
import { ask, person } from './server.ts'

const newPassword = 'another long and private sentence'

describeDashboard('the settings', {}, (dashboard) => {
  const section = (name: string) => dashboard().page.getByRole('region', { name, exact: true })

  const openForm = (what: string) =>
    section('Account')
      .getByRole('button', { name: `Change ${what}` })
      .click()

  /** Signs in as another browser. */
  async function signInElsewhere(password: string): Promise<number> {
    const { status } = await fetch(`${dashboard().server.url}/api/auth/login`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      },
      body: JSON.stringify({ email: person.email, password }),
    })
    return status
  }

  it('every section has its own URL', async () => {
    const { page, open } = dashboard()
    await open('/settings')
    await page.waitForURL(/\/settings\/account$/)
    await section('Account').getByText(person.email).waitFor()
    const links = page.getByRole('navigation', { name: 'Settings' })
    await links.getByRole('region', { name: 'Server' }).getByRole('link', { name: 'Backups' }).waitFor()
    await links.getByRole('region', { name: 'You' }).getByRole('link', { name: 'Shortcuts' }).click()
    await page.waitForURL(/\/settings\/shortcuts$/)
    await section('Global shortcuts').getByText('Memories').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('textbox', { name: 'Search or jump to' }).fill('quota')
    await page.getByText('Settings: Limits').click()
    await section('Limits')
      .getByRole('row', { name: /Searches/ })
      .getByText('600')
      .waitFor()
    await examine(dashboard(), 'settings-limits')
  })

  it('on a phone, the sections are a list, and each is a page that leads back to it', async () => {
    const { page, open } = dashboard()
    await page.setViewportSize({ width: 390, height: 844 })
    await open('/settings')
    const links = page.getByRole('navigation', { name: 'Settings' })
    await links.getByRole('link', { name: 'Limits' }).click()
    await page.getByRole('heading', { name: 'Limits', level: 1 }).waitFor()
    expect(await page.getByRole('heading', { name: 'Limits' }).count()).toBe(1)
    expect(await links.count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
    await links.getByRole('link', { name: 'Account' }).waitFor()
    await page.setViewportSize({ width: 1440, height: 900 })
    await page.waitForURL(/\/settings\/account$/)
  })

  it('sessions are listed and can be ended', async () => {
    const { page, open } = dashboard()
    await signInElsewhere(person.password)
    await signInElsewhere(person.password)
    await open('/settings/sessions')
    const rows = section('Browsers').getByRole('listitem')
    await rows.filter({ hasText: 'Firefox on Linux' }).first().waitFor()
    expect(await rows.count()).toBe(3)
    expect(await rows.filter({ hasText: 'This session' }).count()).toBe(1)
    await examine(dashboard(), 'settings-sessions')
    await rows.getByRole('button', { name: 'Sign out Firefox on Linux' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
    await expect.poll(() => rows.count()).toBe(2)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText('Signed out of 1 session').waitFor()
    await expect.poll(() => rows.count()).toBe(1)
  })

  it('a token for programs can be created and revoked', async () => {
    const { page, server } = dashboard()
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New dashboard token' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.keyboard.press('Enter')
    await dialog.getByText('Enter a name').waitFor()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Deploy script')
    await page.keyboard.press('Enter')
    const token = await dialog.getByText(/^hfd_/).textContent()
    const status = async () =>
      (await fetch(`${server.url}/api/auth/session`, { headers: { Authorization: `Bearer ${token}` } })).status
    expect(await status()).toBe(200)
    await dialog.getByRole('button', { name: 'Done' }).click()
    const rows = section('Dashboard tokens').getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)
    await rows
      .first()
      .getByText(/expires/)
      .waitFor()
    await rows.filter({ hasText: 'Deploy script' }).waitFor()
    await rows
      .filter({ hasNotText: 'Deploy script' })
      .getByRole('button', { name: /^Revoke Token created .*\d:\d\d/ })
      .click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await expect.poll(() => rows.count()).toBe(1)
    expect(await status()).toBe(200)
    await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
    const ending = page.getByRole('dialog')
    await ending.getByLabel('Also revoke all dashboard tokens').check()
    await ending.getByRole('button', { name: 'Sign out everywhere else' }).click()
    await page.getByText(/1 token revoked/).waitFor()
    expect(await status()).toBe(401)
  })

  it('a changed name shows in the user menu', async () => {
    const { page, open } = dashboard()
    await open('/settings/account')
    const change = async (name: string) => {
      await section('Account').getByRole('button', { name: 'Change name' }).press('Enter')
      const form = page.getByRole('form', { name: 'Change name' })
      await expect.poll(() => page.locator(':focus').getAttribute('autocomplete')).toBe('name')
      await form.getByLabel('Name').fill(name)
      await page.keyboard.press('Enter')
      await form.waitFor({ state: 'detached' })
      await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Change name')
    }
    await change('Ada Lovelace')
    await page.getByRole('button', { name: 'Ada Lovelace' }).waitFor()
    await change('')
    await page.getByRole('button', { name: person.email }).waitFor()
  })

  it('one form of the account is open at a time, and what is typed in another stays until it is cancelled', async () => {
    const { page, open } = dashboard()
    await open('/settings/account')
    const name = page.getByRole('form', { name: 'Change name' }).getByLabel('Name')
    await openForm('name')
    await name.fill('Ada')
    await openForm('email')
    await page.getByRole('form', { name: 'Change email' }).waitFor()
    expect(await name.count()).toBe(0)
    await openForm('name')
    expect(await name.inputValue()).toBe('Ada')
    await page.getByRole('button', { name: 'Cancel' }).press('Enter')
    await name.waitFor({ state: 'detached' })
    await expect.poll(() => page.locator(':focus').getAttribute('aria-label')).toBe('Change name')
    await openForm('name')
    expect(await name.inputValue()).toBe('')
  })

  it('changing the email takes the password', async () => {
    const { page, open } = dashboard()
    await open('/settings/account')
    const form = page.getByRole('form', { name: 'Change email' })
    const change = async (email: string, password: string) => {
      await form.getByLabel('New email').fill(email)
      await form.getByRole('textbox', { name: 'Your password' }).fill(password)
      await form.getByRole('button', { name: 'Change email' }).click()
    }
    await openForm('email')
    await change('countess@example.org', 'not this one')
    await form.getByText('This password is wrong').waitFor()
    await change('countess@example.org', person.password)
    await section('Account').getByText('countess@example.org').waitFor()
    expect(await signInElsewhere(person.password)).toBe(401)
    await openForm('email')
    await change(person.email, person.password)
    await section('Account').getByText(person.email).waitFor()
    expect(await signInElsewhere(person.password)).toBe(200)
  })

  it('changing the password takes the old one', async () => {
    const { page, open } = dashboard()
    await open('/settings/account')
    await openForm('password')
    const form = page.getByRole('form', { name: 'Change password' })
    await form.getByLabel('Current password').fill('not this one')
    await form.getByLabel('New password').fill(newPassword)
    await page.keyboard.press('Enter')
    await form.getByText('This password is wrong').waitFor()
    await examine(dashboard(), 'settings-account')
    await form.getByLabel('Current password').fill(person.password)
    await form.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    expect([await signInElsewhere(person.password), await signInElsewhere(newPassword)]).toEqual([401, 200])
  })

  let secret = ''
  let codes: readonly string[] = []

  it('setting up a second factor shows recovery codes once', async () => {
    const { page, open } = dashboard()
    await open('/settings/second-factor')
    await section('Second factor').getByText('Off', { exact: true }).waitFor()
    await examine(dashboard(), 'settings-factor-off')
    const dialog = page.getByRole('dialog', { name: 'Set up a second factor' })
    const begin = async () => {
      await page.getByRole('button', { name: 'Set up' }).click()
      await dialog.getByRole('textbox', { name: 'Password' }).fill(newPassword)
      await page.keyboard.press('Enter')
    }
    await begin()
    await dialog.getByLabel('Code from the app').waitFor()
    // The same as if another window had started it.
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await begin()
    await dialog.getByText(/maybe in another window/).waitFor()
    await examine(dashboard(), 'settings-factor-begun')
    await dialog.getByRole('button', { name: 'Start over' }).click()
    await dialog.getByRole('img', { name: 'QR code of the key for an authenticator app' }).waitFor()
    await examine(dashboard(), 'settings-factor-picture')
    secret = (await dialog.getByText(/^[A-Z2-7]{32}$/).textContent()) ?? ''
    await dialog.getByLabel('Code from the app').fill('000000')
    await page.keyboard.press('Enter')
    await dialog.getByText(/^This code is wrong/).waitFor()
    await dialog.getByLabel('Code from the app').fill(codeOf(secret))
    await page.keyboard.press('Enter')
    const shown = page.getByRole('dialog', { name: 'Save your recovery codes' })
    await shown.getByText(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}/).waitFor()
    await page.keyboard.press('Escape')
    await examine(dashboard(), 'settings-factor-codes')
    expect(await shown.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
    await shown.getByLabel('I have saved the codes').check()
    await shown.getByRole('button', { name: 'Done' }).click()
    await section('Second factor').getByText('10 recovery codes left').waitFor()
  })

  it('new recovery codes replace the former ones', async () => {
    const { page, open } = dashboard()
    await open('/settings/second-factor')
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    const renewing = page.getByRole('dialog', { name: 'Create new recovery codes?' })
    await renewing.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    // Each code works only once, but the next one already works.
    await renewing.getByLabel('Code', { exact: true }).fill(codeOf(secret, 1))
    await renewing.getByRole('button', { name: 'Create new codes' }).click()
    const kept = page.getByRole('dialog', { name: 'Save your recovery codes' })
    const text = await kept.getByText(/^([0-9A-Z]{4}-){5}[0-9A-Z]{4}/).textContent()
    await kept.getByLabel('I have saved the codes').check()
    await kept.getByRole('button', { name: 'Done' }).click()
    codes = text?.split('\n') ?? []
    expect(codes).toHaveLength(10)
  })

  it('a dashboard token and an admin agent need a code of the second factor', async () => {
    const [, second = '', third = ''] = codes
    await createTokenWithCode(second)
    await createAdminWithCode(third)
  })

  it('a second factor is removed with a recovery code', async () => {
    const { page, open } = dashboard()
    await open('/settings/second-factor')
    await page.getByRole('button', { name: 'Remove' }).click()
    const removing = page.getByRole('dialog', { name: 'Remove the second factor?' })
    await removing.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await removing.getByLabel('Code', { exact: true }).fill(codes[0] ?? '')
    await examine(dashboard(), 'settings-factor-remove')
    await removing.getByRole('button', { name: 'Remove' }).click()
    await section('Second factor').getByText('Off', { exact: true }).waitFor()
  })

  async function createTokenWithCode(code: string): Promise<void> {
    const { page, open } = dashboard()
    await open('/settings/sessions')
    await page.getByRole('button', { name: 'New token' }).click()
    const dialog = page.getByRole('dialog', { name: 'New dashboard token' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Backup script')
    await dialog.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await dialog.getByRole('button', { name: 'Create token' }).click()
    await dialog.getByText('Enter a code from your app, or a recovery code').waitFor()
    await dialog.getByLabel('Code', { exact: true }).fill(code)
    await page.keyboard.press('Enter')
    await dialog.getByText(/^hfd_/).waitFor()
    await dialog.getByRole('button', { name: 'Done' }).click()
  }

  async function createAdminWithCode(code: string): Promise<void> {
    const { page, open } = dashboard()
    await open('/agents?new=true')
    const form = page.getByRole('dialog', { name: 'New agent' })
    await form.getByLabel('Name').fill('Caretaker')
    await form.getByLabel('Access').click()
    await page.getByRole('option', { name: /^Admin/ }).click()
    await form.getByRole('button', { name: 'Create agent' }).click()
    const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await examine(dashboard(), 'settings-factor-agent')
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled. This needs your password and a code.').waitFor()
    await form.getByRole('button', { name: 'Create agent' }).click()
    await proof.getByRole('textbox', { name: 'Password' }).fill('not this one')
    await proof.getByLabel('Code', { exact: true }).fill(code)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await proof.getByText('This password is wrong').waitFor()
    await proof.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    const detail = page.getByRole('region', { name: 'Agent', exact: true })
    await detail.getByText('No keys yet').waitFor()
    await loosenPolicy()
  }

  /** A stricter policy asks for nothing, a looser one for the proof. */
  async function loosenPolicy(): Promise<void> {
    const { page } = dashboard()
    const choose = async (rule: RegExp) => {
      await page.getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: 'Edit agent' })
      await form.getByRole('combobox', { name: 'Editing your records' }).click()
      await page.getByRole('option', { name: rule }).click()
      await form.getByRole('button', { name: 'Save' }).click()
      return form
    }
    const tightened = await choose(/^Don’t allow/)
    await tightened.waitFor({ state: 'hidden' })
    const form = await choose(/^Ask me first/)
    const proof = page.getByRole('dialog', { name: 'Confirm that it’s you' })
    await proof.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Cancelled. This needs your password and a code.').first().waitFor()
    await form.getByRole('button', { name: 'Cancel' }).click()
  }

  it('rotating the root key lists the remaining steps', async () => {
    const { page, open } = dashboard()
    await open('/settings/encryption')
    const key = section('Root key')
    await key.getByText('Keep a copy of the root key elsewhere').waitFor()
    await key.getByText('Healthy').waitFor()
    const id = key.getByText(/^[0-9a-f]{16}$/)
    const former = (await id.textContent()) ?? ''
    await examine(dashboard(), 'settings-encryption')
    await key.getByRole('button', { name: 'Rotate key' }).click()
    const asking = page.getByRole('dialog', { name: 'Rotate the root key?' })
    await asking.getByRole('textbox', { name: 'Password' }).fill('not this one')
    await page.keyboard.press('Enter')
    await asking.getByText('This password is wrong').waitFor()
    await asking.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await page.keyboard.press('Enter')
    const done = page.getByRole('dialog', { name: 'Key rotated' })
    await done.getByText(/^Copy the new key/).waitFor()
    await examine(dashboard(), 'settings-encryption-done')
    await expect
      .poll(() => done.getByRole('button', { name: 'Done' }).evaluate((node) => node === document.activeElement))
      .toBe(true)
    await page.keyboard.press('Enter')
    await done.waitFor({ state: 'hidden' })
    await expect.poll(() => id.textContent()).not.toBe(former)
    await open('/activity')
    await page.getByText('Rotated encryption keys').first().waitFor()
  })

  it('rotating the keys of vaults shows how far it is', async () => {
    const { page, open } = dashboard()
    await open('/settings/encryption')
    const keys = section('User and vault keys')
    await keys.getByText('never rotated').first().waitFor()
    await keys.getByRole('button', { name: 'Rotate vault keys' }).click()
    const asking = page.getByRole('dialog', { name: 'Rotate the keys of all vaults?' })
    await asking.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await page.keyboard.press('Enter')
    const done = page.getByRole('dialog', { name: 'Rotation started' })
    await done.getByText(/^The server continues by itself/).waitFor()
    await done.getByRole('button', { name: 'Done' }).click()
    await keys.getByText(/\d+ of \d+ keys? left/).waitFor()
    await keys.getByText(/^The server is creating the new keys|^The new keys come into use/).waitFor()
    expect(await keys.getByText(/0 of 0/).count()).toBe(0)
    await examine(dashboard(), 'settings-encryption-vaults')
  })

  it('a user can be disabled, enabled and deleted', async () => {
    const { page, open, server } = dashboard()
    const grace = { email: 'grace@example.org', password: person.password }
    await ask(server, server.operatorToken(), '/api/operator/users', grace)
    await open('/settings/users')
    const row = section('Users').getByRole('listitem').filter({ hasText: grace.email })
    await row.getByRole('button', { name: `Disable ${grace.email}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await row.getByText('Disabled', { exact: true }).waitFor()
    await examine(dashboard(), 'settings-users')
    await row.getByRole('button', { name: `Enable ${grace.email}` }).click()
    await row.getByRole('button', { name: `Delete ${grace.email}` }).click()
    const dialog = page.getByRole('dialog', { name: `Delete ${grace.email} permanently?` })
    await dialog.getByLabel(/to confirm/).fill('someone else')
    await dialog.getByRole('textbox', { name: 'Password' }).fill(newPassword)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('Type the email address exactly').waitFor()
    await dialog.getByLabel(/to confirm/).fill(grace.email)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await row.waitFor({ state: 'detached' })
  })

  it('the system check shows the state of the server', async () => {
    const { page, open } = dashboard()
    await open('/settings/system')
    const checks = section('System check').getByRole('list', { name: 'Checks' })
    await checks.getByText('every job succeeded the last time it ran').waitFor()
    await section('This server')
      .getByText(/\.key$/)
      .waitFor()
    await section('System check')
      .getByRole('status')
      .getByText(/^(\d+ warnings?, )?\d+ OK$/)
      .waitFor()
    await page.getByRole('button', { name: 'Check again' }).click()
    await checks.getByText('SQLite responds').waitFor()
    expect(await checks.textContent()).not.toMatch(/since \d{4}-\d\d/)
    expect(await checks.textContent()).toMatch(/since \w+ \d+, \d{4}|since \d+ \w+ \d{4}/)
    await examine(dashboard(), 'settings-system')
  })
})
