import { describe, expect, it } from 'vitest'
import { describePeers, type PeerFigures } from './describe-peers.ts'

const speed = {
  firstWriteMs: 780,
  writesPerSecond: 1_069.4,
  refused: 0,
  searchP50: 1.87,
  rssBytes: 80_000_000,
  bytesPerMemory: 2_041.3,
  synced: 10,
  readable: [],
}
const figures: PeerFigures = {
  label: 'example 1.2',
  conditions: 'npm `example@1.2`.',
  installedBytes: { figures: 29_400_000 },
  speed: { figures: speed },
  kill: { figures: { acknowledged: 30, lost: 0 } },
  writers: { figures: { acknowledged: 400, lost: 293 } },
  quality: { figures: { recall10: 0.7812, ndcg10: 0.6018, refused: 0 } },
}

const cellsIn = (text: string): string[] | undefined =>
  text
    .split('\n')[2]
    ?.split('|')
    .slice(1, -1)
    .map((cell) => cell.trim())

describe('describePeers', () => {
  it('prints a row per server with units, and how each was called', () => {
    const text = describePeers([figures])
    expect(cellsIn(text)).toEqual(
      'example 1.2;29 MB;0.78 s;1,069;yes;1.9 ms;80 MB;2,041 bytes;78.1 / 60.2;0 of 30;293 of 400;no'.split(';'),
    )
    expect(text).toContain('- **example 1.2**: npm `example@1.2`.')
  })

  it('says why a figure is missing, once for all steps with the same reason', () => {
    const failure = { failure: 'npm failed: 404' }
    const { quality: _, ...withoutSet } = figures
    const text = describePeers([
      { ...withoutSet, installedBytes: failure, speed: failure, kill: failure, writers: failure },
    ])
    expect(cellsIn(text)?.filter((cell) => cell === 'failed')).toHaveLength(10)
    expect(cellsIn(text)).toContain('–')
    expect(text).toContain('- example 1.2, Installation, Speed, Killed, 16 writers: npm failed: 404')
  })

  it('counts the writes that were synced, and the texts that were refused', () => {
    const text = describePeers([{ ...figures, speed: { figures: { ...speed, synced: 3, refused: 4 } } }])
    expect(cellsIn(text)?.[4]).toBe('3 of 10')
    expect(text).toContain('example 1.2 refused 4 of the texts')
    const unwatched = describePeers([{ ...figures, speed: { figures: { ...speed, synced: undefined } } }])
    expect(cellsIn(unwatched)?.[4]).toBe('–')
  })
})
