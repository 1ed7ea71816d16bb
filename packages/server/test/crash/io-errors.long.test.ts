import { describe, expect, it } from 'vitest'
import { measured, scaled } from '../promises/measured.ts'
import { makeFailingDisk, whyNot } from './failing-disk.ts'
import { failAt } from './io-errors.ts'
import { setUp } from './server-process.ts'

const calls = 500
/** Each call reads everything written before. */
const callsOnOneStore = 50

describe.skipIf(whyNot)(`an error of the disk at each of 500 calls${whyNot ? ` (skipped: ${whyNot})` : ''}`, () => {
  it('loses nothing that was acknowledged, and damages nothing', { timeout: 14_400_000 }, async () => {
    const total = { tried: 0, injected: 0, acknowledged: 0, stopped: 0 }
    const step = calls / scaled(calls)
    for (let from = 1; from <= calls; from += callsOnOneStore * step) {
      const disk = makeFailingDisk()
      const account = await setUp(disk.site)
      const kept = new Map<string, string>()
      for (let call = from; call < from + callsOnOneStore * step && call <= calls; call += step) {
        const { injected, acknowledged, stopped } = await failAt(disk, account, Math.floor(call), kept)
        total.tried++
        total.injected += injected
        total.acknowledged += acknowledged
        total.stopped += stopped
      }
    }
    expect(total.injected).toBe(total.tried)
    measured({
      errors: total.injected,
      'servers that stopped': total.stopped,
      'acknowledged writes': total.acknowledged,
      lost: 0,
    })
  })
})
