import { describe, expect, it } from 'vitest'
import { readCommonPasswords, refuseWeakPassword } from './password.ts'

const text = 'violets under a wet stone'

describe('weak passwords', () => {
  it('include the email address and the most common ones, in any case', () => {
    for (const weak of ['Ada@Example.org', 'Password123', 'QWERTYUIOP', '12345678'])
      expect(() => refuseWeakPassword(weak, 'ada@example.org')).toThrow(/^Validation failed: password: /)
    expect(() => refuseWeakPassword(text, 'ada@example.org')).not.toThrow()
  })

  it('include those made of the email address or the name of the product, and little else', () => {
    for (const weak of ['Holdfast2026!', 'ada.example', 'Ada-Example-26', 'EXAMPLE!EXAMPLE', 'holdfast ada 1'])
      expect(() => refuseWeakPassword(weak, 'ada@example.org'), weak).toThrow(/name of this product/)
    for (const strong of ['my example of violets', '8417 2290 5537', 'holdfast with a wet stone', 'orgorgan'])
      expect(() => refuseWeakPassword(strong, 'ada@example.org'), strong).not.toThrow()
  })

  it('include one short part repeated, and rows of letters, digits or keys', () => {
    const patterns = [
      'a'.repeat(16),
      'abcabcabcab',
      'xK7!xK7!xK7!',
      'AbcDefGhiJkl',
      '98765432109876',
      'qwertzuiopasdfghjkl',
      'aaaabbbbccccdddd',
    ]
    for (const weak of patterns)
      expect(() => refuseWeakPassword(weak, 'ada@example.org'), weak).toThrow(/one short part repeated, or a row of/)
    for (const strong of ['violets violets', 'x4Kq9mTz', 'no abcdefgh, but violets', 'wet stone wet stone'])
      expect(() => refuseWeakPassword(strong, 'ada@example.org'), strong).not.toThrow()
  })

  it('are listed once, in lower case, at least 3,000 that are long enough to be accepted otherwise', () => {
    const all = readCommonPasswords()
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((common) => common !== common.toLowerCase() || common !== common.trim())).toEqual([])
    expect(all.filter(({ length }) => length >= 8).length).toBe(all.length)
    expect(all.length).toBeGreaterThan(3_000)
  })
})
