import { describe, expect, it } from 'vitest'
import type { WritePolicy } from '../auth/write-policy.ts'
import { addsLastingRights, hasLastingRights, isAdmin } from './lasting-rights.ts'

const rights = (preset: string, restrictToVault = false, grants: Record<string, string | undefined> = {}) => ({
  preset,
  restrictToVault,
  isActive: true,
  profile: {},
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
    expect(addsLastingRights(rights('read_write'), rights('admin'))).toBe(true)
    expect(addsLastingRights(one, rights('admin'))).toBe(true)
    expect(addsLastingRights(one, rights('admin', true, { a: undefined, b: undefined }))).toBe(true)
    expect(addsLastingRights(rights('admin', false, { a: 'read_only' }), rights('admin'))).toBe(true)
    expect(addsLastingRights(rights('admin'), one)).toBe(false)
    expect(addsLastingRights(rights('admin'), rights('admin'))).toBe(false)
    expect(addsLastingRights(rights('admin'), rights('read_write'))).toBe(false)
    const paused = { ...rights('admin'), isActive: false }
    expect(addsLastingRights(paused, rights('admin'))).toBe(true)
    expect(addsLastingRights(paused, paused)).toBe(false)
    expect(addsLastingRights({ ...rights('read_write'), isActive: false }, paused)).toBe(true)
  })

  it('gains rights by a policy that is looser for any records, and loses them by a stricter one', () => {
    const under = (persons: WritePolicy['persons'], agents: WritePolicy['agents']) => ({
      ...rights('read_write'),
      profile: { writePolicy: { persons, agents } },
    })
    expect(addsLastingRights(under('no', 'no'), under('ask', 'no'))).toBe(true)
    expect(addsLastingRights(under('ask', 'yes'), under('yes', 'no'))).toBe(true)
    expect(addsLastingRights(under('no', 'ask'), under('no', 'yes'))).toBe(true)
    expect(addsLastingRights(under('yes', 'yes'), under('ask', 'no'))).toBe(false)
    expect(addsLastingRights(under('yes', 'yes'), under('yes', 'yes'))).toBe(false)
    // Without a policy of its own, the default applies.
    expect(addsLastingRights(rights('read_write'), under('ask', 'yes'))).toBe(false)
    expect(addsLastingRights(rights('read_write'), under('yes', 'yes'))).toBe(true)
    const paused = { ...under('yes', 'yes'), isActive: false }
    expect(addsLastingRights({ ...under('ask', 'yes'), isActive: false }, paused)).toBe(true)
    expect(addsLastingRights(paused, under('yes', 'yes'))).toBe(true)
    expect(addsLastingRights(paused, under('ask', 'yes'))).toBe(false)
    expect(addsLastingRights({ ...under('no', 'no'), isActive: false }, under('ask', 'yes'))).toBe(true)
    expect(addsLastingRights({ ...under('no', 'no'), isActive: false }, under('no', 'no'))).toBe(false)
    expect(hasLastingRights({ ...rights('read_write'), writePolicy: { persons: 'yes', agents: 'no' } })).toBe(true)
    expect(hasLastingRights(rights('read_write'))).toBe(false)
  })
})
