import { describe, expect, it } from 'vitest'
import { decayFactor, importanceFactor } from './decay.ts'

const dayMs = 86_400_000

describe('decayFactor', () => {
  it('falls from 1 to 0.9, half of it in a half-life', () => {
    const after = (days: number): number => decayFactor('episodic', days * dayMs, 30)
    expect(after(0)).toBe(1)
    expect(after(30)).toBeCloseTo(0.95, 10)
    expect(after(1e6)).toBe(0.9)
  })

  it('does not age facts, preferences, constraints and skills', () => {
    for (const type of ['fact', 'preference', 'constraint', 'skill']) expect(decayFactor(type, 1e12, 1)).toBe(1)
  })

  it('takes what is yet to come for new', () => expect(decayFactor('episodic', -dayMs, 30)).toBe(1))
})

it('lets importance part near ties only', () => {
  expect(importanceFactor(5) / importanceFactor(1)).toBeLessThan(7 / 6)
  expect(importanceFactor(3)).toBe(1)
})
