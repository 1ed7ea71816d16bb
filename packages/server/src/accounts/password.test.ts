import { describe, expect, it } from 'vitest'
import { commonPasswords, hashPassword, refuseWeakPassword, verifyPassword } from './password.ts'

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

  it('are listed in lower case, and only if they are long enough to be accepted otherwise', () => {
    for (const common of commonPasswords) {
      expect(common).toBe(common.toLowerCase())
      expect(common.length).toBeGreaterThanOrEqual(8)
    }
    expect(commonPasswords.size).toBeGreaterThan(250)
  })
})

/** Processor time of all threads: unlike elapsed time, it doesn't change while other tests keep the machine busy. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
