import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newSecret } from '../crypto/secrets.ts'
import { createSetupToken } from './setup-token.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-setup-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const minute = 60_000

it('accepts only its own token', () => {
  const setup = createSetupToken(dir, () => 0)
  expect(setup.accepts(newSecret('hfs_'))).toBe(false)
  const { token } = setup.issue()
  expect(setup.accepts(token)).toBe(true)
  for (const other of ['', token.slice(0, -1), ` ${token}`, token.toUpperCase(), newSecret('hfs_')])
    expect(setup.accepts(other)).toBe(false)
})

it('writes the token to a file that only the operator can read', () => {
  const setup = createSetupToken(dir, () => 0)
  const { token, file } = setup.issue()
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

it('accepts it for 30 minutes', () => {
  let now = 1_000
  const setup = createSetupToken(dir, () => now)
  const { token } = setup.issue()
  now += 30 * minute - 1
  expect(setup.accepts(token)).toBe(true)
  now += 1
  expect(setup.accepts(token)).toBe(false)
})

it('forgets an earlier token when it issues another', () => {
  const setup = createSetupToken(dir, () => 0)
  const first = setup.issue().token
  const second = setup.issue().token
  expect([setup.accepts(first), setup.accepts(second)]).toEqual([false, true])
})

it('accepts nothing after it was discarded, and deletes its file', () => {
  const setup = createSetupToken(dir, () => 0)
  const { token, file } = setup.issue()
  setup.discard()
  expect(setup.accepts(token)).toBe(false)
  expect(existsSync(file)).toBe(false)
  setup.discard()
})
