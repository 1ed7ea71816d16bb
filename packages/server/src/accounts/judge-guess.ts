import type { ServiceError } from '../core/errors.ts'
import type { PublicContext } from '../operation/context.ts'

/** What became of a try to sign in, or to prove who somebody is. */
export type Verdict<T> =
  /** All that the account can ask for was shown: the count starts afresh. */
  | { proven: T }
  /**
   * Right, but not all: it neither counts nor lets anybody start afresh, or whoever knows a password could guess codes for
   * ever.
   */
  | { right: T }
  /** The same, where the answer is a refusal. */
  | { unfinished: ServiceError }
  /** Counts as a guess. */
  | { wrong: ServiceError }

/** Slows guesses, by account and address; what an outage kept from being judged is none. `account`: as `emailTag` has it. */
export async function judgeGuess<T>(
  { logInThrottle, request }: Pick<PublicContext, 'logInThrottle' | 'request'>,
  account: Buffer,
  judge: () => Promise<Verdict<T>>,
): Promise<T> {
  const subjects = { account: account.toString('hex'), address: request.clientAddress }
  logInThrottle.begin(subjects)
  const verdict = await judge().catch((error: unknown) => {
    logInThrottle.abandon(subjects)
    throw error
  })
  if ('wrong' in verdict) throw verdict.wrong
  if ('proven' in verdict) {
    logInThrottle.succeed(subjects)
    return verdict.proven
  }
  logInThrottle.abandon(subjects)
  if ('unfinished' in verdict) throw verdict.unfinished
  return verdict.right
}
