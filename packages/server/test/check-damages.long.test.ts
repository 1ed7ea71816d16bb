import { expect, it } from 'vitest'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { measured } from './promises/measured.ts'
import { fillStore, tryDamages } from './seeded-damages.ts'

eachDialect('check', (dialect) => {
  const test = useTestApp({ dialect, runsJobs: false })

  it('ends clean or names what is lost after 500 seeded damages', { timeout: 3_600_000 }, async () => {
    const former = await fillStore(test())
    const { repaired, lost, unnoticed } = await tryDamages(test(), {
      seed: 500,
      count: 500,
      former,
    })
    expect(repaired).toBeGreaterThan(100)
    expect(lost).toBeGreaterThan(100)
    measured({ repaired, 'named as lost': lost, 'plain values that nothing else says': unnoticed })
  })
})
