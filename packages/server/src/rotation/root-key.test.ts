import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { eachDialect } from '../../test/dialects.ts'
import { makeIntegration } from '../../test/factories.ts'
import { findUserActor } from '../auth/store.ts'
import { KeyWrapError } from '../crypto/keys.ts'
import { StoreError } from '../db/store-error.ts'
import { prepareRootKey, switchRootKey } from '../instance/root-key-steps.ts'
import { countWrapsUnder, listWrapsUnder, replaceWraps } from '../instance/wrap-store.ts'
import { changeRootKey, describeRootKey, finishRootKey } from './root-key.ts'
import {
  expectAllOpen,
  fileOf,
  firstUser,
  linesOf,
  startAnother,
  startPlace,
  textSource,
} from '../accounts/testing/root-key-place.ts'

const hexKey = () => randomBytes(32).toString('hex')

eachDialect('rotating the root key', (dialect) => {
  it('keeps everything readable, and keeps the former key for copies from before', async () => {
    const place = await startPlace(dialect)
    const { services } = place.test.app
    const before = await describeRootKey(services)
    const former = linesOf(fileOf(place))
    place.clock.now += 60_000
    const change = await changeRootKey(services)
    expect(change).toMatchObject({ changed: true, damaged: 0 })
    const kept = change.formerKeyFile ?? ''
    expect(linesOf(kept)).toEqual(former)
    expect(dirname(kept)).toBe(dirname(fileOf(place)))
    expect(statSync(kept).mode & 0o777).toBe(0o600)
    expect(statSync(fileOf(place)).mode & 0o777).toBe(0o600)
    expect(linesOf(fileOf(place))).toHaveLength(1)
    expect(linesOf(fileOf(place))).not.toEqual(former)
    expect(change.next.join('\n')).toContain(kept)
    const after = await describeRootKey(services)
    expect(after).toMatchObject({ state: 'settled', wrapsLeft: 0, since: '2026-11-22T09:01:00.000Z' })
    expect(after.id).not.toBe(before.id)
    expect(await countWrapsUnder(services.db.read, before.id)).toBe(0)
    await expectAllOpen(place)
    await makeIntegration(place.test, firstUser(place))
    await expectAllOpen(place)
  })

  it('makes the former key useless for stored data', async () => {
    const place = await startPlace(dialect)
    const [former = ''] = linesOf(fileOf(place))
    const { userId } = firstUser(place)
    const old = await startAnother(place, textSource(former))
    await changeRootKey(place.test.app.services)
    await expect(startAnother(place, textSource(former))).rejects.toThrow(/is not the one that encrypts this database/)
    const actor = await findUserActor(old.db.read, userId)
    if (actor === undefined) throw new Error('the user is gone')
    expect(() => old.keyring.mek(actor)).toThrow(KeyWrapError)
    await expect(
      makeIntegration(
        { app: { ...place.test.app, services: { ...place.test.app.services, ...old } } },
        firstUser(place),
      ),
    ).rejects.toThrow(/does not have the new one/)
  })

  it('continues wherever it was interrupted', async () => {
    const place = await startPlace(dialect)
    const { db } = place.test.app.services
    const [former = ''] = linesOf(fileOf(place))
    const { id: formerId } = await describeRootKey(place.test.app.services)

    expect(await prepareRootKey(await startAnother(place))).toBe('prepared')
    await expectAllOpen(place)
    const staged = linesOf(fileOf(place))
    expect(staged).toHaveLength(2)
    expect(await describeRootKey(await startAnother(place))).toMatchObject({ id: formerId, state: 'prepared' })
    expect(await prepareRootKey(await startAnother(place))).toBe('prepared')
    expect(linesOf(fileOf(place))).toEqual(staged)

    expect(await switchRootKey(await startAnother(place))).toEqual([])
    await expectAllOpen(place)
    expect(await describeRootKey(await startAnother(place))).toMatchObject({ state: 'unfinished', wrapsLeft: 4 })
    await expect(startAnother(place, textSource(staged[0] ?? ''))).rejects.toThrow(StoreError)
    await expect(startAnother(place, textSource(staged[0] ?? ''))).rejects.toThrow(
      /not finished: the previous key \(id \w+\) is still needed/,
    )
    await expect(startAnother(place, textSource(former))).rejects.toThrow(/is not the one that encrypts this database/)

    // Half of the first page.
    const half = await startAnother(place)
    for await (const [first] of listWrapsUnder(db.read, formerId))
      if (first !== undefined)
        await replaceWraps(db, [
          { seen: first, wrappedMek: half.keyring.rewrapMek(first, half.instance.rootKeys.primary) },
        ])
    await expectAllOpen(place)
    expect(await describeRootKey(await startAnother(place))).toMatchObject({ state: 'unfinished', wrapsLeft: 2 })

    const stopped = await finishRootKey(await startAnother(place), { signal: AbortSignal.abort() })
    expect(stopped).toEqual({ isFinished: false, formerKeyFile: undefined, damaged: 0 })
    await expectAllOpen(place)
    const { formerKeyFile } = await finishRootKey(await startAnother(place))
    await expectAllOpen(place)
    expect(linesOf(formerKeyFile ?? '')).toEqual([former])
    // As after a crash between the file and the database.
    await db.write((tx) => tx.updateTable('instance').set({ formerRootKeyId: formerId }).execute())
    await expectAllOpen(place)
    expect(await changeRootKey(await startAnother(place))).toMatchObject({ changed: true, damaged: 0 })
    expect(await describeRootKey(await startAnother(place))).toMatchObject({ state: 'settled' })
    expect(linesOf(fileOf(place))).toEqual([staged[0]])
  })

  it('happens once, even if called repeatedly and concurrently', async () => {
    const place = await startPlace(dialect)
    const { services } = place.test.app
    await Promise.all([1, 2, 3].map(() => changeRootKey(services)))
    await expectAllOpen(place)
    const once = { id: (await describeRootKey(services)).id, text: readFileSync(fileOf(place), 'utf8') }
    const files = readdirSync(dirname(fileOf(place)))
    expect(files.filter((name) => name.endsWith('.key'))).toHaveLength(2)
    place.clock.now += 9 * 60_000
    const again = await changeRootKey(services)
    expect(again).toMatchObject({ changed: false, formerKeyFile: undefined })
    expect(again.next.join()).toMatch(/The root key was changed at 2026-11-22T09:00:00.000Z/)
    expect({ id: (await describeRootKey(services)).id, text: readFileSync(fileOf(place), 'utf8') }).toEqual(once)
    expect(readdirSync(dirname(fileOf(place)))).toEqual(files)
    place.clock.now += 60_000
    expect(await changeRootKey(services)).toMatchObject({ changed: true })
    await expectAllOpen(place)
  })

  it('accepts no wrap that was moved, and is not stopped by it', async () => {
    const place = await startPlace(dialect)
    const { services } = place.test.app
    const { db } = services
    const rows = await db.read.selectFrom('integrations').select(['userId', 'id', 'wrappedMek']).execute()
    const [mine, theirs] = rows
    if (mine === undefined || theirs === undefined) throw new Error('there are two')
    await db.write(async (tx) => {
      for (const [to, from] of [
        [mine, theirs],
        [theirs, mine],
      ] as const)
        await tx.updateTable('integrations').set({ wrappedMek: from.wrappedMek }).where('id', '=', to.id).execute()
    })
    expect(await changeRootKey(services)).toMatchObject({ changed: true, damaged: 2 })
    expect(await describeRootKey(services)).toMatchObject({ state: 'settled' })
    const { keyring, instance } = await startAnother(place)
    for (const { userId, id, wrappedMek } of await db.read.selectFrom('integrations').selectAll().execute())
      expect(() =>
        keyring.rewrapMek(
          {
            holder: 'integration',
            column: 'wrappedMek',
            userId,
            id,
            wrappedMek: wrappedMek ?? Buffer.alloc(0),
            mekVersion: 1,
          },
          instance.rootKeys.primary,
        ),
      ).toThrow(KeyWrapError)
    expect(place.test.log()).toContain(mine.id)
    // And one that is moved after it.
    const [a, b] = place.users.map(({ userId }) => userId)
    const other = await db.read
      .selectFrom('users')
      .select('wrappedMek')
      .where('id', '=', b ?? '')
      .executeTakeFirstOrThrow()
    await db.write((tx) =>
      tx
        .updateTable('users')
        .set(other)
        .where('id', '=', a ?? '')
        .execute(),
    )
    const actor = await findUserActor(db.read, a)
    if (actor === undefined) throw new Error('the user is gone')
    expect(() => keyring.mek(actor)).toThrow(KeyWrapError)
  })

  it('uses the new key from the setting, if the setting contains the keys', async () => {
    const place = await startPlace(dialect)
    // Started with a file; then the setting replaces it.
    const [first = ''] = linesOf(fileOf(place))
    const told = await changeRootKey(await startAnother(place, textSource(first)))
    expect(told.changed).toBe(false)
    expect(told.next.join('\n')).toMatch(/openssl rand.*\n.*before the current key in HOLDFAST_ROOT_KEY.*\n.*Restart/)
    const second = hexKey()
    const both = textSource(`${second},${first}`)
    expect(await describeRootKey(await startAnother(place, both))).toMatchObject({ state: 'prepared', isFile: false })
    const change = await changeRootKey(await startAnother(place, both))
    expect(change).toMatchObject({ changed: true, formerKeyFile: undefined })
    expect(change.next.join('\n')).toMatch(/Remove the previous key from HOLDFAST_ROOT_KEY/)
    await expectAllOpen(place, both)
    await expectAllOpen(place, textSource(second))
    await expect(startAnother(place, textSource(first))).rejects.toThrow(/is not the one that encrypts this database/)
    expect(linesOf(fileOf(place))).toEqual([first])
  })

  it('says what is wrong with the file, and changes nothing', async () => {
    const place = await startPlace(dialect)
    const { services } = place.test.app
    const before = readFileSync(fileOf(place))
    // A folder where the draft would be.
    mkdirSync(join(`${fileOf(place)}.new`, 'full'), { recursive: true })
    await expect(changeRootKey(services)).rejects.toThrow(/rotation of the root key stopped: .*cannot write/)
    expect(readFileSync(fileOf(place))).toEqual(before)
    expect(await describeRootKey(services)).toMatchObject({ state: 'settled' })
    rmSync(`${fileOf(place)}.new`, { recursive: true })
    rmSync(fileOf(place))
    await expect(changeRootKey(services)).rejects.toThrow(/rotation of the root key stopped: The root key .*is missing/)
    expect(existsSync(fileOf(place))).toBe(false)
  })
})
