import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect, type TestDialect } from '../../test/dialects.ts'
import { makeUser } from '../../test/factories.ts'
import { getUser, getUserByEmail, updateProfile } from '../accounts/store.ts'
import { generationOf } from '../crypto/cell.ts'
import { openInstance } from '../instance/instance.ts'
import type { Services } from '../operation/context.ts'
import { useNewestInstanceKeys } from './instance-key-store.ts'
import { createSealCounts } from './seal-counts.ts'

type Server = Pick<Services, 'db' | 'instance' | 'seals'>

const maxSeals = 10

/** What a server does once a minute. */
async function count(server: Server): Promise<void> {
  await server.seals.flush()
  await useNewestInstanceKeys(server)
}

/** A server with a user, and another one on the same database. */
async function startServers(dialect: TestDialect) {
  const test = await startTestApp({ dialect, runsJobs: false })
  const { services } = test.app
  const { db, log } = services
  const serverWith = (instance: Services['instance']): Server => ({
    db,
    instance,
    seals: createSealCounts({ db, instance, log }, maxSeals),
  })
  const another = async () => serverWith(await openInstance(db, test.dataDir, services.instance.rootKeySource))
  const server = serverWith(services.instance)
  return { user: await makeUser(test), makeUser: () => makeUser(test), server, another }
}

/** Seals the user's name again. Returns the generation that seals it. */
async function rename({ db, instance }: Server, userId: string, name: string): Promise<number> {
  await db.write((tx) => updateProfile(tx, instance, userId, { name }))
  const { profile } = await db.read
    .selectFrom('users')
    .select('profile')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return generationOf(profile)
}

const counted = ({ db }: Server) =>
  db.read.selectFrom('instance').select(['instanceKeyGeneration', 'instanceKeySeals']).executeTakeFirstOrThrow()

eachDialect('the keys of the instance', (dialect) => {
  it('are replaced by themselves once they have sealed as many values as a key may', async () => {
    const { server, user, makeUser: makeAnother, another } = await startServers(dialect)
    const early = await makeAnother()
    await count(server)
    const { instanceKeyGeneration, instanceKeySeals } = await counted(server)
    expect([instanceKeyGeneration, instanceKeySeals]).toEqual([1, expect.toSatisfy((seals) => seals >= 2)])
    for (let at = instanceKeySeals; at < maxSeals - 1; at++) expect(await rename(server, user.userId, `${at}`)).toBe(1)
    await count(server)
    expect(await counted(server)).toEqual({ instanceKeyGeneration: 1, instanceKeySeals: maxSeals - 1 })
    expect(await rename(server, user.userId, 'Ada')).toBe(1)
    await count(server)
    expect(await counted(server)).toEqual({ instanceKeyGeneration: 2, instanceKeySeals: 0 })
    expect(await rename(server, user.userId, 'Ada Lovelace')).toBe(2)
    // After a restart as well, and what was sealed before opens and is found.
    const restarted = await another()
    expect(await rename(restarted, user.userId, 'Ada King')).toBe(2)
    for (const { instance, db } of [server, restarted])
      expect([
        await getUser(db.read, instance, early.userId),
        await getUserByEmail(db.read, instance, user.email),
      ]).toMatchObject([{ email: early.email }, { email: user.email, name: 'Ada King' }])
  })

  it('are counted later if the store fails meanwhile', async () => {
    const { server, user } = await startServers(dialect)
    await count(server)
    const before = await counted(server)
    await rename(server, user.userId, 'Grace')
    const { db } = server
    await sql`ALTER TABLE "instance" RENAME COLUMN "instanceKeySeals" TO "hidden"`.execute(db.read)
    await server.seals.flush()
    await sql`ALTER TABLE "instance" RENAME COLUMN "hidden" TO "instanceKeySeals"`.execute(db.read)
    expect(await counted(server)).toEqual(before)
    await count(server)
    expect(await counted(server)).toEqual({ ...before, instanceKeySeals: before.instanceKeySeals + 1 })
  })

  it('are known to other servers before they seal, and used by them once they count', async () => {
    const { server, user, makeUser: makeAnother, another } = await startServers(dialect)
    const other = await another()
    const { userId } = await makeAnother()
    expect(await rename(other, userId, 'Grace')).toBe(1)
    for (let at = 0; at < maxSeals; at++) await rename(server, user.userId, `${at}`)
    await count(server)
    expect(await rename(server, user.userId, 'Ada')).toBe(2)
    expect(await getUser(other.db.read, other.instance, user.userId)).toMatchObject({ name: 'Ada' })
    expect(await rename(other, userId, 'Grace Hopper')).toBe(1)
    await count(other)
    // What the other one has sealed with the former keys doesn't count for the new ones.
    expect(await counted(server)).toEqual({ instanceKeyGeneration: 2, instanceKeySeals: 0 })
    expect(await rename(other, userId, 'Grace')).toBe(2)
    // Also a server that has sealed nothing.
    const third = await another()
    for (let at = 0; at < maxSeals; at++) await rename(other, userId, `${at}`)
    await count(other)
    await count(third)
    expect(await rename(third, userId, 'Grace')).toBe(3)
  })
})
