import { describe, expect, it, onTestFinished } from 'vitest'
import { createCalibration } from '../../embeddings/calibration.ts'
import { createOpenAiCompatible } from '../../embeddings/openai-compatible.ts'
import { createStaticProvider } from '../../embeddings/static-model.ts'
import { goodAnswer, sendJson, startFakeEndpoint } from '../../embeddings/testing/fake-endpoint.ts'
import { questionPairs } from './question-pairs.ts'
import { tryModel } from './try-model.ts'

/** An endpoint whose vectors all have a part in common, as those of models that rate everything as similar. */
async function startCrowded(shift: number) {
  const endpoint = await startFakeEndpoint()
  onTestFinished(() => endpoint.close())
  endpoint.respond = ({ body }, response) => {
    const { data, ...answer } = goodAnswer(body.input)
    const moved = data.map(({ embedding, ...item }) => ({
      ...item,
      embedding: embedding.map((value) => value + shift),
    }))
    sendJson(response, { ...answer, data: moved })
  }
  return endpoint
}

describe('tryModel', () => {
  it('finds that the built-in model and its calibration are usable', async () => {
    const trial = await tryModel(createStaticProvider())
    expect(trial).toMatchObject({ dims: 256, maxTokens: null, pairs: 20, suggestedCalibration: null })
    expect(trial.right).toBeGreaterThanOrEqual(15)
    expect(trial.cosines.own).toBeGreaterThan(trial.cosines.others + 0.2)
    expect(trial.found.own).toBeGreaterThanOrEqual(15)
    expect(trial.found.others).toBeLessThan(trial.found.ofOthers / 20)
    expect(trial.textsPerSecond).toBeGreaterThan(0)
    expect(trial.msPerQuestion).toBeGreaterThan(0)
  })

  it('suggests a calibration that fits, for a model that rates everything as similar', async () => {
    const { url } = await startCrowded(1)
    const make = (knot?: [number, number]) =>
      createOpenAiCompatible({
        url,
        key: undefined,
        model: 'm',
        calibration: knot && createCalibration([knot]),
      })
    const trial = await tryModel(make())
    expect(trial.cosines.others).toBeGreaterThan(0.6)
    expect(trial.found.others).toBe(trial.found.ofOthers)
    const [cosine = '', similarity = ''] = (trial.suggestedCalibration ?? '').split(':')
    expect(Number(cosine)).toBeGreaterThan(trial.cosines.others)
    const again = await tryModel(make([Number(cosine), Number(similarity)]))
    expect(again.suggestedCalibration).toBeNull()
    expect(again.found.others).toBeLessThan(again.found.ofOthers / 20)
  })

  it('counts no question as right if all vectors are the same', async () => {
    const endpoint = await startFakeEndpoint()
    onTestFinished(() => endpoint.close())
    endpoint.respond = ({ body }, response) =>
      sendJson(response, { data: body.input.map((_, index) => ({ index, embedding: [1, 2] })) })
    const trial = await tryModel(createOpenAiCompatible({ url: endpoint.url, key: undefined, model: 'm' }))
    expect(trial).toMatchObject({ right: 0, cosines: { own: expect.closeTo(1), others: expect.closeTo(1) } })
  })

  it('asks questions and stores answers that are all different', () => {
    expect(new Set(questionPairs.flat()).size).toBe(40)
  })
})
