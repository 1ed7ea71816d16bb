import { describe, expect, it } from 'vitest'
import { measured } from '../promises/measured.ts'
import { makeFailingDisk, whyNot } from './failing-disk.ts'
import { failAt } from './io-errors.ts'
import { setUp } from './server-process.ts'

describe.skipIf(whyNot)(`an error of the disk at one call${whyNot ? ` (skipped: ${whyNot})` : ''}`, () => {
  it('loses nothing that was acknowledged, and damages nothing', { timeout: 120_000 }, async () => {
    const disk = makeFailingDisk()
    const account = await setUp(disk.site)
    const kept = new Map<string, string>()
    let injected = 0
    for (const call of [2, 37, 120]) injected += (await failAt(disk, account, call, kept)).injected
    expect(injected).toBe(3)
    measured({ errors: injected, 'acknowledged writes': kept.size, lost: 0 })
  })
})
