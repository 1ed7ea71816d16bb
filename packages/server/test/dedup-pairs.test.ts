import { setTimeout as delay } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { createProvider } from '../src/embeddings/create-provider.ts'
import type { EmbeddingProvider } from '../src/embeddings/provider.ts'
import { judge, type Claim } from '../src/memories/dedup.ts'
import { isRewording } from '../src/claims/rewording.ts'
import { tokenize } from '../src/text/tokenize.ts'
import { defaultSettings } from '../src/vaults/settings.ts'
import { useTestApp } from './app.ts'
import { readPairs, type Pair, type PairSet } from './dedup-pairs.ts'
import { eachDialect } from './dialects.ts'
import { inLongRun } from './promises/measured.ts'
import { startAgent, type TestAgent } from './scenarios.ts'

/** What deduplication does with pairs of memories, using the built-in model and the default thresholds. */

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

/** A common entity is the hardest case: without one nothing is ever superseded. */
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

const related = (set: PairSet, relation: Pair['relation']) =>
  readPairs(set).filter((pair) => pair.relation === relation)

describe.each<[PairSet, number]>([
  ['development', 0],
  // Each could be superseded except for its content: about all vaults or new ones, required or recommended.
  ['kept', 4],
])('of the pairs of memories (%s half)', (half, superseded) => {
  it('there are enough, each once', () => {
    const pairs = readPairs(half)
    expect(pairs.length).toBeGreaterThanOrEqual(200)
    expect([related(half, 'same').length, related(half, 'different').length]).toEqual([
      82,
      expect.toSatisfy((count) => count >= 110),
    ])
    expect(new Set(pairs.map(({ older, newer }) => `${older} || ${newer}`)).size).toBe(pairs.length)
  })

  it('no two that say different things are merged', async () => {
    const found = await actionsOn(related(half, 'different'))
    expect(found.filter(({ action }) => isMerged(action))).toEqual([])
    expect(found.filter(({ action }) => action === 'superseded')).toHaveLength(superseded)
  })

  it('none is merged if the newer one reports a change', async () => {
    const found = await actionsOn(related(half, 'update'))
    expect(found.filter(({ action }) => isMerged(action))).toEqual([])
  })

  it('at least 60 % of the rewordings are merged', async () => {
    const found = await actionsOn(related(half, 'same'))
    expect(found.filter(({ action }) => action === 'superseded')).toEqual([])
    expect(found.filter(({ action }) => isMerged(action)).length / found.length).toBeGreaterThanOrEqual(0.6)
  })
})

describe('of the adversarial pairs', () => {
  it('none is merged', async () => {
    const pairs = related('adversarial', 'different')
    expect(pairs.length).toBeGreaterThanOrEqual(380)
    const found = await actionsOn(pairs)
    expect(found.filter(({ action }) => isMerged(action))).toEqual([])
    expect(pairs.filter(({ older, newer }) => isRewording(older, newer) || isRewording(newer, older))).toEqual([])
  })
})

describe('of the pairs written without knowledge of the rules', () => {
  it('there are 120 of both kinds, each once', () => {
    const pairs = readPairs('blind')
    expect([related('blind', 'same').length, related('blind', 'different').length]).toEqual([120, 120])
    expect(new Set(pairs.flatMap(({ older, newer }) => [older, newer])).size).toBe(480)
  })

  it('no two that say different things are merged', async () => {
    const found = await actionsOn(related('blind', 'different'))
    expect(found.filter(({ action }) => isMerged(action))).toEqual([])
    // Three pairs in both orders: a status, an algorithm, a permit that arrived.
    expect(found.filter(({ action }) => action === 'superseded')).toHaveLength(6)
  })

  it('no rewording supersedes the other', async () => {
    const found = await actionsOn(related('blind', 'same'))
    expect(found.filter(({ action }) => action === 'superseded')).toEqual([])
  })
})

/** Hundreds of consecutive writes make a slow machine busy. Retries as it asks, for up to ten seconds. */
async function write(agent: TestAgent, content: string, dedup: boolean): Promise<Record<string, unknown>> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { status, body } = await agent.call('write-memory', { content, dedup })
    if (status !== 503) return body
    await delay(100)
  }
  throw new Error('The server stays busy')
}

eachDialect('write-memory with dedup and the built-in model', (dialect) => {
  const test = useTestApp({ dialect, config: { embeddings: { provider: 'static' } } })

  it('merges rewordings among many memories, and nothing else', { timeout: 120_000 }, async () => {
    const agent = await startAgent(test())
    // Each pair is judged alone above.
    const step = inLongRun(1, 5)
    const sample = [
      ...[...readPairs('development'), ...readPairs('kept')].filter((_, at) => at % 4 === 0),
      ...readPairs('adversarial').filter((_, at) => at % step === 0),
    ]
    for (const { older } of sample) expect(await write(agent, older, false)).toMatchObject({ created: true })
    const wasCreated = { same: 0, update: 0, different: 0 }
    const wronglyFolded: string[] = []
    for (const { relation, newer } of sample) {
      const body = await write(agent, newer, true)
      expect(body.dedupAction).toBeTypeOf('string')
      if (body.created === true) wasCreated[relation]++
      // Several of the pairs have a text in common.
      else if (relation !== 'same' && body.dedupAction !== 'exact_match')
        wronglyFolded.push(`${newer} (${String(body.dedupAction)})`)
    }
    expect(wronglyFolded).toEqual([])
    const rewordings = sample.filter(({ relation }) => relation === 'same')
    const alone = await actionsOn(rewordings)
    // The other memories hide no duplicate that is found in a pair alone.
    const found = alone.filter(({ action }, at) => at % 2 === 0 && isMerged(action)).length
    expect(found).toBeGreaterThan(rewordings.length / 2)
    expect(rewordings.length - wasCreated.same).toBeGreaterThanOrEqual(found)
  })
})
