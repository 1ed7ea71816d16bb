import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { newProof } from '../../server/test/oauth-client.ts'
import { describeDashboard, examine } from './dashboard.ts'

/** A program on this machine that waits for its answer. */
async function startProgram() {
  const answers: URLSearchParams[] = []
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (pathname === '/callback') answers.push(searchParams)
    response.setHeader('Content-Type', 'text/html').end('<title>Program</title><h1>Back in the program</h1>')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { answers, redirectUri: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` }
}

describeDashboard('the page where people decide about a program', {}, (dashboard) => {
  const post = async (path: string, body: object | URLSearchParams) => {
    const response = await fetch(dashboard().server.url + path, {
      method: 'POST',
      ...(body instanceof URLSearchParams
        ? { body }
        : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    })
    return (await response.json()) as Record<string, unknown>
  }

  const ask = async (over: Record<string, string> = {}) => {
    const program = await startProgram()
    const { client_id: clientId } = await post('/oauth/register', {
      client_name: 'Desk helper',
      redirect_uris: ['http://127.0.0.1/callback'],
    })
    const { codeVerifier, codeChallenge } = newProof()
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: String(clientId),
      redirect_uri: program.redirectUri,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      state: '1e5',
      ...over,
    })
    return { ...program, clientId: String(clientId), codeVerifier, path: `/oauth/authorize?${query.toString()}` }
  }

  it('shows who asks, lets the person choose or create an agent, and returns a code that works', async () => {
    const { page, open } = dashboard()
    const asked = await ask()
    await open(asked.path)
    await page.getByRole('heading', { name: 'Connect a program' }).waitFor()
    await page.getByText(new URL(asked.redirectUri).host).first().waitFor()
    await examine(dashboard(), 'authorize')
    const allow = page.getByRole('button', { name: 'Allow access' })
    expect(await allow.isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'New agent' }).click()
    const form = page.getByRole('dialog', { name: 'New agent' })
    expect(await form.getByLabel('Name').inputValue()).toBe('Desk helper')
    await form.getByRole('button', { name: 'Create agent' }).click()
    await page.getByText('Read and write').waitFor()
    await examine(dashboard(), 'authorize-chosen')
    await allow.click()
    await page.getByText('Back in the program').waitFor()
    const [answer] = asked.answers
    expect(answer?.get('state')).toBe('1e5')
    const tokens = await post(
      '/oauth/token',
      new URLSearchParams({
        grant_type: 'authorization_code',
        client_id: asked.clientId,
        code: answer?.get('code') ?? '',
        code_verifier: asked.codeVerifier,
        redirect_uri: asked.redirectUri,
      }),
    )
    expect(tokens).toMatchObject({ token_type: 'Bearer', access_token: expect.stringMatching(/^hfa_/) })
    await open('/agents')
    await page.getByText('Desk helper').click()
    const detail = page.getByRole('region', { name: 'Agent', exact: true })
    await detail.getByText('“Desk helper” at').waitFor()
    await detail.getByRole('button', { name: 'Revoke “Desk helper”' }).click()
    await page.getByRole('button', { name: 'Revoke access' }).click()
    await detail.getByText('Revoked', { exact: true }).waitFor()
  })

  it('returns an error to the program if the person denies it', async () => {
    const { page, open } = dashboard()
    const asked = await ask()
    await open(asked.path)
    await page.getByRole('button', { name: 'Deny' }).click()
    await page.getByText('Back in the program').waitFor()
    expect(Object.fromEntries(asked.answers[0] ?? [])).toEqual({
      error: 'access_denied',
      state: '1e5',
      iss: dashboard().server.url,
    })
  })

  it('explains a request that cannot be allowed, and sends nothing to an address that nobody registered', async () => {
    const { page, open } = dashboard()
    await open((await ask({ code_challenge_method: 'plain' })).path)
    await page.getByText('code_challenge_method must be S256').waitFor()
    await examine(dashboard(), 'authorize-problem')
    await open((await ask({ redirect_uri: 'https://evil.example/callback' })).path)
    await page.getByText('is not registered for this program').waitFor()
    expect(await page.getByRole('button', { name: /Return/ }).count()).toBe(0)
  })

  it('asks a person who is not signed in to do so first, and then shows the same request', async () => {
    const { browser, server } = dashboard()
    const asked = await ask()
    const context = await browser.newContext()
    const page = await context.newPage()
    await page.goto(server.url + asked.path)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(new URL(page.url()).searchParams.get('next')).toMatch(/^\/authorize\?request=q_[\w-]+$/)
    await context.close()
  })
})
