import { describe, expect, it } from 'vitest'
import { createPasswords } from './passwords.ts'

const text = 'violets under a wet stone'
const passwords = createPasswords()

describe('password hashes', () => {
  it('are argon2id with its parameters, and differ each time', async () => {
    const [first, second] = [await passwords.hash(text), await passwords.hash(text)]
    expect(first).toMatch(/^\$argon2id\$v=19\$m=65536,t=3,p=1\$/)
    expect(first).not.toBe(second)
  })

  it('verify only the right password', async () => {
    const hash = await passwords.hash(text)
    expect(await passwords.verify(hash, text)).toBe(true)
    expect(await passwords.verify(hash, `${text} `)).toBe(false)
    expect(await passwords.verify(hash, text.toUpperCase())).toBe(false)
    expect(await passwords.verify(undefined, text)).toBe(false)
  })

  it('do not depend on how a keyboard composes accented characters', async () => {
    const hash = await passwords.hash('stra\u00dfe nach k\u00f6ln')
    expect(await passwords.verify(hash, 'stra\u00dfe nach ko\u0308ln')).toBe(true)
  })

  it('take as long to check if no account has the email', async () => {
    const hash = await passwords.hash(text)
    const known: number[] = []
    const unknown: number[] = []
    for (let round = 0; round < 7; round++) {
      known.push(await processorMs(() => passwords.verify(hash, 'wrong')))
      unknown.push(await processorMs(() => passwords.verify(undefined, 'wrong')))
    }
    const ratio = Math.min(...unknown) / Math.min(...known)
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it('are computed two at a time, and rejected if too many are waiting', async () => {
    const all = await Promise.allSettled(Array.from({ length: 40 }, () => passwords.hash(text)))
    const refused = all.filter(({ status }) => status === 'rejected')
    expect(refused).toHaveLength(40 - 2 - 32)
    expect(refused[0]).toMatchObject({ reason: { code: 'overloaded', retryAfterSeconds: 2 } })
    expect(await passwords.hash(text)).toMatch(/^\$argon2id/)
  })
})

/** Processor time of all threads: unlike elapsed time, it doesn't change while other tests keep the machine busy. */
async function processorMs(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
