import { expect, it, onTestFinished } from 'vitest'
import { onPostgres } from '../../test/dialects.ts'
import { StoreError } from '../db/store-error.ts'
import { migrations } from '../db/migrate.ts'
import { announceServer } from '../instance/announce-server.ts'
import { prepareRootKey, retireRootKey, switchRootKey } from '../instance/root-key-steps.ts'
import { readRootKeyState } from '../instance/root-key-store.ts'
import { changeRootKey, describeRootKey, finishRootKey } from './root-key.ts'
import {
  expectAllOpen,
  fileOf,
  linesOf,
  startAnother,
  startPlace,
  textSource,
} from '../accounts/testing/root-key-place.ts'

onPostgres('a change of the root key with several servers', (dialect) => {
  const announced = async (server: Parameters<typeof announceServer>[0], everyMs?: number) => {
    const { stop } = await announceServer(server, migrations, everyMs)
    onTestFinished(stop)
    return { stop }
  }

  it('waits until each server has the new key, and names the servers that don’t', async () => {
    const place = await startPlace(dialect)
    const [first = ''] = linesOf(fileOf(place))
    const { stop } = await announced(await startAnother(place, textSource(first)))
    const { services } = place.test.app
    expect(await prepareRootKey(services)).toBe('prepared')
    expect(await switchRootKey(services)).toEqual([expect.stringContaining(`(process ${process.pid})`)])
    expect(await describeRootKey(services)).toMatchObject({ state: 'prepared' })
    expect((await readRootKeyState(services.db.read)).former).toBeUndefined()
    await stop()
    expect(await switchRootKey(services)).toEqual([])
    await finishRootKey(services)
    await expectAllOpen(place)
  })

  it('does not wait until the server that rotates has announced the new key', async () => {
    const place = await startPlace(dialect)
    const { services } = place.test.app
    await announced(services)
    expect(await prepareRootKey(services)).toBe('prepared')
    expect(await switchRootKey(services)).toEqual([])
    await finishRootKey(services)
    await expectAllOpen(place)
  })

  it('continues once the others have read the file again', async () => {
    const place = await startPlace(dialect)
    const other = await startAnother(place)
    await announced(other, 20)
    expect(await changeRootKey(place.test.app.services)).toMatchObject({ changed: true })
    const { id } = await describeRootKey(other)
    expect(other.instance.rootKeys.byId.has(id)).toBe(true)
  })

  it('forgets a server that was silent for a minute', async () => {
    const place = await startPlace(dialect)
    const [first = ''] = linesOf(fileOf(place))
    await announced(await startAnother(place, textSource(first)))
    const { services } = place.test.app
    await prepareRootKey(services)
    await services.db.write((tx) =>
      tx
        .updateTable('servers')
        .set((server) => ({ seenAt: server('seenAt', '-', 60_001) }))
        .execute(),
    )
    expect(await switchRootKey(services)).toEqual([])
  })

  it.each([-3_600_000, 3_600_000])('waits for others even if its own clock differs by %i ms', async (offMs) => {
    const place = await startPlace(dialect)
    const [first = ''] = linesOf(fileOf(place))
    await announced(await startAnother(place, textSource(first)))
    const { services } = place.test.app
    place.clock.now += offMs
    await prepareRootKey(services)
    // Its own row must not make the others look as if they were gone.
    await announced(services)
    expect(await switchRootKey(services)).toEqual([expect.stringContaining(`(process ${process.pid})`)])
  })

  it('does not let a server start that has only the former key', async () => {
    const place = await startPlace(dialect)
    const [first = ''] = linesOf(fileOf(place))
    // It has read the row, but not announced itself yet.
    const late = await startAnother(place, textSource(first))
    await changeRootKey(place.test.app.services)
    await expect(announceServer(late, migrations)).rejects.toThrow(StoreError)
    await expect(announceServer(late, migrations)).rejects.toThrow(/does not have the new one/)
  })

  it('leaves the file to the process that holds it', async () => {
    const place = await startPlace(dialect)
    const { services } = place.test.app
    await prepareRootKey(services)
    await switchRootKey(services)
    const other = await startAnother(place, textSource(linesOf(fileOf(place)).join(',')))
    expect(await finishRootKey(other)).toEqual({ isFinished: true, formerKeyFile: undefined, damaged: 0 })
    expect(await retireRootKey(services)).toBeUndefined()
    await expectAllOpen(place)
    expect(await describeRootKey(services)).toMatchObject({ state: 'settled' })
  })
})
