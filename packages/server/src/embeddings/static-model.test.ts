import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createLog } from '../core/log.ts'
import { askAtStart } from './check-provider.ts'
import { describeProvider } from './provider.suite.ts'
import {
  checkModelFile,
  loadStaticModel,
  readStaticModel,
  createStaticProvider,
  isMostlyLatin,
} from './static-model.ts'
import { processorMs } from '../../test/processor-time.ts'

const model = loadStaticModel()
const cosine = (a: string, b: string) => {
  const [one = new Float32Array(0), other = new Float32Array(0)] = [model.embed(a).vector, model.embed(b).vector]
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? Number.NaN), 0)
}

describeProvider('the built-in model', () => createStaticProvider(), { knows: 'english' })

it('fails each call if its file cannot be read, and does so again', async () => {
  const provider = createStaticProvider({ load: () => readStaticModel(Buffer.from('HFE1 and no more')) })
  for (let round = 0; round < 2; round++)
    await expect(provider.embed(['text'], 'query')).rejects.toMatchObject({ reason: 'unavailable', code: 'model_file' })
})

it('has no vector for a question in an unknown script, but has one for a text so copies are found', async () => {
  const texts = ['玄関の鍵はどこですか', 'where is the key to the front door?']
  const known = async (kind: 'query' | 'document') =>
    (await createStaticProvider().embed(texts, kind)).vectors.map((vector) => vector !== undefined)
  expect(await known('query')).toEqual([false, true])
  expect(await known('document')).toEqual([true, true])
})

describe('the built-in model', () => {
  it('rates rewordings as similar', () => {
    const [same, other] = [
      cosine('The cat is asleep.', 'A sleeping kitten'),
      cosine('The cat is asleep.', 'Quarterly tax'),
    ]
    expect(same).toBeGreaterThan(other + 0.2)
  })

  it('ignores letter case, accents and white space', () => {
    expect(cosine('A café in Zürich', 'a  cafe\tin zurich')).toBeCloseTo(1, 6)
  })

  it.each(['', '   ', '\u0000\u200B', '🚢🚢', 'x'.repeat(101)])('has no vector for %j', (text) => {
    expect(model.embed(text)).toEqual({ vector: undefined, tokens: 0 })
  })

  it.each([
    ['one letter', 'a'.repeat(100_000)],
    ['words as long as words can be', `${'q'.repeat(100)} `.repeat(1000)],
    ['combining marks', `a${'\u0301'.repeat(100_000)}`],
    ['emoji', '👩🏽‍🚀'.repeat(14_000)],
    ['ideographs', '港口'.repeat(50_000)],
    ['signs', '…!?'.repeat(33_000)],
    ['halves of characters', '\uD83D'.repeat(100_000)],
  ])('returns numbers or nothing for 100,000 of %s', (_, text) => {
    const { vector } = model.embed(text)
    expect(vector?.every(Number.isFinite) ?? true).toBe(true)
  })
})

describe('a table of vectors', () => {
  /** Two tokens of two numbers each: `hi` is (1, 0), and the continuation `gh` is (0, 2). */
  const table = () => {
    const vocabulary = 'hi\n##gh '
    const head = Buffer.alloc(16)
    head.write('HFE1', 'latin1')
    for (const [at, value] of [2, 2, vocabulary.length].entries()) head.writeUInt32LE(value, 4 + at * 4)
    const scales = Buffer.alloc(8)
    scales.writeFloatLE(0.5, 0)
    scales.writeFloatLE(1, 4)
    return Buffer.concat([head, Buffer.from(vocabulary), scales, Buffer.of(2, 0, 0, 2)])
  }

  it('says at the start that its file is missing or cut off, without reading all of it', async () => {
    await createStaticProvider().check?.()
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-model-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'static-256.bin')
    const lines: string[] = []
    const log = createLog('warn', { write: (line) => void lines.push(line) })
    const load = () => expect.unreachable()
    const ask = () => askAtStart(createStaticProvider({ load, check: () => checkModelFile(path) }), log).answer
    await ask()
    await writeFile(path, table().subarray(0, -1))
    await ask()
    const codes = lines.map((line) => (JSON.parse(line) as { code: string }).code)
    expect(codes).toEqual(['model_file', 'model_file'])
    await writeFile(path, table())
    await ask()
    expect(lines).toHaveLength(2)
  })

  it('adds up the rows of the pieces, and scales the sum to length 1', () => {
    const { dims, embed } = readStaticModel(table())
    expect(dims).toBe(2)
    expect(embed('Hi')).toEqual({ vector: Float32Array.of(1, 0), tokens: 1 })
    expect(embed('high')).toEqual({
      vector: Float32Array.of(1 / Math.sqrt(5), 2 / Math.sqrt(5)),
      tokens: 2,
    })
  })

  it('returns nothing for a word with an unknown part', () => {
    expect(readStaticModel(table()).embed('hix ghi')).toEqual({ vector: undefined, tokens: 0 })
  })

  it('is rejected if it is something else or truncated', () => {
    expect(() => readStaticModel(Buffer.from('GIF89a…………………'))).toThrow('Not a table')
    expect(() => readStaticModel(table().subarray(0, -1))).toThrow('truncated')
    const tooFewTokens = table()
    tooFewTokens.write('hi-##gh ', 16)
    expect(() => readStaticModel(tooFewTokens)).toThrow('one row for each token')
  })
})

describe('isMostlyLatin', () => {
  it.each([
    'where is the key?',
    'où est la clé naïve',
    'port 5432',
    '',
    '?! 42',
    'die Größe',
    'the word 鍵 in English',
  ])('is true for %j', (text) => expect(isMostlyLatin(text)).toBe(true))

  it.each([
    '鍵はどこですか',
    '열쇠는 어디에',
    'где ключ от API',
    'أين المفتاح',
    'που είναι το κλειδί',
    '我的 WiFi 密码是什么呢',
  ])('is false for %j', (text) => expect(isMostlyLatin(text)).toBe(false))

  it('handles a long text quickly', () => {
    expect(processorMs(() => isMostlyLatin('é𠮷'.repeat(10_000)))).toBeLessThan(200)
  })
})
