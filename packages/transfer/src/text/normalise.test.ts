import { expect, it } from 'vitest'
import { normaliseForEquality } from './normalise.ts'

it('ignores case, white space and compatibility forms', () => {
  expect(normaliseForEquality('  Ann\u00a0 LEE\n ﬁnds')).toBe('ann lee finds')
  expect(normaliseForEquality('a b')).not.toBe(normaliseForEquality('ab'))
})

it('takes linear time on long runs of combining marks, and keeps them different', () => {
  const marks = '\u0301\u0316'.repeat(49_000)
  const startedAt = performance.now()
  const [one, other] = [normaliseForEquality(`a${marks}`), normaliseForEquality(`a${marks}\u0301`)]
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(one).not.toBe(other)
})
