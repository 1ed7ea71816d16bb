import { describe, expect, it } from 'vitest'
import { matchTotpStep, newTotpSecret, totpUri } from './totp.ts'

/** RFC 6238, appendix B: the secret "12345678901234567890" in base32, and the last six of the eight digits of the SHA-1 codes. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const vectors: [atSeconds: number, code: string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
]

describe('codes by time', () => {
  it.each(vectors)('match RFC 6238 at %d s', (atSeconds, code) => {
    expect(matchTotpStep(secret, code.slice(2), atSeconds * 1000)).toBe(Math.floor(atSeconds / 30))
  })

  it('are valid in their own time step and the ones before and after', () => {
    const step = Math.floor(1_111_111_109 / 30)
    const code = '081804'
    const matched = [-2, -1, 0, 1, 2].map((steps) => matchTotpStep(secret, code, (step + steps) * 30_000))
    expect(matched).toEqual([undefined, step, step, step, undefined])
  })

  it('are exactly six digits', () => {
    for (const code of ['', '81804', '0081804', '07081804', '08180a', '٠٨١٨٠٤', ' 081804'])
      expect(matchTotpStep(secret, code, 1_111_111_109_000)).toBeUndefined()
  })

  it('use secrets of 160 bits that differ each time', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret)
    expect(new Set(secrets).size).toBe(100)
    for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/)
  })

  it('are set up with a URL that names the account', () => {
    const uri = new URL(totpUri(secret, 'ada+work@example.org'))
    expect(uri.protocol).toBe('otpauth:')
    expect(decodeURIComponent(uri.href)).toContain('totp/Holdfast:ada+work@example.org')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Holdfast',
      secret,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
