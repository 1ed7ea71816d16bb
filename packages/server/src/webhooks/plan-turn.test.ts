import { describe, expect, it } from 'vitest'
import { planTurn } from './schedule.ts'

const readyOf = (userId: string, ...webhookIds: string[]) =>
  webhookIds.map((webhookId) => ({ userId, webhookId, heldUntil: undefined }))
const manyOf = (userId: string, count: number) =>
  readyOf(userId, ...Array.from({ length: count }, (_, at) => `${userId}-${String(at).padStart(2, '0')}`))
const planned = (plan: ReturnType<typeof planTurn>) => plan.map(({ ready, most }) => [ready.webhookId, most])

describe('whose turn it is', () => {
  it('gives each endpoint four slots, minus its deliveries in progress', () => {
    const underWay = [{ userId: 'u', webhookId: 'b' }]
    expect(planned(planTurn(readyOf('u', 'a', 'b'), underWay, ''))).toEqual([
      ['a', 4],
      ['b', 3],
    ])
  })

  it('gives at most sixteen to one user, and sixty-four in total', () => {
    const total = (plan: ReturnType<typeof planTurn>) => plan.reduce((sum, { most }) => sum + most, 0)
    expect(total(planTurn(manyOf('u', 20), [], ''))).toBe(16)
    const all = ['u', 'v', 'w', 'x', 'y'].flatMap((userId) => manyOf(userId, 20))
    expect(total(planTurn(all, [], ''))).toBe(64)
    const underWay = Array.from({ length: 64 }, (_, at) => ({ userId: 'z', webhookId: String(at) }))
    expect(planTurn(all, underWay, '')).toEqual([])
  })

  it('continues after the one that was served last', () => {
    expect(planned(planTurn(readyOf('u', 'a', 'b', 'c'), [], 'a')).map(([id]) => id)).toEqual(['b', 'c', 'a'])
    expect(planned(planTurn(readyOf('u', 'a', 'b', 'c'), [], 'c')).map(([id]) => id)).toEqual(['a', 'b', 'c'])
  })

  it('serves every endpoint eventually', () => {
    const ready = manyOf('u', 20)
    const served = new Set<string>()
    let last = ''
    for (let round = 0; round < 5; round++) {
      const plan = planTurn(ready, [], last)
      for (const { ready: one } of plan) served.add(one.webhookId)
      last = plan.at(-1)?.ready.webhookId ?? last
    }
    expect(served.size).toBe(20)
  })
})
