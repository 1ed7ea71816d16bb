import { describe, expect, it } from 'vitest'
import { inBackground, type Pieces } from './in-pieces.ts'

const pieceMs = 20

function* work(pieces: number): Pieces<string> {
  for (let piece = 0; piece < pieces; piece++) {
    const until = performance.now() + pieceMs
    while (performance.now() < until);
    yield
  }
  return 'made'
}

describe('work in pieces', () => {
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
})
