import { chmodSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { newSecret } from '../crypto/secrets.ts'
import { createOperatorToken, findRunningServer } from './operator-token.ts'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'holdfast-operator-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

it('writes the address and token into the folder once the address is known, and removes them', () => {
  const operator = createOperatorToken(dir)
  expect(findRunningServer(dir)).toBeUndefined()
  operator.publish('http://127.0.0.1:8420')
  const found = findRunningServer(dir)
  expect(found?.url).toBe('http://127.0.0.1:8420')
  expect(operator.accepts(found?.token ?? '')).toBe(true)
  operator.withdraw()
  expect(findRunningServer(dir)).toBeUndefined()
  operator.withdraw()
})

it('accepts no other token, and none from another run', () => {
  const operator = createOperatorToken(dir)
  const before = createOperatorToken(dir)
  before.publish('http://127.0.0.1:1')
  for (const token of ['', newSecret('hfo_'), findRunningServer(dir)?.token ?? '', newSecret('hfd_')])
    expect(operator.accepts(token)).toBe(false)
})

it('can only be read by its own user, even if a file with wider permissions was there before', () => {
  const file = join(dir, 'server.json')
  writeFileSync(file, 'x')
  chmodSync(file, 0o666)
  createOperatorToken(dir).publish('http://127.0.0.1:1')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(existsSync(file)).toBe(true)
})

it('does not take a file that a crash left half-written for a running server', () => {
  for (const text of ['', '{"url":"http://127', '{}', '{"url":1,"token":2}', 'null', '[]']) {
    writeFileSync(join(dir, 'server.json'), text)
    expect(findRunningServer(dir)).toBeUndefined()
  }
})
