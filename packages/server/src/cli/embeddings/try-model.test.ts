import { describe, expect, it, onTestFinished } from 'vitest'
import { createCalibration } from '../../embeddings/calibration.ts'
import { createOpenAiCompatible } from '../../embeddings/openai-compatible.ts'
import { createStaticProvider } from '../../embeddings/static-model.ts'
import { sendJson } from '../../core/testing/json-server.ts'
import { startFakeEndpoint } from '../../embeddings/testing/fake-endpoint.ts'
import { questionPairs } from './question-pairs.ts'
import { canTellApart, tryModel } from './try-model.ts'

/** The built-in model at an endpoint, but all vectors have a part in common, as those of models that rate everything as similar. */
async function startCrowded(shift: number) {
  const endpoint = await startFakeEndpoint()
  onTestFinished(() => endpoint.close())
  const builtIn = createStaticProvider()
  endpoint.respond = async ({ body }, response) => {
    const { vectors } = await builtIn.embed(body.input, 'document')
    const move = (vector: Float32Array | undefined) => Array.from(vector ?? [], (value) => value + shift)
    sendJson(response, { data: vectors.map((vector, index) => ({ index, embedding: move(vector) })) })
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
    const { url } = await startCrowded(0.1)
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

  it('suggests no calibration for a model that cannot tell answers apart, whatever its cosines', async () => {
    const endpoint = await startFakeEndpoint()
    onTestFinished(() => endpoint.close())
    const trial = await tryModel(
      createOpenAiCompatible({
        url: endpoint.url,
        key: undefined,
        model: 'm',
        calibration: createCalibration([[0.9, 0.4]]),
      }),
    )
    expect(canTellApart(trial.right)).toBe(false)
    expect(trial.suggestedCalibration).toBeNull()
  })

  it('suggests no calibration that the setting would refuse', async () => {
    const { url } = await startCrowded(5)
    const trial = await tryModel(createOpenAiCompatible({ url, key: undefined, model: 'm' }))
    expect(canTellApart(trial.right)).toBe(true)
    expect(trial.cosines.others).toBeGreaterThan(0.995)
    expect(trial.suggestedCalibration).toBeNull()
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
