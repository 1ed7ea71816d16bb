import { describe, expect, it } from 'vitest'
import { extractMemories } from './extract-memories.ts'

describe('extraction', () => {
  it('treats each sentence separately, once', () => {
    const text = 'Hi! I prefer tabs. We decided to use Go.\n- Never push to main\n- never push to main\nThanks.'
    expect(extractMemories(text, 'user').map(({ content }) => content)).toEqual([
      'The user prefers tabs.',
      'We decided to use Go.',
      'Never push to main.',
    ])
  })

  it('ignores code, quotes and recalled memories', () => {
    const text = [
      '```\nAlways run the linter before committing.\n```',
      '> Always quote people.',
      '<holdfast-recall>I prefer tabs over spaces.</holdfast-recall>',
      'What of these do you know?',
    ].join('\n')
    expect(extractMemories(text, 'user')).toEqual([])
  })

  it('knows where a code block ends: at a fence of the same kind and length, in a list too', () => {
    const contents = (text: string) => extractMemories(text, 'user').map(({ content }) => content)
    expect(contents('```md\n~~~\nAlways run the linter first.\n~~~\n```')).toEqual([])
    expect(contents('````md\n```\nAlways run it.\n```\nNever push to main.\n````')).toEqual([])
    expect(contents('1. Do\n\n    ```\n    Always run the linter first.\n    ```')).toEqual([])
    expect(contents('````md\n```js\n````\r\nAlways run the linter first.')).toEqual(['Always run the linter first.'])
    expect(contents('Always run `the linter` first.\n\n`')).toEqual(['Always run `the linter` first.'])
  })

  it('extracts decisions and causes from the assistant, but nothing about the assistant itself', () => {
    const contents = (text: string) => extractMemories(text, 'assistant').map(({ content }) => content)
    expect(contents('We decided to use Go.')).toEqual(['We decided to use Go.'])
    expect(contents('The root cause was a stale cache.')).toEqual(['The root cause was a stale cache.'])
    expect(contents('I prefer tabs. My name is Claude. Always glad. Never push to main. Ich bevorzuge Tabs.')).toEqual(
      [],
    )
    expect(contents('Remember that the port is 5433.')).toEqual([])
  })

  it('names what a sentence is about', () => {
    const [decision] = extractMemories('We decided to use PostgreSQL instead of MySQL in `orders-api`.', 'user')
    expect(decision?.entities).toEqual(['orders-api', 'PostgreSQL', 'MySQL'])
  })

  it('is most confident when the user asks to remember something', () => {
    const [asked, told] = ['Remember that I prefer tabs.', 'I prefer tabs.'].map(
      (text) => extractMemories(text, 'user')[0],
    )
    expect([asked?.confidence, told?.confidence]).toEqual([5, 4])
  })

  it('creates at most ten memories from a turn', () => {
    const text = Array.from({ length: 40 }, (_, n) => `Never touch table t${n}.`).join(' ')
    expect(extractMemories(text, 'user')).toHaveLength(10)
  })

  it('takes linear time, whatever the text', () => {
    for (const part of [
      'a',
      'I prefer ',
      'we are ',
      'All a ',
      'no, ',
      '. A',
      'e.g. ',
      '`',
      '> ',
      '```\n',
      '。',
      "'",
      'The a is a, not ',
      'Use a, ',
      'Do not use a; ',
      'That is wrong: a ',
      '1. ',
      'If we ',
      '-',
      '*',
      '_',
    ]) {
      const text = part.repeat(Math.ceil(50_000 / part.length))
      const before = performance.now()
      extractMemories(text, 'user')
      extractMemories(text.replaceAll(' ', '. X'), 'user')
      extractMemories(`Always a${text}x`, 'user')
      expect([part, performance.now() - before < 1500]).toEqual([part, true])
    }
  })
})
