import { describe, expect, it } from 'vitest'
import { measured } from '../promises/measured.ts'
import { makeFailingDisk, whyNot } from './failing-disk.ts'
import { killAtSite } from './kill-rounds.ts'

describe.skipIf(whyNot)(`a power cut while many clients write${whyNot ? ` (skipped: ${whyNot})` : ''}`, () => {
  it('loses nothing that was acknowledged, though everything that was not synced is lost', async () => {
    const disk = makeFailingDisk()
    const { acknowledged } = await killAtSite(disk.site, { rounds: 2, longestMs: 400, afterKill: disk.cutPower })
    expect(acknowledged).toBeGreaterThan(0)
    measured({ cuts: 2, 'acknowledged writes': acknowledged, lost: 0 })
  })
})
