import { describe, expect, it } from 'vitest'
import { newRecoveryCode, recoveryCodeHash } from './recovery-code.ts'

describe('recovery codes', () => {
  it('are 24 characters in groups of four, without letters that look like digits, and differ each time', () => {
    const codes = Array.from({ length: 200 }, newRecoveryCode)
    expect(new Set(codes).size).toBe(200)
    for (const code of codes) expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/)
  })

  it('are the same however they are typed', () => {
    const code = '0123-4567-89AB-CDEF-GHJK-MN10'
    for (const typed of [code, code.toLowerCase(), code.replaceAll('-', ''), ` ${code.replaceAll('-', ' ')}\n`])
      expect(recoveryCodeHash(typed)).toEqual(recoveryCodeHash(code))
    expect(recoveryCodeHash('OI23-4567-89AB-CDEF-GHJK-MNLo')).toEqual(recoveryCodeHash(code))
    expect(recoveryCodeHash('0123-4567-89AB-CDEF-GHJK-MN11')).not.toEqual(recoveryCodeHash(code))
  })

  it('reject any other format', () => {
    for (const typed of ['', '123456', '0123-4567', `${newRecoveryCode()}0`, 'U'.repeat(24)])
      expect(recoveryCodeHash(typed)).toBeUndefined()
  })
})
