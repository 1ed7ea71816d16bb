import { expect, it, onTestFinished } from 'vitest'
import { startFakeEndpoint } from '../../src/embeddings/testing/fake-endpoint.ts'
import { tempDir } from './server-process.ts'
import { changeModels } from './generations.ts'

it(
  'another model and back, under load and through a kill, loses no answer and mixes no models',
  { timeout: 120_000 },
  async () => {
    const endpoint = await startFakeEndpoint()
    onTestFinished(() => endpoint.close())
    const store = { kind: 'sqlite', dir: tempDir() } as const
    const { degraded, searches } = await changeModels(store, endpoint, { memories: 60, clients: 8 })
    expect(degraded).toBeGreaterThan(0)
    expect(searches).toBeGreaterThan(degraded)
  },
)
