import { expect, it } from 'vitest'
import { nextPath } from './next-path.ts'

it('accepts only paths of the dashboard', () => {
  expect(nextPath('/vaults?offset=20')).toBe('/vaults?offset=20')
  expect(nextPath('/setup?step=key')).toBe('/setup?step=key')
  for (const other of ['https://evil.example', '//evil.example', '/\\evil.example', 'javascript:alert(1)', 7, '/login'])
    expect(nextPath(other)).toBe('/')
})
