import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { registry } from '../src/api/registry.ts'
import { changesOf, changeTypes, classOfActivity } from '../src/operation/change-types.ts'
import type { ChangeNews } from '../src/operation/context.ts'
import { useTestApp } from './app.ts'
import { makeUser } from './factories.ts'
import { asksForSecret, callAs, inputFor, makeWorld } from './sweep-world.ts'

/** What is told and written down of each operation that changes something, and to whom. */

const test = useTestApp()

// Passwords and codes are nobody's to know here.
const changing = registry.filter(
  (operation) =>
    operation.effect !== 'read' && ['agent', 'dashboard'].includes(operation.audience) && !asksForSecret(operation),
)

/** Longer than news are gathered, and than the least time between two of them. */
const newsMs = 1_200

describe.each(changing)('$name', (operation) => {
  it('tells those who may see it what it changed, and writes down that it was done', async () => {
    const [world, stranger] = await Promise.all([makeWorld(test()), makeUser(test())])
    const { news, activity, db } = test().app.services
    const told: ChangeNews[] = []
    const toldStranger: ChangeNews[] = []
    const own = news.listen(world.user.userId, (one) => told.push(one), undefined)
    const other = news.listen(stranger.userId, (one) => toldStranger.push(one), undefined)
    const answer = await callAs(test(), operation, world, inputFor(operation, world))
    expect(answer.status, answer.text).toBeLessThan(300)
    const deadline = Date.now() + newsMs
    while (told.length === 0 && Date.now() < deadline) await pause(5)
    own.leave()
    other.leave()
    const types = changesOf(operation)
    expect(types).not.toEqual([])
    expect(told.flatMap((one) => one.types)).toEqual(expect.arrayContaining([...types]))
    expect(toldStranger).toEqual([])

    await activity.flush()
    const rows = await db.read
      .selectFrom('activity')
      .selectAll()
      .where('userId', '=', world.user.userId)
      .where('operation', '=', operation.name)
      .orderBy('id', 'desc')
      .execute()
    expect(rows[0]).toMatchObject({
      actor: operation.audience === 'agent' ? 'agent' : 'person',
      class: classOfActivity(operation),
      status: 200,
      calls: 1,
    })
    const all = await test().call('browse-activity', {}, { key: stranger.dashboardToken })
    expect(all.body).toMatchObject({ total: 0 })
  })
})

describe('what operations change', () => {
  it('is nothing for those that read, and something known for all others', () => {
    for (const operation of registry) {
      const types = changesOf(operation)
      expect([operation.name, types.length > 0]).toEqual([operation.name, operation.effect !== 'read'])
      expect(changeTypes).toEqual(expect.arrayContaining([...types]))
    }
  })
})
