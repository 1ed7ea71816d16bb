import { describe, expect, it } from 'vitest'
import { withoutRecalled } from './without-recalled.ts'

describe('recalled text', () => {
  it('is removed', () => {
    expect(withoutRecalled('plain')).toBe('plain')
    expect(withoutRecalled('a <holdfast-recall vault="x">always</holdfast-recall> b')).toBe('a \n b')
    expect(withoutRecalled('<holdfast-recall>1</holdfast-recall>x<holdfast-recall>2</holdfast-recall>')).toBe('\nx\n')
    expect(withoutRecalled('a <holdfast-recall>never closed: always')).toBe('a ')
  })

  it('ends only at the mark with the boundary of its start', () => {
    expect(withoutRecalled('a <holdfast-recall-0f vault="x">1</holdfast-recall> 2</holdfast-recall-0f> b')).toBe(
      'a \n b',
    )
    expect(withoutRecalled('a <holdfast-recall-0f>1 <holdfast-recall>2</holdfast-recall-0f> b')).toBe('a \n b')
    expect(withoutRecalled('a <holdfast-recall-0f>1</holdfast-recall-0e> never closed')).toBe('a ')
  })

  it('is found in linear time', () => {
    const before = performance.now()
    withoutRecalled('<holdfast-recall'.repeat(10_000))
    withoutRecalled('<holdfast-recall</holdfast-recall>'.repeat(10_000))
    withoutRecalled('<holdfast-recall-a>'.repeat(10_000) + '</holdfast-recall-a>')
    expect(performance.now() - before).toBeLessThan(500)
  })
})
