import { expect, it } from 'vitest'
import { codeOf } from './authenticator.ts'
import { describeDashboard, examine } from './dashboard.ts'
import { person } from './server.ts'

describeDashboard('the log-in with a second factor', {}, (dashboard) => {
  let secret = ''
  let recoveryCodes: string[] = []

  async function enterPassword(): Promise<void> {
    const { page } = dashboard()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill(person.email)
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Second step' }).waitFor()
  }

  it('ends the sessions that were there when it was set up', async () => {
    const { page, open, mine } = dashboard()
    await open('/vaults')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    secret = String((await mine('/api/auth/totp', { password: person.password }))['secret'])
    // Of the step before, so that the present one is still unused.
    const confirmed = await mine('/api/auth/totp/confirm', { code: codeOf(secret, -1) })
    recoveryCodes = confirmed['recoveryCodes'] as string[]
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  it('asks for the code after the password, and goes to where somebody was', async () => {
    const { page } = dashboard()
    await enterPassword()
    const field = page.getByLabel('Code')
    expect(await field.getAttribute('autocomplete')).toBe('one-time-code')
    expect(await page.locator(':focus').getAttribute('autocomplete')).toBe('one-time-code')
    await field.fill('000000')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('This code is not right').waitFor()
    await examine(dashboard(), 'sign-in-code')
    const code = codeOf(secret)
    await page.evaluate((text) => navigator.clipboard.writeText(text), `${code.slice(0, 3)} ${code.slice(3)}`)
    await field.clear()
    await field.press('Control+v')
    await page.keyboard.press('Enter')
    await page.getByRole('table', { name: 'Vaults' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/vaults')
  })

  it('takes a recovery code in place of it, once', async () => {
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
    await page.getByRole('alert').getByText('This code is not right, or was used before.').waitFor()
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Password' }).inputValue()).toBe('')
  })
})
