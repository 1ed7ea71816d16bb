import { expect, it } from 'vitest'
import { useTestApp } from './app.ts'
import { eachDialect } from './dialects.ts'
import { fillStore, tryDamages } from './seeded-damages.ts'

eachDialect('check', (dialect) => {
  const test = useTestApp({ dialect, runsJobs: false })

  it('notices damages of any column, and repairs them or names what is lost', async () => {
    const former = await fillStore(test())
    const { repaired, lost } = await tryDamages(test(), { seed: 1, count: 40, former })
    expect(repaired).toBeGreaterThan(0)
    expect(lost).toBeGreaterThan(0)
  })
})
