import { expect, it } from 'vitest'
import { normaliseForEquality } from './normalise.ts'

it('takes letter case, white space and compatibility forms for equal', () => {
  expect(normaliseForEquality('  Ann\u00a0 LEE\n ﬁnds')).toBe('ann lee finds')
  expect(normaliseForEquality('a b')).not.toBe(normaliseForEquality('ab'))
})
