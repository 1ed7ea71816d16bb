import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
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

/** The real package with a model of a few kilobytes. The package has 400 MB and is not installed with the project. */
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
  it('returns dims and the lowest token limit once it is loaded, and starts with the first call', async () => {
    const provider = start()
    expect(provider).toMatchObject({
      id: expect.stringMatching(/^transformers\/tiny-[\da-f]{8}$/),
      dims: undefined,
      maxTokens: undefined,
    })
    await provider.embed(['text'], 'document')
    expect(provider).toMatchObject({ dims: 16, maxTokens: 512 })
  })

  it('counts the tokens of the texts, without padding', async () => {
    await expect(start().embed(['four', 'a'], 'document')).resolves.toMatchObject({ tokens: 5 })
  })

  it('is restarted by the next call after a crash, and fails only the calls in progress', async () => {
    const provider = start()
    const crashing = failureOf(provider, 'crash')
    const waiting = failureOf(provider)
    expect(await crashing).toEqual({ reason: 'unavailable', code: 'process_ended' })
    expect(await waiting).toEqual({ reason: 'unavailable', code: 'process_ended' })
    await expect(provider.embed(['text'], 'document')).resolves.toMatchObject({ tokens: 4 })
  })

  it('is stopped if it takes too long to answer', async () => {
    const provider = start({ timeoutsMs: { ...patient, answer: 1000 } })
    expect(await failureOf(provider, 'hang')).toEqual({ reason: 'unavailable', code: 'process_ended' })
    await expect(provider.embed(['text'], 'document')).resolves.toMatchObject({ tokens: 4 })
  })

  it('limits a caller to its own timeout, and continues working', async () => {
    const provider = start({ timeoutsMs: { ...patient, document: 50 } })
    expect(await failureOf(provider)).toEqual({ reason: 'timeout', code: 'document_timeout' })
    await expect(provider.embed(['text'], 'query')).resolves.toMatchObject({ tokens: 4 })
  })

  it('fails only a batch that the model rejects, or one with unusable numbers', async () => {
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

  it('returns the caller’s own reason when it gives up, and to no other caller', async () => {
    const provider = start()
    const reason = new Error('nobody waits any more')
    const controller = new AbortController()
    const given = provider.embed(['text'], 'document', controller.signal)
    const other = provider.embed(['text'], 'document')
    controller.abort(reason)
    await expect(given).rejects.toBe(reason)
    await expect(other).resolves.toMatchObject({ tokens: 4 })
  })

  it('ends with the server, and fails current and later calls', async () => {
    const provider = start()
    const asked = failureOf(provider, 'hang')
    await provider.stop?.()
    expect(await asked).toEqual({ reason: 'unavailable', code: 'stopped' })
    expect(await failureOf(provider)).toEqual({ reason: 'unavailable', code: 'stopped' })
  })

  it('lets its program wait for the end while idle', async () => {
    const program = `
      const { createTransformers } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, 'transformers.ts')).href)})
      const provider = createTransformers(${JSON.stringify({ folder, packageName: fakePackage, timeoutsMs: patient })})
      await provider.embed(['text'], 'document')
      await provider.stop()
      console.log('stopped')`
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    expect(stdout).toBe('stopped\n')
  })

  it('gets no environment variables, which may contain the root key', async () => {
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

  it.each(['config.json', 'tokenizer.json', 'onnx/model.onnx'])(
    'is named for a folder in the place of %s, as for a file that only others may read',
    async (file) => {
      const odd = mkdtempSync(join(dir, 'odd-'))
      writeTinyModel(odd)
      rmSync(join(odd, file))
      mkdirSync(join(odd, file))
      const provider = start({ folder: odd })
      expect(provider.id).toBe(`transformers/${basename(odd)}`)
      expect(await failureOf(provider)).toEqual({ reason: 'unavailable', code: 'model_folder' })
    },
  )

  it('is named for a model that cannot be read', async () => {
    const broken = join(dir, 'broken')
    writeTinyModel(broken)
    writeFileSync(join(broken, 'config.json'), 'no JSON')
    expect(await failureOf(start({ folder: broken }))).toEqual({ reason: 'unavailable', code: 'model_unusable' })
  })

  it.each([
    ['by the largest numbers', { pooling_mode_max_tokens: true, pooling_mode_mean_tokens: false }],
    ['by weights', { pooling_mode: 'weightedmean' }],
    ['in two ways', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: true }],
    ['in an unknown way', { word_embedding_dimension: 16 }],
  ])('is named for a model that pools %s', async (_, pooling) => {
    expect(await failureOf(start({ folder: pooled(pooling) }))).toEqual({
      reason: 'unavailable',
      code: 'model_pooling',
    })
  })
})

/** The folder of a model with this pooling configuration, and with fields for config.json. */
function pooled(pooling?: object, { config = {}, pools = false } = {}): string {
  const parent = mkdtempSync(join(dir, 'pooled-'))
  writeTinyModel(parent, { pools })
  if (pooling !== undefined) {
    mkdirSync(join(parent, '1_Pooling'))
    writeFileSync(join(parent, '1_Pooling/config.json'), JSON.stringify(pooling))
  }
  const path = join(parent, 'config.json')
  const given = JSON.parse(readFileSync(path, 'utf8')) as object
  writeFileSync(path, JSON.stringify({ ...given, ...config }))
  return parent
}

describe('the vector of a text', () => {
  const embed = async (folderOfModel: string, texts: string[]) =>
    (await start({ folder: folderOfModel }).embed(texts, 'document')).vectors.map((vector) =>
      Array.from(vector ?? [], (number) => number.toFixed(5)),
    )

  it.each([
    ['first', { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, 'a'],
    ['last', { pooling_mode: 'lasttoken' }, 'c'],
  ])('is that of its %s token if the model pools so', async (_, pooling, letter) => {
    expect(await embed(pooled(pooling), ['abc', 'x'])).toEqual(await embed(folder, [letter, 'x']))
  })

  it('is the mean of its tokens by default', async () => {
    const [together] = await embed(folder, ['abc'])
    expect(await embed(pooled({ pooling_mode: 'mean' }), ['abc'])).toEqual([together])
    for (const letter of ['a', 'c']) expect(await embed(folder, [letter])).not.toEqual([together])
  })

  it('is the one that the model returns itself, if it does', async () => {
    const config = { outputs: ['last_hidden_state', 'sentence_embedding'] }
    const folderOfModel = pooled({ pooling_mode: 'mean' }, { config, pools: true })
    expect(await embed(folderOfModel, ['abc'])).toEqual(await embed(folder, ['b']))
  })

  it('is also made of an output that is called token_embeddings', async () => {
    const folderOfModel = pooled(undefined, { config: { outputs: ['token_embeddings'] } })
    expect(await embed(folderOfModel, ['abc'])).toEqual(await embed(folder, ['abc']))
  })

  it('cannot be made without an output that is known', async () => {
    const folderOfModel = pooled(undefined, { config: { outputs: [] } })
    expect(await failureOf(start({ folder: folderOfModel }))).toMatchObject({ code: 'model_failed' })
  })

  it('is of the text with the prefix for its kind', async () => {
    const prefixes = { query: 'ask: ', document: 'say: ' }
    const prefixed = start({ prefixes })
    const plain = start()
    for (const kind of ['query', 'document'] as const)
      expect(await prefixed.embed(['text'], kind)).toEqual(await plain.embed([`${prefixes[kind]}text`], 'document'))
  })

  it('is cut to its first numbers, and has length 1 again', async () => {
    const [whole] = (await start().embed(['text'], 'document')).vectors
    const provider = start({ dims: 4 })
    const [cut] = (await provider.embed(['text'], 'document')).vectors
    expect(provider.dims).toBe(4)
    const part = Array.from(whole?.subarray(0, 4) ?? [])
    const length = Math.hypot(...part)
    expect(cut).toHaveLength(4)
    part.forEach((number, i) => expect(cut?.[i]).toBeCloseTo(number / length, 5))
    expect(await failureOf(start({ dims: 17 }))).toEqual({ reason: 'bad_response', code: 'too_few_dims' })
  })
})

describe('the name of a model in a folder', () => {
  /** A model in a folder called `model`, like many others. */
  const modelIn = (parent: string, options?: { dims: number }) => {
    const path = join(dir, parent, 'model')
    writeTinyModel(path, options)
    return path
  }
  const idOf = (path: string) => start({ folder: path }).id

  it('is the same for the same model, wherever it is', () => {
    expect(idOf(modelIn('here'))).toBe(idOf(modelIn('there')))
  })

  it('differs for another model in a folder with that name, and for other numbers of the same size', () => {
    const first = idOf(modelIn('a'))
    const longer = idOf(modelIn('b', { dims: 16 }))
    const tuned = modelIn('c')
    const weights = join(tuned, 'onnx/model.onnx')
    const bytes = readFileSync(weights)
    writeFileSync(weights, bytes.fill(1, bytes.length - 40, bytes.length - 20))
    expect(new Set([first, longer, idOf(tuned)]).size).toBe(3)
  })

  it('differs for another pooling, prefix or number of dims, and is plain for mean pooling without prefixes', () => {
    const path = modelIn('e')
    const plain = idOf(path)
    expect(plain).toMatch(/^transformers\/model-[\da-f]{8}$/)
    const idWith = (options: Partial<TransformersOptions>) => start({ folder: path, ...options }).id
    expect(idWith({ prefixes: { query: '', document: '' } })).toBe(plain)
    const others = [
      idWith({ prefixes: { query: 'q: ' } }),
      idWith({ prefixes: { document: 'q: ' } }),
      idWith({ dims: 8 }),
    ]
    mkdirSync(join(path, '1_Pooling'))
    writeFileSync(join(path, '1_Pooling/config.json'), JSON.stringify({ pooling_mode: 'mean' }))
    expect(idOf(path)).toBe(plain)
    writeFileSync(join(path, '1_Pooling/config.json'), JSON.stringify({ pooling_mode: 'cls' }))
    expect(new Set([plain, ...others, idOf(path)]).size).toBe(5)
  })

  it('stays while the server runs, and is only the folder while files are missing', () => {
    const path = modelIn('d')
    const provider = start({ folder: path })
    const before = provider.id
    writeFileSync(join(path, 'tokenizer.json'), '{}')
    expect(provider.id).toBe(before)
    expect(idOf(path)).not.toBe(before)
    expect(idOf(join(dir, 'nowhere'))).toBe('transformers/nowhere')
  })
})
