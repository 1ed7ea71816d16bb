import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { eachDialect } from '../../test/dialects.ts'
import { startAgent } from '../../test/scenarios.ts'
import type { EmbeddingProvider } from '../embeddings/provider.ts'
import { backfillVectors } from './backfill-vectors.ts'

eachDialect('filling in vectors', (dialect) => {
  it('embeds nothing that another server has filled in meanwhile', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    for (const content of ['violets', 'wet stone', 'falcon']) await agent.write(content)
    const { db } = test.app.services
    await db.write((tx) => tx.updateTable('indexEntries').set({ vectorsMissing: 1 }).execute())
    let embedded = 0
    const provider: EmbeddingProvider = {
      id: 'test',
      dims: 2,
      maxInputChars: 1000,
      batchSize: 10,
      async embed(texts) {
        embedded++
        // The other server fills in all of them while the first one waits for its vector.
        await db.write((tx) => tx.updateTable('indexEntries').set({ vectorsMissing: 0 }).execute())
        return { vectors: texts.map(() => Float32Array.of(1, 0)), tokens: 0 }
      },
    }
    await backfillVectors(test.app.services, provider).run(new AbortController().signal)
    expect(embedded).toBe(1)
  })

  it('fills in notes as well as memories, each once', async () => {
    const test = await startTestApp({ dialect })
    const agent = await startAgent(test)
    await agent.write('violets')
    await agent.call('create-note', { title: 'Stones', content: 'wet stone' })
    await agent.call('create-note', { title: 'Empty' })
    const { db } = test.app.services
    await db.write((tx) => tx.updateTable('indexEntries').set({ vectorsMissing: 1 }).execute())
    const embedded: string[] = []
    const provider: EmbeddingProvider = {
      id: 'test',
      dims: 2,
      maxInputChars: 1000,
      batchSize: 10,
      async embed(texts) {
        embedded.push(...texts)
        return { vectors: texts.map(() => Float32Array.of(1, 0)), tokens: 0 }
      },
    }
    for (let round = 0; round < 2; round++) {
      await backfillVectors(test.app.services, provider).run(new AbortController().signal)
    }
    expect(embedded.map((text) => text.trim()).toSorted()).toEqual(['Empty', 'Stones\n\nwet stone', 'violets'])
    const left = await db.read.selectFrom('indexEntries').select('itemId').where('vectorsMissing', '=', 1).execute()
    expect(left).toEqual([])
  })
})
