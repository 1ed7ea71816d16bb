import { describe, expect, it } from 'vitest'
import { asSealed } from '../crypto/cell.ts'
import type { AgentActor } from './actor.ts'
import { confinedTo, holdsAnywhere, isPreset, presets, resolveVault, scopesIn, scopesOf } from './vault-access.ts'

it('gives each preset exactly its scopes', () => {
  expect(presets).toEqual(['read_only', 'read_write', 'admin'])
  expect(scopesOf('read_only')).toEqual(['read', 'search'])
  expect(scopesOf('read_write')).toEqual(['read', 'write', 'search'])
  expect(scopesOf('admin')).toEqual(['read', 'write', 'search', 'admin'])
})

it('grants nothing for an unknown preset, even one named like an inherited property', () => {
  for (const text of ['', 'ADMIN', 'owner', 'toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    expect(isPreset(text)).toBe(false)
    expect(scopesOf(text)).toEqual([])
  }
})

const [main, side, third] = [
  '0198c5f0-0000-7000-8000-000000000001',
  '0198c5f0-0000-7000-8000-000000000002',
  '0198c5f0-0000-7000-8000-000000000003',
] as const

interface Given {
  preset?: string
  restricted?: boolean
  primary?: string
  grants?: [vaultId: string, preset?: string][]
  keyVault?: string
}

const actor = ({ preset = 'read_write', restricted = false, primary, grants = [], keyVault }: Given): AgentActor => ({
  kind: 'agent',
  userId: main,
  integrationId: main,
  keyId: main,
  preset,
  isActive: true,
  restrictToVault: restricted,
  primaryVaultId: primary,
  grants: new Map(grants.map(([id, own]) => [id, own])),
  keyVaultId: keyVault,
  wrappedMek: undefined,
  nextWrappedMek: undefined,
  mekVersion: 1,
  profile: asSealed(Buffer.alloc(0)),
  profileRevision: 1,
})

describe('rules 6 and 7: which vault a call works in', () => {
  const grants: Given['grants'] = [[main], [side]]
  const cases: [name: string, given: Given, requested: string | undefined, answer: string][] = [
    ['free, requested', { primary: main }, side, side],
    ['free, requested, although only others are granted', { primary: main, grants }, third, third],
    ['free, default', { primary: main }, undefined, main],
    ['free, no default', {}, undefined, 'invalid'],
    ['confined, requested and granted', { restricted: true, primary: main, grants }, side, side],
    ['confined, requested and not granted', { restricted: true, primary: main, grants }, third, 'vault_denied'],
    ['confined, the primary vault is not granted', { restricted: true, primary: third, grants }, third, 'vault_denied'],
    ['confined, default', { restricted: true, primary: side, grants }, undefined, side],
    ['confined, default not granted: the first', { restricted: true, primary: third, grants }, undefined, main],
    ['confined, no default: the first', { restricted: true, grants }, undefined, main],
    ['confined to nothing, requested', { restricted: true, primary: main }, main, 'vault_denied'],
    ['confined to nothing', { restricted: true, primary: main }, undefined, 'vault_denied'],
    ['a key of one vault, requested', { keyVault: side, primary: main }, side, side],
    ['a key of one vault, another requested', { keyVault: side, primary: main }, main, 'vault_denied'],
    ['a key of one vault, default elsewhere', { keyVault: side, primary: main }, undefined, side],
    ['a key of one granted vault', { keyVault: side, restricted: true, primary: main, grants }, undefined, side],
    ['a key of a vault that is not granted', { keyVault: third, restricted: true, grants }, third, 'vault_denied'],
    [
      'a key of a vault that is not granted, default',
      { keyVault: third, restricted: true, grants },
      undefined,
      'vault_denied',
    ],
  ]

  it.each(cases)('%s', (_name, given, requested, answer) => {
    let got: unknown
    try {
      got = resolveVault(actor(given), requested)
    } catch (error) {
      got = (error as { code: string }).code
    }
    expect(got).toBe(answer)
  })

  it('says which field is missing if there is no default vault', () => {
    expect(() => resolveVault(actor({}), undefined)).toThrow(/vaultId: required/)
  })
})

describe('confinedTo', () => {
  it('is undefined for an unrestricted key, and only the granted vaults for a restricted one', () => {
    expect(confinedTo(actor({ primary: main, grants: [[main]] }))).toBeUndefined()
    expect(confinedTo(actor({ restricted: true, primary: third, grants: [[main], [side]] }))).toEqual([main, side])
    expect(confinedTo(actor({ restricted: true }))).toEqual([])
    expect(confinedTo(actor({ keyVault: main }))).toEqual([main])
    expect(confinedTo(actor({ keyVault: third, restricted: true, grants: [[main]] }))).toEqual([])
  })
})

describe('rules 4 and 8: scopes', () => {
  it("are the integration's if the vault has no preset of its own", () => {
    expect(scopesIn(actor({ preset: 'read_only', grants: [[main]] }), main)).toEqual(['read', 'search'])
    expect(scopesIn(actor({ preset: 'read_only' }), side)).toEqual(['read', 'search'])
  })

  it("are replaced by the vault's own preset, whether it allows less or more", () => {
    const given = actor({
      preset: 'read_write',
      grants: [
        [main, 'read_only'],
        [side, 'admin'],
      ],
    })
    expect(scopesIn(given, main)).toEqual(['read', 'search'])
    expect(scopesIn(given, side)).toContain('admin')
    expect(scopesIn(given, third)).toEqual(['read', 'write', 'search'])
  })

  it('are empty for an unknown preset', () => {
    expect(scopesIn(actor({ preset: 'owner' }), main)).toEqual([])
    expect(scopesIn(actor({ preset: 'admin', grants: [[main, 'owner']] }), main)).toEqual([])
  })
})

describe('holdsAnywhere', () => {
  const cases: [name: string, given: Given, scope: 'write' | 'admin' | 'read', answer: boolean][] = [
    ["the integration's preset", { preset: 'read_write' }, 'write', true],
    ['no preset with it', { preset: 'read_only' }, 'write', false],
    ['a vault that gives more', { preset: 'read_only', grants: [[main, 'admin']] }, 'admin', true],
    ['a free key with less in one vault', { preset: 'read_write', grants: [[main, 'read_only']] }, 'write', true],
    [
      'a confined key with less in its only vault',
      { preset: 'admin', restricted: true, grants: [[main, 'read_only']] },
      'write',
      false,
    ],
    [
      'a confined key with less in one of two',
      { preset: 'admin', restricted: true, grants: [[main, 'read_only'], [side]] },
      'write',
      true,
    ],
    ['a confined key without vaults', { preset: 'admin', restricted: true }, 'read', false],
    [
      'a key of one vault, more in another',
      { preset: 'read_only', keyVault: main, grants: [[side, 'admin']] },
      'admin',
      false,
    ],
    ['an unknown preset', { preset: 'owner' }, 'read', false],
  ]

  it.each(cases)('%s', (_name, given, scope, answer) => {
    expect(holdsAnywhere(actor(given), scope)).toBe(answer)
  })
})
