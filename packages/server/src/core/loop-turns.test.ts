import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { countTurns } from './testing/count-turns.ts'
import { createLoopTurns, type LoopTurns } from './loop-turns.ts'

/** The works that ran, in order, each with the turn of the event loop in which it ran. */
function startWorks(takeTurn: LoopTurns, vaults: readonly string[]) {
  const ran: { work: string; turn: number }[] = []
  const turn = countTurns()
  const all = Promise.all(
    vaults.map(async (vault, at) => {
      await takeTurn(vault)
      ran.push({ work: `${vault}${at}`, turn: turn() })
    }),
  )
  return { ran, all }
}

describe('turns of the event loop', () => {
  it('let the first work run at once, and one more in each turn', async () => {
    const { ran, all } = startWorks(createLoopTurns(), ['a', 'a', 'a', 'a'])
    await Promise.resolve()
    expect(ran).toEqual([{ work: 'a0', turn: 0 }])
    await all
    expect(ran.map(({ work }) => work)).toEqual(['a0', 'a1', 'a2', 'a3'])
    expect(new Set(ran.map(({ turn }) => turn)).size).toBe(4)
  })

  it('go around the vaults, so a vault with much work does not delay the others', async () => {
    const { ran, all } = startWorks(createLoopTurns(), ['a', 'a', 'a', 'a', 'b', 'c', 'c'])
    await all
    expect(ran.map(({ work }) => work)).toEqual(['a0', 'a1', 'b4', 'c5', 'a2', 'c6', 'a3'])
  })

  it('are free again after a work', async () => {
    const takeTurn = createLoopTurns()
    for (let work = 0; work < 3; work++) {
      const { ran, all } = startWorks(takeTurn, ['a'])
      await Promise.resolve()
      expect(ran).toHaveLength(1)
      await all
      await nextTurn()
    }
  })

  it('are refused to works that have waited for more than 1.8 s', async () => {
    let now = 0
    const takeTurn = createLoopTurns(() => now)
    await takeTurn('a')
    const patient = takeTurn('a')
    const late = Promise.allSettled([...Array.from({ length: 100 }, () => takeTurn('b')), takeTurn('c')])
    now = 1_800
    await patient
    now = 1_801
    const last = takeTurn('b')
    await nextTurn()
    await expect(last).resolves.toBeUndefined()
    const refused = { status: 'rejected', reason: { code: 'overloaded', retryAfterSeconds: 2 } }
    expect(await late).toMatchObject(Array.from({ length: 101 }, () => refused))
  })
})
