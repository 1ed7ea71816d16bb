import { expect, it } from 'vitest'
import { plainText } from './plain-text.ts'

it('leaves words without the marks around them, in one line', () => {
  expect(plainText('May **I** change\n`route 7`, see [the *plan*](https://example.org) and [[Runbook]]?')).toBe(
    'May I change route 7, see the plan and Runbook?',
  )
  expect(plainText('2 * 3 < 7 and <b>no markup</b>')).toBe('2 * 3 < 7 and <b>no markup</b>')
})
