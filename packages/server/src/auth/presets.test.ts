import { expect, it } from 'vitest'
import { isPreset, presets, scopesOf } from './presets.ts'

it('gives each preset its scopes, and no other', () => {
  expect(presets).toEqual(['read_only', 'read_write', 'admin'])
  expect(scopesOf('read_only')).toEqual(['read', 'search'])
  expect(scopesOf('read_write')).toEqual(['read', 'write', 'search'])
  expect(scopesOf('admin')).toEqual(['read', 'write', 'search', 'admin'])
})

it('grants nothing for a preset that it does not know, even one that objects inherit', () => {
  for (const text of ['', 'ADMIN', 'owner', 'toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    expect(isPreset(text)).toBe(false)
    expect(scopesOf(text)).toEqual([])
  }
})
