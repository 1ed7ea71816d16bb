import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { EmbeddingError, type EmbeddingProvider } from './provider.ts'
import { describeProvider } from './provider.suite.ts'
import { writeTinyModel } from './testing/tiny-model.ts'
import { createTransformers, type TransformersOptions } from './transformers.ts'

const dir = mkdtempSync(join(tmpdir(), 'holdfast-model-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const folder = join(dir, 'tiny')
writeTinyModel(folder)

const fakePackage = pathToFileURL(join(import.meta.dirname, 'testing/fake-transformers.mjs')).href
const patient = { query: 10_000, document: 10_000, answer: 10_000 }

function start(options: Partial<TransformersOptions> = {}): EmbeddingProvider {
  const provider = createTransformers({ folder, packageName: fakePackage, timeoutsMs: patient, ...options })
  onTestFinished(() => provider.stop?.())
  return provider
}

describeProvider('a model in a folder', () => start())

/** The package itself with a model of some kilobytes: it has 400 MB and is not installed with the project. */
const packageEntry = process.env['HOLDFAST_TEST_TRANSFORMERS']
/** A folder with a model that knows English. */
const modelFolder = process.env['HOLDFAST_TEST_TRANSFORMERS_MODEL']
if (packageEntry !== undefined) {
  const packageName = pathToFileURL(packageEntry).href
  describeProvider('the real package', () => start({ packageName, ...(modelFolder && { folder: modelFolder }) }))
}

const failureOf = async (provider: EmbeddingProvider, text = 'text') => {
  const error: unknown = await provider.embed([text], 'document').catch((thrown: unknown) => thrown)
  return error instanceof EmbeddingError ? { reason: error.reason, code: error.code } : error
}

describe('the process of a model', () => {
  it('tells dims and the least limit of tokens once it is loaded, and starts for the first call', async () => {
    const provider = start()
    expect(provider).toMatchObject({
      id: expect.stringMatching(/^transformers\/tiny-[\da-f]{8}$/),
      dims: undefined,
      maxTokens: undefined,
    })
    await provider.embed(['text'], 'document')
    expect(provider).toMatchObject({ dims: 16, maxTokens: 512 })
  })

  it('counts the tokens of the texts, not those that fill them up', async () => {
    await expect(start().embed(['four', 'a'], 'document')).resolves.toMatchObject({ tokens: 5 })
  })

  it('is started anew by the call after a crash, and fails nothing but what it was asked', async () => {
    const provider = start()
    const crashing = failureOf(provider, 'crash')
    const waiting = failureOf(provider)
    expect(await crashing).toEqual({ reason: 'unavailable', code: 'process_ended' })
    expect(await waiting).toEqual({ reason: 'unavailable', code: 'process_ended' })
    await expect(provider.embed(['text'], 'document')).resolves.toMatchObject({ tokens: 4 })
  })

  it('is ended where it gives no answer for too long', async () => {
    const provider = start({ timeoutsMs: { ...patient, answer: 1000 } })
    expect(await failureOf(provider, 'hang')).toEqual({ reason: 'unavailable', code: 'process_ended' })
    await expect(provider.embed(['text'], 'document')).resolves.toMatchObject({ tokens: 4 })
  })

  it('costs a caller no more than its time, and works on', async () => {
    const provider = start({ timeoutsMs: { ...patient, document: 50 } })
    expect(await failureOf(provider)).toEqual({ reason: 'timeout', code: 'document_timeout' })
    await expect(provider.embed(['text'], 'query')).resolves.toMatchObject({ tokens: 4 })
  })

  it('fails a batch that the model does not take, and one with unusable numbers, alone', async () => {
    const provider = start()
    expect(await failureOf(provider, 'fail: a private sentence')).toEqual({
      reason: 'unavailable',
      code: 'model_failed',
    })
    expect(await failureOf(provider, 'nan')).toEqual({ reason: 'refused', code: 'not_finite' })
    await expect(provider.embed(['text'], 'document')).resolves.toMatchObject({ tokens: 4 })
  })

  it('answers a question before texts that came earlier', async () => {
    const provider = start()
    const order: string[] = []
    const ask = (text: string, kind: 'query' | 'document') => provider.embed([text], kind).then(() => order.push(text))
    await Promise.all([ask('first', 'document'), ask('second', 'document'), ask('third', 'query')])
    expect(order.indexOf('third')).toBeLessThan(order.indexOf('second'))
  })

  it('gives a caller its own reason when it gives up, and nobody else one', async () => {
    const provider = start()
    const reason = new Error('nobody waits any more')
    const controller = new AbortController()
    const given = provider.embed(['text'], 'document', controller.signal)
    const other = provider.embed(['text'], 'document')
    controller.abort(reason)
    await expect(given).rejects.toBe(reason)
    await expect(other).resolves.toMatchObject({ tokens: 4 })
  })

  it('ends with the server, and fails what it was asked then and later', async () => {
    const provider = start()
    const asked = failureOf(provider, 'hang')
    await provider.stop?.()
    expect(await asked).toEqual({ reason: 'unavailable', code: 'stopped' })
    expect(await failureOf(provider)).toEqual({ reason: 'unavailable', code: 'stopped' })
  })

  it('gets nothing of the environment, where the root key may be', async () => {
    const packageFile = join(dir, 'curious.mjs')
    writeFileSync(
      packageFile,
      'if (Object.keys(process.env).some((name) => name.startsWith("HOLDFAST_"))) process.abort()\n',
    )
    process.env['HOLDFAST_ROOT_KEY'] = 'not for it'
    onTestFinished(() => void delete process.env['HOLDFAST_ROOT_KEY'])
    expect(await failureOf(start({ packageName: pathToFileURL(packageFile).href }))).toMatchObject({
      code: 'model_unusable',
    })
  })
})

describe('what is missing', () => {
  it.each<[string, Partial<TransformersOptions>, string]>([
    ['the package', { packageName: '@huggingface/not-there' }, 'package_missing'],
    ['the folder', { folder: join(dir, 'nowhere') }, 'model_folder'],
    ['a file of the folder', { folder: join(dir, 'tiny/onnx') }, 'model_folder'],
  ])('is named for %s, by each call', async (_, options, code) => {
    const provider = start(options)
    for (let round = 0; round < 2; round++) expect(await failureOf(provider)).toEqual({ reason: 'unavailable', code })
  })

  it('is named for a model that cannot be read', async () => {
    const broken = join(dir, 'broken')
    writeTinyModel(broken)
    writeFileSync(join(broken, 'config.json'), 'no JSON')
    expect(await failureOf(start({ folder: broken }))).toEqual({ reason: 'unavailable', code: 'model_unusable' })
  })

  it.each([
    ['the first token', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }],
    ['two ways', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true }],
    ['the last token', { pooling_mode: 'lasttoken' }],
    ['nothing that is known', { word_embedding_dimension: 16 }],
  ])('is named for a model that pools %s', async (_, pooling) => {
    expect(await failureOf(start({ folder: pooled(pooling) }))).toEqual({
      reason: 'unavailable',
      code: 'model_pooling',
    })
  })

  it.each([{ pooling_mode_cls_token: false, pooling_mode_mean_tokens: true }, { pooling_mode: 'mean' }])(
    'is nothing for a model that takes the mean (%j)',
    async (pooling) => {
      await expect(start({ folder: pooled(pooling) }).embed(['text'], 'document')).resolves.toMatchObject({ tokens: 4 })
    },
  )
})

