import { expect, it } from 'vitest'
import { asSealed } from '../src/crypto/cell.ts'
import { useTestApp } from './app.ts'
import { wordFor } from './crash/agent.ts'
import { eachDialect } from './dialects.ts'
import { createRandom } from './fuzz/random.ts'
import { measured } from './promises/measured.ts'
import { startAgent, type TestAgent } from './scenarios.ts'

/** Texts of words that are as often as in a language: the most frequent in most texts, most words in few. */
async function fill(agent: TestAgent): Promise<Map<string, string[]>> {
  const random = createRandom(34)
  const written = new Map<string, string[]>()
  for (let number = 0; number < 60; number++) {
    const words = Array.from({ length: 12 }, () => wordFor(random.int(0, random.int(0, random.int(0, 59)))))
    written.set(await agent.write(words.join(' ')), words)
  }
  return written
}

/** Cells begin with their version, suite and generation, which are the same in all. */
const headerBytes = 6
const windowBytes = 8

/** How many parts of 8 bytes are in more than one cell: what a frequency attack counts. */
function countShared(cells: readonly Uint8Array[]): number {
  const cellOf = new Map<bigint, number>()
  let shared = 0
  for (const [number, cell] of cells.entries()) {
    const bytes = Buffer.from(cell)
    for (let at = headerBytes; at + windowBytes <= bytes.length; at++) {
      const part = bytes.readBigUInt64LE(at)
      const known = cellOf.get(part)
      if (known !== undefined && known !== number) shared++
      cellOf.set(part, number)
    }
  }
  return shared
}

eachDialect('the stored index', (dialect) => {
  const test = useTestApp({ dialect })

  it('repeats nothing that an attack by the frequency of words could count', async () => {
    const agent = await startAgent(test())
    const written = await fill(agent)
    const { db } = test().app.services
    const { vaultId } = agent.user
    const entries = db.read.selectFrom('indexEntries').select('entry').where('vaultId', '=', vaultId)
    const memories = db.read.selectFrom('memories').select(['head', 'body']).where('vaultId', '=', vaultId)
    const cells = [
      ...(await entries.execute()).map(({ entry }) => entry),
      ...(await memories.execute()).flatMap(({ head, body }) => [head, body]),
    ]
    expect(cells).toHaveLength(3 * written.size)
    // The attack finds words where they are stored alike in several places.
    const plain = [...written.values()].map((words) => Buffer.from(words.join(' ')))
    expect(countShared(plain)).toBeGreaterThan(100)
    const shared = countShared(cells)
    expect(shared).toBe(0)
    measured({ 'encrypted values': cells.length, 'shared parts of 8 bytes': shared, 'words recovered, in %': 0 })
  })

  it('finds each record with a word, and opens the results only', async () => {
    const agent = await startAgent(test())
    const written = await fill(agent)
    const idsWith = (word: string) => [...written].flatMap(([id, words]) => (words.includes(word) ? [id] : []))
    const words = [...new Set([...written.values()].flat())].filter((word) => idsWith(word).length <= 50)
    let most = 0
    for (const word of words) {
      const found = await agent.search(word, { topK: 50 })
      expect([word, found.toSorted()]).toEqual([word, idsWith(word).toSorted()])
      most = Math.max(most, found.length)
    }
    // A search that opened another record would fail.
    const [rare] = words.toSorted((a, b) => idsWith(a).length - idsWith(b).length)
    if (rare === undefined) throw new Error('there are words')
    const damaged = asSealed(Buffer.alloc(40))
    await test().app.services.db.write((tx) =>
      tx
        .updateTable('memories')
        .set({ head: damaged, body: damaged })
        .where('vaultId', '=', agent.user.vaultId)
        .where('id', 'not in', idsWith(rare))
        .execute(),
    )
    expect((await agent.search(rare, { topK: 50 })).toSorted()).toEqual(idsWith(rare).toSorted())
    measured({ words: words.length, 'found, in %': 100, 'most records opened for a search': most })
  })
})
