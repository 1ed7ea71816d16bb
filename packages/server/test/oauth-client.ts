import { randomBytes } from 'node:crypto'
import { hashSecret } from '../src/crypto/secrets.ts'
import type { TestApp } from './app.ts'

/** A program that connects by hand, step by step, so that tests can do each step wrong. */

export const redirectUri = 'https://claude.example/callback'
export const issuer = 'http://localhost'
export const resource = `${issuer}/mcp`

export interface Raw {
  status: number
  body: Record<string, unknown>
  headers: Record<string, unknown>
}

export async function send({ app }: TestApp, method: 'GET' | 'POST', url: string, payload?: object): Promise<Raw> {
  const isForm = payload instanceof URLSearchParams
  const answer = await app.server.inject({
    method,
    url,
    headers: {
      host: 'localhost',
      ...(payload !== undefined && {
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      }),
    },
    ...(payload !== undefined && { payload: isForm ? payload.toString() : payload }),
  })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers }
}

export const post = (test: TestApp, url: string, fields: Record<string, string>) =>
  send(test, 'POST', url, new URLSearchParams(fields))

export const register = (test: TestApp, over: object = {}) =>
  send(test, 'POST', '/oauth/register', { client_name: 'Claude', redirect_uris: [redirectUri], ...over })

export async function registered(test: TestApp, over: object = {}): Promise<string> {
  return String((await register(test, over)).body['client_id'])
}

export function newProof(): { codeVerifier: string; codeChallenge: string } {
  const codeVerifier = randomBytes(32).toString('base64url')
  return { codeVerifier, codeChallenge: hashSecret(codeVerifier).toString('base64url') }
}

interface Person {
  dashboardToken: string
}

export const decide = (
  test: TestApp,
  { dashboardToken }: Person,
  integrationId: string,
  authorization: Record<string, unknown>,
) => test.call('create-key', { integrationId, authorization }, { key: dashboardToken })

/** What the page of decisions gets for a query. */
export async function askFor(
  { app }: TestApp,
  { dashboardToken }: Person,
  query: Record<string, string>,
): Promise<Raw> {
  const { headers } = await app.server.inject({
    method: 'GET',
    url: `/oauth/authorize?${new URLSearchParams(query).toString()}`,
    headers: { host: 'localhost' },
  })
  const packed = new URL(String(headers.location), issuer).searchParams.get('request') ?? ''
  const answer = await app.server.inject({
    method: 'GET',
    url: `/oauth/request?request=${packed}`,
    headers: { host: 'localhost', authorization: `Bearer ${dashboardToken}` },
  })
  return { status: answer.statusCode, body: answer.json<Record<string, unknown>>(), headers: answer.headers }
}

export interface Connected {
  clientId: string
  code: string
  codeVerifier: string
  keyId: string
}

/** Up to the code. */
export async function allowed(test: TestApp, person: Person, integrationId: string): Promise<Connected> {
  const clientId = await registered(test)
  const { codeVerifier, codeChallenge } = newProof()
  const { body } = await decide(test, person, integrationId, { clientId, redirectUri, codeChallenge, state: 's 1' })
  const code = new URL(String(body['redirectTo'])).searchParams.get('code') ?? ''
  return { clientId, code, codeVerifier, keyId: (body['key'] as { id: string }).id }
}

export const exchange = (
  test: TestApp,
  { clientId, code, codeVerifier }: Connected,
  over: Record<string, string> = {},
) =>
  post(test, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: codeVerifier,
    redirect_uri: redirectUri,
    resource,
    ...over,
  })

export const refresh = (test: TestApp, { clientId }: Pick<Connected, 'clientId'>, refreshToken: unknown, over = {}) =>
  post(test, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: String(refreshToken),
    ...over,
  })

export async function mcpStatus(test: TestApp, token: unknown): Promise<number> {
  const { statusCode } = await test.app.server.inject({
    method: 'POST',
    url: '/mcp',
    headers: {
      host: 'localhost',
      authorization: `Bearer ${String(token)}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_tasks', arguments: {} } },
  })
  return statusCode
}
