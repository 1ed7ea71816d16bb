import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/app.ts'
import type { TestDialect } from '../../../test/dialects.ts'
import { makeAgent, makeUser, type TestUser } from '../../../test/factories.ts'
import { createKeyring } from '../../auth/keyring.ts'
import { findUserActor } from '../../auth/store.ts'
import { keyCheckValue } from '../../crypto/keys.ts'
import { openInstance } from '../../instance/instance.ts'
import { parseRootKeys, type RootKeySource } from '../../instance/root-key-source.ts'

const begin = Date.parse('2026-11-22T09:00:00.000Z')

export interface Place {
  test: TestApp
  users: TestUser[]
  clock: { now: number }
}

/** Two people with an agent each, without background jobs. */
export async function startPlace(dialect: TestDialect): Promise<Place> {
  const clock = { now: begin }
  const test = await startTestApp({ dialect, now: () => clock.now, runsJobs: false })
  const users = [await makeUser(test, { isOwner: true }), await makeUser(test)]
  for (const user of users) await makeAgent(test, user)
  return { test, users, clock }
}

/** The services of another process that starts now. `source`: where it gets its keys. */
export async function startAnother({ test, clock }: Place, source?: RootKeySource) {
  const { db, log, instance: own } = test.app.services
  const instance = await openInstance(db, test.dataDir, source ?? own.rootKeySource)
  return { db, log, instance, keyring: createKeyring(instance), now: () => clock.now }
}

/** Every stored wrap opens, and contains the same key as before. */
export async function expectAllOpen(place: Place, source?: RootKeySource): Promise<void> {
  const { db, instance, keyring } = await startAnother(place, source)
  for (const { userId, mek } of place.users) {
    const person = await findUserActor(db.read, userId)
    if (person === undefined) throw new Error('the user is gone')
    expect(keyCheckValue(keyring.mek(person).key)).toEqual(keyCheckValue(mek.key))
    const integrations = await db.read.selectFrom('integrations').selectAll().where('userId', '=', userId).execute()
    expect(integrations.length).toBeGreaterThan(0)
    for (const { id, wrappedMek, mekVersion } of integrations) {
      const holder = { holder: 'integration', column: 'wrappedMek', userId, id } as const
      const wrap = { ...holder, wrappedMek: wrappedMek ?? Buffer.alloc(0), mekVersion }
      expect(() => keyring.rewrapMek(wrap, instance.rootKeys.primary)).not.toThrow()
    }
  }
}

export function firstUser({ users: [user] }: Place): TestUser {
  if (user === undefined) throw new Error('there are two')
  return user
}

export const fileOf = ({ test }: Place) => test.app.services.instance.rootKeyOrigin
export const linesOf = (file: string) => readFileSync(file, 'utf8').trim().split('\n')
export const textSource = (text: string): RootKeySource => ({
  given: parseRootKeys(text, 'HOLDFAST_ROOT_KEY'),
  command: undefined,
  dir: '',
})
