import { describe, expect, it } from 'vitest'
import { clip } from './clip.ts'
import { inLine, printEntries } from './print-entries.ts'

const entry = (text: string) => ({ before: '- [id] ', text })

describe('printEntries', () => {
  it('keeps texts that fit', () => {
    expect(printEntries([entry('one'), entry('two')], 100)).toBe('- [id] one\n- [id] two')
    expect(printEntries([], 100)).toBe('')
  })

  it('shortens only the longest texts, to the same length', () => {
    const printed = printEntries([entry('a'.repeat(500)), entry('short'), entry('b'.repeat(400))], 200)
    const [first = '', second, third = ''] = printed.split('\n')
    expect(second).toBe('- [id] short')
    expect(first).toMatch(/^- \[id\] a+ …$/)
    expect(third.length).toBe(first.length)
    expect(printed.length).toBeGreaterThan(190)
    expect(printed.length).toBeLessThanOrEqual(200)
  })

  it('never exceeds the limit or cuts a character', () => {
    for (let maxChars = 0; maxChars < 120; maxChars++) {
      const printed = printEntries([entry('😀'.repeat(30)), entry('x😀'.repeat(20)), entry('y')], maxChars)
      expect(printed.length).toBeLessThanOrEqual(maxChars)
      expect(printed.isWellFormed()).toBe(true)
    }
  })
})

it('clip never cuts a character', () => {
  expect([clip('a😀b', 1), clip('a😀b', 2), clip('a😀b', 3), clip('a😀b', 4), clip('ab', -1)]).toEqual([
    'a',
    'a',
    'a😀',
    'a😀b',
    '',
  ])
})

it('inLine joins lines in linear time', () => {
  expect(inLine(' a \r\n\n b\u2028c\u2029 ')).toBe('a b c')
  const startedAt = performance.now()
  expect(inLine(`a${' '.repeat(500_000)}b`)).toHaveLength(500_002)
  expect(performance.now() - startedAt).toBeLessThan(500)
})
