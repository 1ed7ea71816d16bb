import type { CDPSession } from 'playwright-core'
import { expect, it } from 'vitest'
import { addSession, describeDashboard, examine } from './dashboard.ts'
import { person } from './server.ts'

describeDashboard('passkeys', {}, (dashboard) => {
  let cdp: CDPSession
  let authenticatorId: string

  /** The server's URL with `localhost`, which browsers accept for passkeys. */
  const named = () => dashboard().server.url.replace('127.0.0.1', 'localhost')
  const section = () => dashboard().page.getByRole('region', { name: 'Passkeys', exact: true })
  const resetAside = () => section().getByText('Remove your second factor and all your passkeys')
  const rows = () => section().getByRole('list', { name: 'Passkeys' }).getByRole('listitem')

  async function signOut(): Promise<void> {
    const { page } = dashboard()
    await page.getByRole('button', { name: person.email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  }

  async function beginToAdd() {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.keyboard.press('Enter')
    await expect.poll(() => dialog.locator('input:focus').getAttribute('maxlength')).toBe('100')
    return dialog
  }

  it('where browsers reject passkeys, the page says where they work', async () => {
    const { page, open } = dashboard()
    await open('/settings/passkeys')
    const link = section().getByRole('link', { name: `Open ${new URL(named()).host}` })
    expect(await link.getAttribute('href')).toBe(`${named()}/settings/passkeys`)
    await section().getByText('No passkeys yet.').waitFor()
    expect(await page.getByRole('button', { name: 'Add a passkey' }).count()).toBe(0)
    // There is nothing to remove.
    expect(await resetAside().count()).toBe(0)
    await examine(dashboard(), 'passkeys-elsewhere')
  })

  it('adding a passkey takes the password and a name', async () => {
    const { page, server } = dashboard()
    cdp = await page.context().newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const options = {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    } as const
    authenticatorId = (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
    await addSession(page.context(), { ...server, url: named() })
    await page.goto(`${named()}/settings/passkeys`)
    await section().getByText('No passkeys yet.').waitFor()
    await examine(dashboard(), 'passkeys-none')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill('not this one')
    await page.keyboard.press('Enter')
    await dialog.getByText('This password is wrong').waitFor()
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Laptop')
    await examine(dashboard(), 'passkeys-adding')
    await page.keyboard.press('Enter')
    await rows().filter({ hasText: 'Laptop' }).getByText('never used').waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Add a passkey')
    await resetAside().waitFor()
    await examine(dashboard(), 'passkeys-one')
  })

  it('a device can’t be registered twice', async () => {
    const { page } = dashboard()
    const dialog = await beginToAdd()
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').getByText('This device already has a passkey for this account.').waitFor()
    await examine(dashboard(), 'passkeys-twice')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await rows().count()).toBe(1)
  })

  it('a passkey signs in without email, password or code, and returns to the page', async () => {
    const { page } = dashboard()
    await signOut()
    await page.goto(`${named()}/settings/passkeys`)
    const enter = page.getByRole('button', { name: 'Sign in with a passkey' })
    await enter.waitFor()
    await examine(dashboard(), 'sign-in-passkey')
    await enter.focus()
    await page.keyboard.press('Enter')
    await rows().filter({ hasText: 'Laptop' }).getByText('last used').waitFor()
  })

  it('a passkey can be renamed', async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'Rename Laptop' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename passkey' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Desk')
    await page.keyboard.press('Enter')
    await rows().getByText('Desk', { exact: true }).waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Rename')
  })

  it('a removed passkey no longer signs in', async () => {
    const { page } = dashboard()
    await page.getByRole('button', { name: 'Remove Desk' }).click()
    const dialog = page.getByRole('dialog', { name: 'Remove Desk?' })
    await dialog.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await examine(dashboard(), 'passkeys-remove')
    await page.keyboard.press('Enter')
    await section().getByText('No passkeys yet.').waitFor()
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Add a passkey')
    await signOut()
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByRole('alert').getByText('This passkey isn’t registered here.').waitFor()
    await examine(dashboard(), 'sign-in-passkey-gone')
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId })
    expect(credentials).toHaveLength(1)
  })
})
