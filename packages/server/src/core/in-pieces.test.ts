import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { countTurns } from './testing/count-turns.ts'
import { inBackground, inPieces, sharedSteps, type Pieces } from './in-pieces.ts'

const pieceMs = 20

function spend(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

function* work(pieces: number): Pieces<string> {
  for (let piece = 0; piece < pieces; piece++) {
    spend(pieceMs)
    yield
  }
  return 'made'
}

describe('work in pieces', () => {
  it('runs one piece in each turn of the event loop, however many works there are', async () => {
    const turn = countTurns()
    const turns: number[] = []
    function* noting(): Pieces<void> {
      for (const piece of work(4)) {
        turns.push(turn())
        yield piece
      }
    }
    await Promise.all(Array.from({ length: 5 }, () => inPieces(noting())))
    // All begin at once, because most work is done within a piece.
    expect(turns.slice(0, 5)).toEqual([0, 0, 0, 0, 0])
    const later = turns.slice(5)
    expect(later).toHaveLength(15)
    expect(new Set(later).size).toBe(later.length)
  })

  it('leaves four fifths of the time to others, and returns the result', async () => {
    const begun = performance.now()
    expect(await inBackground(work(5), new AbortController().signal)).toBe('made')
    expect(performance.now() - begun).toBeGreaterThan(4.9 * 5 * pieceMs)
  })

  it('stops as soon as it is aborted, even during a pause', async () => {
    const stopping = new AbortController()
    const begun = performance.now()
    const making = inBackground(work(20), stopping.signal)
    setTimeout(() => stopping.abort(), 1.5 * pieceMs)
    expect(await making).toBe('made')
    // 2,000 ms with all pauses.
    expect(performance.now() - begun).toBeLessThan(1_400)
  })

  it('lets short steps of many calls pass in the order in which they came, though much time passes between them', async () => {
    const step = sharedSteps()
    const passed: number[] = []
    const call = async (number: number) => {
      await step(() => passed.push(number))
      // The rest of the call's work.
      spend(pieceMs)
    }
    for (let turn = 0; turn < 3; turn++) {
      void call(turn * 2)
      void call(turn * 2 + 1)
      await nextTurn()
      expect(passed).toHaveLength(turn * 2 + 2)
    }
    expect(passed).toEqual([0, 1, 2, 3, 4, 5])
  })

  it('makes steps wait for a turn once those before them have taken as long as a piece', async () => {
    const step = sharedSteps()
    const turn = countTurns()
    const turns: number[] = []
    const call = async () => {
      for (let at = 0; at < 3; at++) {
        await step(() => {
          turns.push(turn())
          spend(pieceMs)
        })
      }
    }
    await Promise.all([call(), call()])
    expect(turns).toHaveLength(6)
    expect(new Set(turns).size).toBe(6)
  })

  it('lets a short step pass long work that takes step after step', async () => {
    const step = sharedSteps()
    const stopping = new AbortController()
    let steps = 0
    const workOn = async () => {
      while (!stopping.signal.aborted) {
        await step(() => spend(pieceMs))
        steps++
      }
    }
    const working = Promise.all([workOn(), workOn()])
    for (let turn = 0; turn < 4; turn++) await nextTurn()
    const before = steps
    await step(() => {})
    stopping.abort()
    await working
    // Each of the two ends the step that it waits for, and perhaps one more.
    expect(steps - before).toBeLessThanOrEqual(4)
  })
})
