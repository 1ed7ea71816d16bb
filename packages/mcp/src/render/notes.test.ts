import { expect, it } from 'vitest'
import { findExcerpt } from './notes.ts'

it('shows the passage with most words of the query, or the start of the note', () => {
  const filler = 'nothing of interest here. '.repeat(40)
  const content = `The beginning. ${filler}The backup of the database runs at three. ${filler}A backup.`
  expect(findExcerpt(content, 'when does the database backup run?')).toMatch(
    /^….*The backup of the database runs at three/,
  )
  expect(findExcerpt(content, 'zebra')).toMatch(/^The beginning\. nothing/)
  expect(findExcerpt('', 'zebra')).toBe('')
})

it('is fast for a text that repeats a word many times', () => {
  const begin = performance.now()
  findExcerpt('word '.repeat(100_000), 'word other words')
  expect(performance.now() - begin).toBeLessThan(500)
})