/** The folder of a model that says so of its pooling. */
function pooled(pooling: object): string {
  const parent = mkdtempSync(join(dir, 'pooled-'))
  writeTinyModel(parent)
  mkdirSync(join(parent, '1_Pooling'))
  writeFileSync(join(parent, '1_Pooling/config.json'), JSON.stringify(pooling))
  return parent
}

describe('the name of a model in a folder', () => {
  /** A model in a folder that is called `model`, as many are. */
  const modelIn = (parent: string, options?: { dims: number }) => {
    const path = join(dir, parent, 'model')
    writeTinyModel(path, options)
    return path
  }
  const idOf = (path: string) => start({ folder: path }).id

  it('is the same for the same model, wherever it lies', () => {
    expect(idOf(modelIn('here'))).toBe(idOf(modelIn('there')))
  })

  it('differs for another model in a folder of that name, and for other numbers of the same size', () => {
    const first = idOf(modelIn('a'))
    const longer = idOf(modelIn('b', { dims: 16 }))
    const tuned = modelIn('c')
    const weights = join(tuned, 'onnx/model.onnx')
    const bytes = readFileSync(weights)
    writeFileSync(weights, bytes.fill(1, bytes.length - 40, bytes.length - 20))
    expect(new Set([first, longer, idOf(tuned)]).size).toBe(3)
  })

  it('stays while the server runs, and is the folder alone while files are missing', () => {
    const path = modelIn('d')
    const provider = start({ folder: path })
    const before = provider.id
    writeFileSync(join(path, 'tokenizer.json'), '{}')
    expect(provider.id).toBe(before)
    expect(idOf(path)).not.toBe(before)
    expect(idOf(join(dir, 'nowhere'))).toBe('transformers/nowhere')
  })
})
