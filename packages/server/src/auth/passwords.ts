import { overloaded } from '../core/errors.ts'

/**
 * argon2id as in RFC 9106 with 64 MiB, 3 passes and one lane: 70 to 140 ms per hash on two shared cores (November 2026),
 * at least five times the work of OWASP's minimum (19 MiB, 2 passes: 13 ms on the same machine). Each hash contains its
 * parameters, so they can be raised later.
 */
const usualCost: PasswordCost = { memoryCost: 64 * 1024, timeCost: 3 }

/** Of argon2id. */
export interface PasswordCost {
  /** In KiB. */
  memoryCost: number
  /** Passes. */
  timeCost: number
}

/** For the whole server: at most 2 × 64 MiB of memory and two of the four threads that Node also uses for files and DNS. */
const hashesAtOnce = 2
const maxWaiting = 32

/** How operations store and check passwords. If too many wait, both throw `overloaded`. */
export interface Passwords {
  hash(text: string): Promise<string>
  /** Without a hash (no such user) it does the same work, so response times don't reveal which addresses exist. */
  verify(passwordHash: string | undefined, text: string): Promise<boolean>
  /** Hashes that are computed, and those that wait. */
  readonly load: { running: number; waiting: number }
}

/** `cost`: lower in tests, which compute hundreds of hashes. */
export function createPasswords(cost: PasswordCost = usualCost): Passwords {
  const { inTurn, load } = createTurns()
  const hashed = (text: string) =>
    inTurn(async () => {
      const { hash } = await loadArgon2()
      return hash(normalizePassword(text), { ...cost, parallelism: 1 })
    })
  return {
    hash: hashed,
    async verify(passwordHash, text) {
      if (passwordHash === undefined) {
        await hashed(text)
        return false
      }
      return inTurn(async () => {
        const { verify } = await loadArgon2()
        return verify(passwordHash, normalizePassword(text))
      })
    },
    get load() {
      return load()
    },
  }
}

// With the first password: it takes 4 MB.
const loadArgon2 = () => import('@node-rs/argon2')

// Keyboards differ in whether they send composed or decomposed characters.
export const normalizePassword = (text: string): string => text.normalize('NFKC')

/** Runs `hashesAtOnce` works at a time. The others wait in line. */
function createTurns() {
  let running = 0
  const waiting: (() => void)[] = []
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= maxWaiting) throw overloaded('too many sign-ins at once', 2, 'too_many_logins')
    if (running >= hashesAtOnce) await new Promise<void>((resolve) => waiting.push(resolve))
    else running++
    try {
      return await work()
    } finally {
      // The slot passes directly to the next in line, so no newcomer can take it first.
      const next = waiting.shift()
      if (next === undefined) running--
      else next()
    }
  }
  return { inTurn, load: () => ({ running, waiting: waiting.length }) }
}
