import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createSearchTurns, type SearchTurns } from './search-turns.ts'

/** The searches that ran, in order, each with the turn of the event loop in which it ran. */
function startSearches(takeTurn: SearchTurns, vaults: readonly string[]) {
  const ran: { search: string; turn: number }[] = []
  let turn = 0
  const counting = new AbortController()
  void (async () => {
    while (!counting.signal.aborted) {
      await nextTurn()
      turn++
    }
  })()
  const all = Promise.all(
    vaults.map(async (vault, at) => {
      await takeTurn(vault)
      ran.push({ search: `${vault}${at}`, turn })
    }),
  )
  return { ran, all: all.finally(() => counting.abort()) }
}

describe('the turns of searches', () => {
  it('let the first search run at once, and one more in each turn of the event loop', async () => {
    const { ran, all } = startSearches(createSearchTurns(), ['a', 'a', 'a', 'a'])
    await Promise.resolve()
    expect(ran).toEqual([{ search: 'a0', turn: 0 }])
    await all
    expect(ran.map(({ search }) => search)).toEqual(['a0', 'a1', 'a2', 'a3'])
    expect(new Set(ran.map(({ turn }) => turn)).size).toBe(4)
  })

  it('go around the vaults, so a vault with many searches does not delay those of the others', async () => {
    const { ran, all } = startSearches(createSearchTurns(), ['a', 'a', 'a', 'a', 'b', 'c', 'c'])
    await all
    expect(ran.map(({ search }) => search)).toEqual(['a0', 'a1', 'b4', 'c5', 'a2', 'c6', 'a3'])
  })

  it('are free again after a search', async () => {
    const takeTurn = createSearchTurns()
    for (let search = 0; search < 3; search++) {
      const { ran, all } = startSearches(takeTurn, ['a'])
      await Promise.resolve()
      expect(ran).toHaveLength(1)
      await all
      await nextTurn()
    }
  })

  it('are refused to searches that have waited for more than 1.8 s', async () => {
    let now = 0
    const takeTurn = createSearchTurns(() => now)
    await takeTurn('a')
    const [patient, late] = [takeTurn('a'), takeTurn('b')]
    now = 1_800
    await patient
    now = 1_801
    await expect(late).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 })
    await nextTurn()
    await expect(takeTurn('b')).resolves.toBeUndefined()
  })
})
