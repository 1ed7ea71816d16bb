import { expect, it } from 'vitest'
import { foldText } from './fold-text.ts'

it('doesn’t fold a text that is short or only slightly too long', () => {
  for (const text of ['', 'Yes.', 'a'.repeat(720), 'one\n'.repeat(8), 'one\n'.repeat(9)])
    expect(foldText(text)).toBe(text)
})

it('folds a long line at the end of a word, or mid-word if there is no end nearby', () => {
  const folded = foldText('word '.repeat(400))
  expect(folded).toMatch(/word$/)
  expect(folded.length).toBeGreaterThan(590)
  expect(foldText('a'.repeat(5_000))).toBe('a'.repeat(600))
})

it('folds many lines after the eighth', () => {
  expect(foldText('one\n'.repeat(20))).toBe('one\n'.repeat(8).trimEnd())
})

it('never splits a character', () => {
  expect(foldText(`a${'\u{1F41D}'.repeat(1_000)}`)).toBe(`a${'\u{1F41D}'.repeat(299)}`)
})

it('takes linear time for texts built to be slow', () => {
  for (const text of [' '.repeat(50_000), '\n'.repeat(50_000), `${' '.repeat(49_999)}a`]) {
    const before = process.threadCpuUsage()
    foldText(text)
    expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(100)
  }
  expect(foldText('\n'.repeat(50_000))).toBe('')
})

it('doesn’t end with a line that only leads to what it hides', () => {
  const list = `${'one\n'.repeat(7)}Still to do:\n${'two\n'.repeat(20)}`
  expect(foldText(list)).toBe('one\n'.repeat(7).trimEnd())
  expect(foldText(`Done:\n${'\n'.repeat(8)}${'two\n'.repeat(20)}`)).toBe('Done:')
})
