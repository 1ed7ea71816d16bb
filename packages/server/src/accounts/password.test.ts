import { describe, expect, it } from 'vitest'
import { hashPassword, readCommonPasswords, refuseWeakPassword, verifyPassword } from './password.ts'

const text = 'violets under a wet stone'

describe('password hashes', () => {
  it('are argon2id with its parameters, and differ each time', async () => {
    const [first, second] = [await hashPassword(text), await hashPassword(text)]
    expect(first).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    expect(first).not.toBe(second)
  })

  it('verify only the right password', async () => {
    const hash = await hashPassword(text)
    expect(await verifyPassword(hash, text)).toBe(true)
    expect(await verifyPassword(hash, `${text} `)).toBe(false)
    expect(await verifyPassword(hash, text.toUpperCase())).toBe(false)
    expect(await verifyPassword(undefined, text)).toBe(false)
  })

  it('do not depend on how a keyboard composes accented characters', async () => {
    const hash = await hashPassword('stra\u00dfe nach k\u00f6ln')
    expect(await verifyPassword(hash, 'stra\u00dfe nach ko\u0308ln')).toBe(true)
  })

  it('take as long to check if no account has the email', async () => {
    const hash = await hashPassword(text)
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 7; round++) {
      known.push(await processorMs(() => verifyPassword(hash, 'wrong')))
      unknown.push(await processorMs(() => verifyPassword(undefined, 'wrong')))
    }
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it('are computed two at a time, and rejected if too many are waiting', async () => {
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => hashPassword(text)))
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(40 - 2 - 32)
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterSeconds: 2 } })
    expect(await hashPassword(text)).toMatch(/^\$argon2id/)
  })
})

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

  it('are listed once, in lower case, at least 3,000 that are long enough to be accepted otherwise', () => {
    const all = readCommonPasswords()
    expect(new Set(all).size).toBe(all.length)
    expect(all.filter((common) => common !== common.toLowerCase() || common !== common.trim())).toEqual([])
    expect(all.filter(({ length }) => length >= 8).length).toBe(all.length)
    expect(all.length).toBeGreaterThan(3_000)
  })
})

/** Processor time of all threads: unlike elapsed time, it doesn't change while other tests keep the machine busy. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
