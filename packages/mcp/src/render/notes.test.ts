import { expect, it } from 'vitest'
import { excerptOf } from './notes.ts'

it('shows where most words of the query stand, else how the note begins', () => {
  const filler = 'nothing of interest here. '.repeat(40)
  const content = `The beginning. ${filler}The backup of the database runs at three. ${filler}A backup.`
  expect(excerptOf(content, 'when does the database backup run?')).toMatch(
    /^….*The backup of the database runs at three/,
  )
  expect(excerptOf(content, 'zebra')).toMatch(/^The beginning\. nothing/)
  expect(excerptOf('', 'zebra')).toBe('')
})

it('does not take long for a text that repeats a word without end', () => {
  const begin = performance.now()
  excerptOf('word '.repeat(100_000), 'word other words')
  expect(performance.now() - begin).toBeLessThan(500)
})
