import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newId } from '../core/ids.ts'
import { asSealed } from '../crypto/cell.ts'
import { createRandomKey, KeyWrapError, keyCheckValue, rootKeysFrom } from '../crypto/keys.ts'
import { instanceKeys } from '../instance/instance-key.ts'
import type { Instance } from '../instance/instance.ts'
import type { AgentActor, PersonActor } from './actor.ts'
import { createKeyring, type Keyring } from './keyring.ts'

const id = newId()
const instance: Instance = {
  id,
  rootKeys: rootKeysFrom([createRandomKey()]),
  serverId: newId(),
  rootKeyOrigin: 'test',
  rootKeySource: { given: undefined, command: undefined, dir: '' },
  keys: instanceKeys(id, createRandomKey(), 1),
  onDamage: () => undefined,
}

const agent = (userId: string, integrationId: string, wrappedMek?: Uint8Array, mekVersion = 1): AgentActor => ({
  kind: 'agent',
  userId,
  integrationId,
  keyId: newId(),
  preset: 'admin',
  isActive: true,
  restrictToVault: false,
  primaryVaultId: undefined,
  grants: new Map(),
  keyVaultId: undefined,
  wrappedMek,
  nextWrappedMek: undefined,
  mekVersion,
  profile: asSealed(randomBytes(1)),
  profileRevision: 1,
})

const person = (userId: string, wrappedMek: Uint8Array, mekVersion = 1): PersonActor => ({
  kind: 'person',
  integrationId: undefined,
  userId,
  isOwner: false,
  credentialId: undefined,
  wrappedMek,
  nextWrappedMek: undefined,
  mekVersion,
})

/** A user with one integration and one vault. */
function makeHolder(keyring: Keyring) {
  const [userId, integrationId, vaultId] = [newId(), newId(), newId()]
  const rootKey = instance.rootKeys.primary
  const mek = keyring.newMek()
  const wrappedMek = keyring.wrapMek({ userId, holder: 'user', id: userId }, mek, rootKey)
  const forIntegration = keyring.wrapMek({ userId, holder: 'integration', id: integrationId }, mek, rootKey)
  const vaultKey = keyring.newVaultKey(mek, userId, vaultId)
  return { userId, integrationId, vaultId, mek, wrappedMek, forIntegration, vaultKey }
}

type Holder = ReturnType<typeof makeHolder>

/** With an empty cache, and after the owners used all keys a moment ago. */
function coldAndWarm(work: (keyring: Keyring, a: Holder, b: Holder) => void): void {
  for (const isWarm of [false, true]) {
    const keyring = createKeyring(instance)
    const [a, b] = [makeHolder(keyring), makeHolder(keyring)]
    if (isWarm)
      for (const { userId, integrationId, vaultId, wrappedMek, forIntegration, vaultKey } of [a, b]) {
        const mek = keyring.mek(agent(userId, integrationId, forIntegration))
        keyring.vault(mek, userId, vaultId, [vaultKey])
        keyring.vault(keyring.mek(person(userId, wrappedMek)), userId, vaultId, [vaultKey])
      }
    work(keyring, a, b)
  }
}

describe("a user's master key", () => {
  it('is the same for the user and for each integration', () => {
    coldAndWarm((keyring, { userId, integrationId, mek, wrappedMek, forIntegration }) => {
      const check = keyCheckValue(mek.key)
      expect(keyCheckValue(keyring.mek(person(userId, wrappedMek)).key)).toEqual(check)
      expect(keyCheckValue(keyring.mek(agent(userId, integrationId, forIntegration)).key)).toEqual(check)
    })
  })

  it('is unavailable to an integration without a wrap, with an error that says what to do', () => {
    coldAndWarm((keyring, { userId, integrationId }) => {
      expect(() => keyring.mek(agent(userId, integrationId))).toThrow(
        'Integration encryption is not configured. Re-create the integration from the dashboard.',
      )
    })
  })

  it('is not opened from a wrap that was moved to another integration, even of the same user', () => {
    coldAndWarm((keyring, a, b) => {
      expect(() => keyring.mek(agent(a.userId, newId(), a.forIntegration))).toThrow(KeyWrapError)
      expect(() => keyring.mek(agent(b.userId, b.integrationId, a.forIntegration))).toThrow(KeyWrapError)
    })
  })

  it('is not opened by an integration that was moved to another user together with its wrap', () => {
    coldAndWarm((keyring, a, b) => {
      expect(() => keyring.mek(agent(b.userId, a.integrationId, a.forIntegration))).toThrow(KeyWrapError)
    })
  })

  it('is not opened if the wraps of a user and an integration are swapped', () => {
    coldAndWarm((keyring, { userId, integrationId, wrappedMek, forIntegration }) => {
      expect(() => keyring.mek(agent(userId, integrationId, wrappedMek))).toThrow(KeyWrapError)
      expect(() => keyring.mek(agent(userId, userId, wrappedMek))).toThrow(KeyWrapError)
      expect(() => keyring.mek(person(userId, forIntegration))).toThrow(KeyWrapError)
    })
  })

  it('is not opened under another version than it was wrapped for', () => {
    coldAndWarm((keyring, { userId, integrationId, forIntegration, wrappedMek }) => {
      expect(() => keyring.mek(agent(userId, integrationId, forIntegration, 2))).toThrow(KeyWrapError)
      expect(() => keyring.mek(person(userId, wrappedMek, 2))).toThrow(KeyWrapError)
    })
  })

  it('is not opened from a wrap with one bit changed', () => {
    coldAndWarm((keyring, { userId, integrationId, forIntegration }) => {
      for (const at of [0, 10, 60, forIntegration.length - 1]) {
        const altered = Buffer.from(forIntegration)
        altered[at] = (altered[at] ?? 0) ^ 1
        expect(() => keyring.mek(agent(userId, integrationId, altered))).toThrow(KeyWrapError)
      }
    })
  })

  it('is not opened in another instance, even under the same root key', () => {
    const { userId, wrappedMek } = makeHolder(createKeyring(instance))
    const other = createKeyring({ ...instance, id: newId() })
    expect(() => other.mek(person(userId, wrappedMek))).toThrow(KeyWrapError)
  })
})

describe('the keys of a vault', () => {
  it('are found again', () => {
    coldAndWarm((keyring, { userId, vaultId, mek, vaultKey }) => {
      expect(keyring.vault(mek, userId, vaultId, [vaultKey])).toMatchObject({ scopeId: vaultId, current: 1 })
    })
  })

  it('are not opened from a wrap that was moved to another vault or another user', () => {
    coldAndWarm((keyring, a, b) => {
      expect(() => keyring.vault(a.mek, a.userId, newId(), [a.vaultKey])).toThrow(KeyWrapError)
      expect(() => keyring.vault(b.mek, b.userId, b.vaultId, [a.vaultKey])).toThrow(KeyWrapError)
      expect(() => keyring.vault(b.mek, b.userId, a.vaultId, [a.vaultKey])).toThrow(KeyWrapError)
    })
  })

  it('are not opened under another generation', () => {
    coldAndWarm((keyring, { userId, vaultId, mek, vaultKey }) => {
      expect(() => keyring.vault(mek, userId, vaultId, [{ ...vaultKey, generation: 2 }])).toThrow(KeyWrapError)
    })
  })

  it('are gone when their rows are gone, even if they were used a moment ago', () => {
    coldAndWarm((keyring, { userId, vaultId, mek }) => {
      expect(() => keyring.vault(mek, userId, vaultId, [])).toThrow(RangeError)
    })
  })
})
