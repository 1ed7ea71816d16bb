import { describe, expect, it } from 'vitest'
import { exactTag, wordTags } from './hash.ts'
import { createRandomKey, deriveSubKeys } from './keys.ts'

const subKeys = (scopeId: string) => deriveSubKeys(createRandomKey(), scopeId, 1)
const keys = subKeys('0192d4e0-0000-7000-8000-000000000001')
const others = subKeys('0192d4e0-0000-7000-8000-000000000002')

describe('wordTags', () => {
  it('returns 8 bytes per word, in the order of the words', () => {
    const both = wordTags(keys.words, ['train', 'zürich'])
    expect(both).toHaveLength(16)
    expect(both.subarray(0, 8)).toEqual(wordTags(keys.words, ['train']))
    expect(both.subarray(8)).toEqual(wordTags(keys.words, ['zürich']))
  })

  it('returns equal tags for equal words, and other tags in other scopes', () => {
    expect(wordTags(keys.words, ['train', 'train']).subarray(8)).toEqual(wordTags(keys.words, ['train']))
    expect(wordTags(keys.words, ['train'])).not.toEqual(wordTags(others.words, ['train']))
  })

  it('returns nothing for no words', () => {
    expect(wordTags(keys.words, [])).toHaveLength(0)
  })

  it('has no collisions among 20,000 words', () => {
    const tags = wordTags(
      keys.words,
      Array.from({ length: 20_000 }, (_, at) => `word${at}`),
    )
    const distinct = new Set(Array.from({ length: 20_000 }, (_, at) => tags.toString('hex', at * 8, at * 8 + 8)))
    expect(distinct.size).toBe(20_000)
  })
})

describe('exactTag', () => {
  it('returns 16 bytes that depend on kind, value and scope', () => {
    const tag = exactTag(keys.exact, 'entity', 'ada')
    expect(tag).toHaveLength(16)
    expect(exactTag(keys.exact, 'entity', 'ada')).toEqual(tag)
    expect(exactTag(keys.exact, 'email', 'ada')).not.toEqual(tag)
    expect(exactTag(keys.exact, 'entity', 'Ada')).not.toEqual(tag)
    expect(exactTag(others.exact, 'entity', 'ada')).not.toEqual(tag)
  })

  it('does not mix up the end of a kind with the start of a value', () => {
    expect(exactTag(keys.exact, 'name', 'sake')).not.toEqual(exactTag(keys.exact, 'names', 'ake'))
  })
})
