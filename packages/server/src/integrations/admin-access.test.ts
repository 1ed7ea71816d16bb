import { describe, expect, it } from 'vitest'
import { addsAdmin, isAdmin } from './admin-access.ts'

const rights = (preset: string, restrictToVault = false, grants: Record<string, string | undefined> = {}) => ({
  preset,
  restrictToVault,
  isActive: true,
  grants: Object.entries(grants).map(([vaultId, own]) => ({ vaultId, preset: own })),
})

describe('an integration', () => {
  it('is admin through its preset or that of a single vault', () => {
    expect(isAdmin(rights('admin'))).toBe(true)
    expect(isAdmin(rights('read_write', false, { a: 'admin' }))).toBe(true)
    expect(isAdmin(rights('admin', true, { a: undefined }))).toBe(true)
    expect(isAdmin(rights('read_write', true, { a: 'read_only' }))).toBe(false)
  })

  it('is not admin in a vault with a preset of its own, or in one that its keys cannot use', () => {
    expect(isAdmin(rights('admin', true, { a: 'read_only' }))).toBe(false)
    expect(isAdmin(rights('admin', true))).toBe(false)
  })

  it('becomes admin by any change that adds a vault with this right, and by no other', () => {
    const one = rights('admin', true, { a: undefined })
    expect(addsAdmin(rights('read_write'), rights('admin'))).toBe(true)
    expect(addsAdmin(one, rights('admin'))).toBe(true)
    expect(addsAdmin(one, rights('admin', true, { a: undefined, b: undefined }))).toBe(true)
    expect(addsAdmin(rights('admin', false, { a: 'read_only' }), rights('admin'))).toBe(true)
    expect(addsAdmin(rights('admin'), one)).toBe(false)
    expect(addsAdmin(rights('admin'), rights('admin'))).toBe(false)
    expect(addsAdmin(rights('admin'), rights('read_write'))).toBe(false)
    const paused = { ...rights('admin'), isActive: false }
    expect(addsAdmin(paused, rights('admin'))).toBe(true)
    expect(addsAdmin(paused, paused)).toBe(false)
    expect(addsAdmin({ ...rights('read_write'), isActive: false }, paused)).toBe(true)
  })
})
