import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startProcessorClock } from '../../test/processor-time.ts'
import { ServiceError } from './errors.ts'
import { parseJson } from './json.ts'

const parse = (text: string) => parseJson(Buffer.from(text))

function refusal(bytes: Uint8Array | string): ServiceError {
  try {
    parseJson(typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
  } catch (error) {
    if (error instanceof ServiceError) return error
    throw error
  }
  throw new Error('it was not refused')
}

describe('parseJson', () => {
  it('returns exactly what was sent', () => {
    const value = { text: '  ünï \u0000\u2028 "\\ 𝄞\r\n', list: [1, -0.5e3, true, false, null], '': {} }
    expect(parse(JSON.stringify(value))).toEqual(value)
  })

  it('rejects bytes that are not UTF-8', () => {
    for (const bytes of [[0xff], [0x22, 0xc3, 0x22], [0x22, 0xed, 0xa0, 0x80, 0x22], [0x22, 0xc0, 0xaf, 0x22]])
      expect(refusal(Uint8Array.from(bytes))).toMatchObject({
        code: 'invalid',
        message: expect.stringMatching(/UTF-8/),
      })
  })

  it('rejects text that is not JSON, without quoting it', () => {
    for (const text of ['', '{"planted": secret}', '{"planted": "sec', '[1,]', "{'planted': 1}", 'NaN']) {
      const error = refusal(text)
      expect(error).toMatchObject({ code: 'invalid', fields: { '': 'the body is not valid JSON' } })
      expect(error.cause).toBeUndefined()
      expect(JSON.stringify(error) + error.message).not.toMatch(/planted|sec/)
    }
  })

  it('accepts 32 levels and rejects 33, of arrays and of objects', () => {
    expect(parse('['.repeat(32) + ']'.repeat(32))).toBeInstanceOf(Array)
    expect(parse('{"a":'.repeat(32) + '1' + '}'.repeat(32))).toBeTypeOf('object')
    expect(refusal('['.repeat(33) + ']'.repeat(33)).message).toMatch(/deeper than 32/)
    expect(refusal('{"a":'.repeat(33) + '1' + '}'.repeat(33)).message).toMatch(/deeper than 32/)
  })

  it('counts no brackets inside strings, whatever is escaped there', () => {
    const text = '[{'.repeat(100) + '"\\' + '}]'.repeat(3) + '\\"['.repeat(50)
    expect(parse(JSON.stringify({ text, [text]: 1 }))).toEqual({ text, [text]: 1 })
  })

  it('rejects a million brackets immediately instead of overflowing the stack', () => {
    const usedMs = startProcessorClock()
    expect(refusal('['.repeat(1_000_000)).message).toMatch(/nested/)
    expect(refusal('[{"a":'.repeat(300_000)).message).toMatch(/nested/)
    expect(usedMs()).toBeLessThan(1_000)
  })

  it('rejects more items than allowed, whatever the strings contain', () => {
    const taken = '{"a":[1,2,"3,,,"],"b":{}}'
    expect(parseJson(Buffer.from(taken), 3)).toEqual({ a: [1, 2, '3,,,'], b: {} })
    expect(() => parseJson(Buffer.from(taken), 2)).toThrow('more than 2 items')
  })

  it('rejects a lone surrogate anywhere and says where it is', () => {
    expect(refusal('{"a":{"b":["ok","\\ud800"]}}').fields).toEqual({ 'a.b.1': expect.stringMatching(/surrogate/) })
    expect(refusal('{"a":"\\uDFFF\\uD800"}').fields).toHaveProperty('a')
    expect(refusal('{"a":{"x\\udc00":1}}').fields).toHaveProperty('a')
    expect(refusal('"\\uDBFF"').fields).toHaveProperty([''])
  })

  it('accepts surrogates in pairs, escaped or not', () => {
    expect(parse('["\\ud834\\udd1e","𝄞","\\\\ud800"]')).toEqual(['𝄞', '𝄞', '\\ud800'])
  })

  it('treats __proto__ like any other key', () => {
    const value = parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}')
    expect(Object.hasOwn(value as object, '__proto__')).toBe(true)
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })
})

const suite = join(import.meta.dirname, '../../../../../shared/data/hostile/json-test-suite.jsonl')

describe.skipIf(!existsSync(suite))('the JSON test suite', () => {
  const cases = existsSync(suite)
    ? readFileSync(suite, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { name: string; base64: string })
    : []

  function outcome(base64: string): 'taken' | 'refused' | 'crashed' {
    try {
      parseJson(Buffer.from(base64, 'base64'))
      return 'taken'
    } catch (error) {
      return error instanceof ServiceError && error.code === 'invalid' ? 'refused' : 'crashed'
    }
  }

  it('has cases of all three kinds', () => {
    expect(cases.length).toBeGreaterThan(300)
    expect(new Set(cases.map(({ name }) => name.slice(0, 2)))).toEqual(new Set(['y_', 'n_', 'i_']))
  })

  it('passes: accepts valid files, rejects invalid ones, and crashes on none', () => {
    const wrong = cases.filter(({ name, base64 }) => {
      const is = outcome(base64)
      return (
        is === 'crashed' || (name.startsWith('y_') && is !== 'taken') || (name.startsWith('n_') && is !== 'refused')
      )
    })
    expect(wrong.map(({ name }) => name)).toEqual([])
  })
})
