import { describe, expect, it } from 'vitest'
import { newRecoveryCode, recoveryCodeHash } from './recovery-code.ts'

describe('recovery codes', () => {
  it('are 28 characters in groups of four, without letters that look like digits, and differ each time', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCode)
    expect(new Set(codes).size).toBe(200)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  it('are the same however they are typed', () => {
    const code = '0123-4567-89AB-CDEF-GHJK-MNPQ-RS10'
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`])
      expect(recoveryCodeHash(typed)).toEqual(recoveryCodeHash(code))
    expect(recoveryCodeHash('OI23-4567-89AB-CDEF-GHJK-MNPQ-RSLo')).toEqual(recoveryCodeHash(code))
    expect(recoveryCodeHash('0123-4567-89AB-CDEF-GHJK-MNPQ-RS11')).not.toEqual(recoveryCodeHash(code))
  })

  it('of the first version are accepted', () => {
    expect(recoveryCodeHash('0123-4567-89ab-cdef-ghjk-mn10')).toHaveLength(32)
  })

  it('reject any other format', () => {
    for (const typed of [
      '',
      '123456',
      '0123-4567',
      `${newRecoveryCode()}0`,
      newRecoveryCode().slice(0, -1),
      'U'.repeat(28),
    ])
      expect(recoveryCodeHash(typed)).toBeUndefined()
  })
})
