import type { Keyring } from '../auth/keyring.ts'
import { findPrivateScope } from '../auth/private-scope-store.ts'
import { findUserActor } from '../auth/store.ts'
import type { Database } from '../db/dialect.ts'
import type { News, PostOutcome } from '../operation/context.ts'
import { recordAttempt, type Leased } from './lease-store.ts'
import type { Post } from './post.ts'
import { parseRetryAfter, waitAfter } from './schedule.ts'
import { sendEvent } from './send.ts'
import { findWebhook } from './store.ts'

export interface DeliveryParts {
  db: Database
  keyring: Keyring
  news: News
  now(): number
  post: Post
}

/** One attempt, from the lease to what is written down about it. Nothing is written where the lease was lost meanwhile. */
export async function deliverLeased(parts: DeliveryParts, leased: Leased, signal: AbortSignal): Promise<void> {
  const { db, keyring, news, now, post } = parts
  const user = await findUserActor(db.read, leased.userId)
  if (user === undefined) return
  const mek = keyring.mek(user)
  const keys = await findPrivateScope(db.read, keyring, { userId: leased.userId, mek })
  const webhook = await findWebhook(db.read, keys, leased.userId, leased.webhookId)
  if (keys === undefined || webhook === undefined) return
  const startedAt = now()
  const outcome = await sendEvent(post, webhook.endpoint, leased, { now: startedAt, signal })
  // Cut off by the end of this server: nobody knows how it went, and the lease sees to it that it is sent again.
  if (signal.aborted && outcome.problem !== undefined) return
  const endedAt = now()
  const { status, problem } = outcome
  const attempt = { at: startedAt, ms: Math.max(0, endedAt - startedAt), status, problem }
  const dueAt = nextTime(leased.attempt, outcome, endedAt)
  await db.write((tx) => recordAttempt(tx, keys, leased, { attempt, dueAt, now: endedAt }))
  news.note(leased.userId, undefined, ['webhooks'])
}

function nextTime(attempt: number, { problem, retryAfter }: PostOutcome, now: number): number | undefined {
  if (problem === undefined) return undefined
  const retryAfterMs = parseRetryAfter(retryAfter, now)
  const wait = waitAfter(attempt, { retryAfterMs, random: Math.random() })
  return wait === undefined ? undefined : now + wait
}
