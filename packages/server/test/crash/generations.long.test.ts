import { expect, it, onTestFinished } from 'vitest'
import { startFakeEndpoint } from '../../src/embeddings/testing/fake-endpoint.ts'
import { eachDialect } from '../dialects.ts'
import { changeModels } from './generations.ts'

const memories = 10_000

eachDialect('ten thousand memories, another model and back under load', (dialect) => {
  it(
    'lose no answer, mix no models, and are not embedded from the start after a kill',
    { timeout: 1_800_000 },
    async () => {
      const endpoint = await startFakeEndpoint()
      onTestFinished(() => endpoint.close())
      const outcome = await changeModels(await dialect.freshUrl(), endpoint, { memories, clients: 16 })
      expect(outcome.degraded).toBeGreaterThan(100)
      expect(outcome.searches).toBeGreaterThan(outcome.degraded)
      // A third would be embedded twice if the kill made it begin again; a time limit may cost some a second try.
      expect(outcome.embedded).toBeGreaterThanOrEqual(outcome.records - memories / 100)
      expect(outcome.embedded).toBeLessThan(outcome.records * 1.1)
      console.log(outcome)
    },
  )
})
