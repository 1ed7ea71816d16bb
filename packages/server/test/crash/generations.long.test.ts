import { expect, it, onTestFinished } from 'vitest'
import { startFakeEndpoint } from '../../src/embeddings/testing/fake-endpoint.ts'
import { eachDialect } from '../dialects.ts'
import { changeModels } from './generations.ts'

const memories = 10_000

eachDialect('switching ten thousand memories to another model and back under load', (dialect) => {
  it('loses no answer, mixes no models, and doesn’t start over after a kill', { timeout: 1_800_000 }, async () => {
    const endpoint = await startFakeEndpoint()
    onTestFinished(() => endpoint.close())
    const outcome = await changeModels(await dialect.freshUrl(), endpoint, { memories, clients: 16 })
    expect(outcome.degraded).toBeGreaterThan(100)
    expect(outcome.searches).toBeGreaterThan(outcome.degraded)
    // A third would be embedded twice if it started over after the kill; a time limit may cost some a second try.
    expect(outcome.embedded).toBeGreaterThanOrEqual(outcome.records - memories / 100)
    expect(outcome.embedded).toBeLessThan(outcome.records * 1.1)
    console.log(outcome)
  })
})
