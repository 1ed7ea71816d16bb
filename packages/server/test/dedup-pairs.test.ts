import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProvider } from '../src/embeddings/create-provider.ts'
import type { EmbeddingProvider } from '../src/embeddings/provider.ts'
import { judge, type Claim } from '../src/memories/dedup.ts'
import { tokenize } from '../src/text/tokenize.ts'
import { defaultSettings } from '../src/vaults/settings.ts'
import { useTestApp } from './app.ts'
import { readPairs, type Pair, type PairSet } from './dedup-pairs.ts'
import { eachDialect } from './dialects.ts'
import { startAgent, type TestAgent } from './scenarios.ts'

/** What dedup makes of pairs of memories with the built-in model, at the default thresholds. */

let model: EmbeddingProvider
beforeAll(() => {
  const provider = createProvider({ provider: 'static' })
  if (provider === undefined) throw new Error('There is no built-in model')
  model = provider
})

const claim = (content: string): Claim => ({
  memoryId: 'old',
  memoryType: 'fact',
  content,
  entities: [],
  occurredAt: 0,
  expiresAt: undefined,
})

function shareOfWords(one: string, other: string): number {
  const [a, b] = [new Set(tokenize(one)), new Set(tokenize(other))]
  const common = [...a].filter((word) => b.has(word)).length
  return common / Math.max(1, a.size + b.size - common)
}

/** An entity in common is the most tempting case: without one nothing is ever superseded. */
async function actionOn(older: string, newer: string): Promise<string | undefined> {
  const { vectors } = await model.embed([older, newer], 'document')
  const [a, b] = vectors
  const cosine = a === undefined || b === undefined ? 0 : a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
  const likeness = {
    jaccard: shareOfWords(older, newer),
    similarity: model.calibration.toSimilarity(cosine),
    isByWords: model.isMeanOfWords,
    sharesEntity: true,
  }
  return judge(claim(newer), claim(older), likeness, defaultSettings.dedup)?.action
}

/** Each pair in both orders. */
async function actionsOn(pairs: readonly Pair[]) {
  const found: { action: string | undefined; older: string; newer: string }[] = []
  for (const { older, newer } of pairs)
    for (const [a, b] of [
      [older, newer],
      [newer, older],
    ] as const)
      found.push({ action: await actionOn(a, b), older: a, newer: b })
  return found
}

const isMerged = (action: string | undefined) => action !== undefined && action !== 'superseded'

describe.each<PairSet>(['development', 'kept'])('of the pairs of memories (%s half)', (half) => {
  const pairs = readPairs(half)
  const related = (relation: Pair['relation']) => pairs.filter((pair) => pair.relation === relation)

  it('there are enough, each once', () => {
    expect(pairs.length).toBeGreaterThanOrEqual(200)
    expect([related('same').length, related('different').length]).toEqual([82, expect.toSatisfy((n) => n >= 110)])
    expect(new Set(pairs.map(({ older, newer }) => `${older} || ${newer}`)).size).toBe(pairs.length)
  })

  it('no two that say different things are folded, nor does one take the place of the other', async () => {
    const found = await actionsOn(related('different'))
    expect(found.filter(({ action }) => action !== undefined)).toEqual([])
  })

  it('none of which the newer tells of a change is folded', async () => {
    const found = await actionsOn(related('update'))
    expect(found.filter(({ action }) => isMerged(action))).toEqual([])
  })

  it('at least seven in ten that say the same in other words are folded', async () => {
    const found = await actionsOn(related('same'))
    expect(found.filter(({ action }) => action === 'superseded')).toEqual([])
    expect(found.filter(({ action }) => isMerged(action)).length / found.length).toBeGreaterThanOrEqual(0.7)
  })
})

/** Hundreds of writes in a row make a slow machine busy: it says so, and is asked again. */
async function write(agent: TestAgent, content: string, dedup: boolean): Promise<Record<string, unknown>> {
  for (;;) {
    const { status, body } = await agent.call('write-memory', { content, dedup })
    if (status !== 503) return body
    await delay(100)
  }
}

eachDialect('write-memory with dedup and the built-in model', (dialect) => {
  const test = useTestApp({ dialect, config: { embeddings: { provider: 'static' } } })

  it('folds rewordings among many memories, and nothing else', { timeout: 60_000 }, async () => {
    const agent = await startAgent(test())
    const sample = [...readPairs('development'), ...readPairs('kept')].filter((_, at) => at % 4 === 0)
    for (const { older } of sample) expect(await write(agent, older, false)).toMatchObject({ created: true })
    const wasCreated = { same: 0, update: 0, different: 0 }
    const wronglyFolded: string[] = []
    for (const { relation, newer } of sample) {
      const body = await write(agent, newer, true)
      expect(body.dedupAction).toBeTypeOf('string')
      if (body.created === true) wasCreated[relation]++
      else if (relation !== 'same') wronglyFolded.push(`${newer} (${String(body.dedupAction)})`)
    }
    expect(wronglyFolded).toEqual([])
    const rewordings = sample.filter(({ relation }) => relation === 'same').length
    expect(1 - wasCreated.same / rewordings).toBeGreaterThanOrEqual(0.6)
  })
})
