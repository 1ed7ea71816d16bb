import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { countTurns } from './testing/count-turns.ts'
import { createLoopTurns, type LoopTurns } from './loop-turns.ts'

const inVault = (vaultId: string, userId = 'ann') => ({ userId, vaultId })

/** The works that ran, in order, each with the turn of the event loop in which it ran. A taker is a vault, or `user/vault`. */
function startWorks(takeTurn: LoopTurns, takers: readonly string[]) {
  const ran: { work: string; turn: number }[] = []
  const turn = countTurns()
  const all = Promise.all(
    takers.map(async (taker, at) => {
      const [vaultId = '', userId] = taker.split('/').toReversed()
      await takeTurn(inVault(vaultId, userId))
      ran.push({ work: `${taker}${at}`, turn: turn() })
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

  it('go around the users first, so many vaults of a user get no more turns than the only vault of another', async () => {
    const vaultsOfAnn = ['ann/a', 'ann/b', 'ann/c', 'ann/d', 'ann/a', 'ann/b']
    const { ran, all } = startWorks(createLoopTurns(), [...vaultsOfAnn, 'bob/a', 'bob/a', 'bob/e', 'eve/a'])
    await all
    const order = ran.map(({ work }) => work).join(' ')
    expect(order).toBe('ann/a0 ann/b1 bob/a6 eve/a9 ann/c2 bob/e8 ann/d3 bob/a7 ann/a4 ann/b5')
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
    await takeTurn(inVault('a'))
    const patient = takeTurn(inVault('a'))
    const late = Promise.allSettled([
      ...Array.from({ length: 100 }, () => takeTurn(inVault('b'))),
      takeTurn(inVault('c', 'bob')),
    ])
    now = 1_800
    await patient
    now = 1_801
    const last = takeTurn(inVault('b'))
    await nextTurn()
    await expect(last).resolves.toBeUndefined()
    const refused = { status: 'rejected', reason: { code: 'overloaded', retryAfterSeconds: 2 } }
    expect(await late).toMatchObject(Array.from({ length: 101 }, () => refused))
  })
})
