import type { Keyring, Mek } from '../auth/keyring.ts'
import { ensurePrivateScope, findPrivateScope } from '../auth/private-scope-store.ts'
import { findUserActor } from '../auth/store.ts'
import type { Database } from '../db/dialect.ts'
import type { News } from '../calls/news.ts'
import { recordAttempt, recordUnsent, type Leased } from './lease-store.ts'
import type { Post } from './post.ts'
import { parseRetryAfter, waitAfter } from './schedule.ts'
import { sendEvent } from './send.ts'
import { findWebhook, type Webhook } from './store.ts'

export interface DeliveryParts {
  db: Database
  keyring: Keyring
  news: News
  now(): number
  post: Post
}

/** Makes one attempt and records the result. Writes nothing if another server has leased the delivery since. */
export async function deliverLeased(parts: DeliveryParts, leased: Leased, signal: AbortSignal): Promise<void> {
  const { db, now } = parts
  try {
    const opened = await openWebhook(parts, leased)
    if (opened !== undefined) await sendOnce(parts, leased, { ...opened, signal })
  } catch (error) {
    // For example, a cell that can't be opened. Without this, the delivery would be retried each time its lease ends.
    const failedAt = now()
    const dueAt = nextTime(leased.attempt, undefined, failedAt)
    await db.write((tx) => recordUnsent(tx, leased, { dueAt, now: failedAt }))
    throw error
  }
}

interface Opened {
  webhook: Webhook
  mek: Mek
}

/** Undefined if the webhook was deleted: its deliveries are being deleted, too. */
async function openWebhook({ db, keyring }: DeliveryParts, { userId, webhookId }: Leased): Promise<Opened | undefined> {
  const user = await findUserActor(db.read, userId)
  if (user === undefined) throw new Error("The webhook's owner no longer exists")
  const mek = keyring.mek(user)
  const keys = await findPrivateScope(db.read, keyring, { userId, mek })
  if (keys === undefined) throw new Error("The webhook's keys no longer exist")
  const webhook = await findWebhook(db.read, keys, userId, webhookId)
  return webhook && { webhook, mek }
}

async function sendOnce(
  { db, keyring, news, now, post }: DeliveryParts,
  leased: Leased,
  { webhook, mek, signal }: Opened & { signal: AbortSignal },
): Promise<void> {
  const startedAt = now()
  const outcome = await sendEvent(post, webhook.endpoint, leased, { now: startedAt, signal })
  // This server is stopping, so the result is unknown. The delivery is sent again once its lease ends.
  if (signal.aborted && outcome.problem !== undefined) return
  const endedAt = now()
  const { status, problem, retryAfter } = outcome
  const attempt = { at: startedAt, ms: Math.max(0, endedAt - startedAt), status, problem }
  const dueAt = problem === undefined ? undefined : nextTime(leased.attempt, retryAfter, endedAt)
  await db.write(async (tx) => {
    const keys = await ensurePrivateScope(tx, keyring, { userId: leased.userId, mek }, endedAt)
    await recordAttempt(tx, keys, leased, { attempt, dueAt, now: endedAt })
  })
  news.announce(leased.userId, undefined, ['webhooks'])
}

/** Undefined after the last attempt. */
function nextTime(attempt: number, retryAfter: string | undefined, now: number): number | undefined {
  const wait = waitAfter(attempt, { retryAfterMs: parseRetryAfter(retryAfter, now), random: Math.random() })
  return wait === undefined ? undefined : now + wait
}
