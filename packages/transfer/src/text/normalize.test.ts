import { expect, it } from 'vitest'
import { normalizeForEquality } from './normalize.ts'

it('ignores case, white space and compatibility forms', () => {
  expect(normalizeForEquality('  Ann\u00a0 LEE\n ﬁnds')).toBe('ann lee finds')
  expect(normalizeForEquality('a b')).not.toBe(normalizeForEquality('ab'))
})

it('takes linear time on long runs of combining marks, and keeps them different', () => {
  const marks = '\u0301\u0316'.repeat(49_000)
  const startedAt = performance.now()
  const [one, other] = [normalizeForEquality(`a${marks}`), normalizeForEquality(`a${marks}\u0301`)]
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(one).not.toBe(other)
})
