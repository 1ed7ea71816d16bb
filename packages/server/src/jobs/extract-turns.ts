import { withoutRecalled } from '@holdfast/client'
import type { Tx } from '../db/dialect.ts'
import type { Memory } from '../memories/memory.ts'
import { judgeMemory } from '../memories/related-memories.ts'
import type { Services } from '../operation/context.ts'
import { findPolicyHolder } from '../proposals/permit.ts'
import { ModelError } from '../turns/chat-endpoint.ts'
import type { LanguageModel } from '../turns/language-model.ts'
import { storeExtracted } from '../turns/store-extracted.ts'
import {
  findTurn,
  finishJob,
  postponeJob,
  takeJob,
  type ExtractionJob,
  type ExtractionStatus,
} from '../turns/turn-store.ts'
import { openSettings } from '../vaults/settings-store.ts'
import { isDamage, unlockVault } from './each-vault.ts'
import type { Job } from './scheduler.ts'

const everyMs = 5000
/** Longer than a request to the model and storing its results can take. */
const leaseMs = 180_000
/** How long to wait after the first attempt, the second, and so on. After the last one, the turn has failed. */
const delaysMs = [30_000, 120_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000]
const failuresOfAnOutage = 3

type Deps = Pick<
  Services,
  'db' | 'instance' | 'keyring' | 'indexes' | 'embeddings' | 'callLog' | 'news' | 'log' | 'now'
>

/** Sends queued turns to the language model. The queue is a table, so a stop or a crash loses nothing. Items: turns. */
export function extractTurns(services: Deps, model: LanguageModel): Job {
  return {
    name: 'extract-turns',
    everyMs,
    isOnEveryServer: true,
    async run(signal, done) {
      let failuresInARow = 0
      while (!signal.aborted && failuresInARow < failuresOfAnOutage) {
        const now = services.now()
        const job = await takeJob(services.db, { now, leaseUntil: now + leaseMs })
        if (job === undefined) return
        failuresInARow = (await work(services, model, job, signal)) ? 0 : failuresInARow + 1
        done?.(1)
      }
    },
  }
}

/** Whether the model answered. */
async function work(services: Deps, model: LanguageModel, job: ExtractionJob, signal: AbortSignal): Promise<boolean> {
  const { db, log } = services
  try {
    const opened = await open(services, job)
    if (opened === undefined) {
      await settle(services, job, 'failed')
      return true
    }
    const { vault, turn } = opened
    const found = await model.extract({ role: turn.role, content: withoutRecalled(turn.content) }, signal)
    // Someone may have deleted the turn meanwhile, so that nothing of it stays.
    if ((await findTurn(db.read, vault, turn.turnId)) === undefined) return true
    const ctx = { ...services, vault, actor: { integrationId: turn.integrationId } }
    const { dedup } = openSettings(vault)
    const holder = await findPolicyHolder(services, job.userId, turn.integrationId)
    const permit = (tx: Tx, old: Memory) => judgeMemory(tx, vault, holder, old)
    const ids = await storeExtracted(ctx, turn, found, { dedup, by: 'a language model', permit })
    await settle(services, job, ids.length === 0 ? 'stored' : 'extracted')
    if (ids.length > 0)
      services.callLog.recordWork(vault.userId, vault.id, {
        name: 'extract-turns',
        changes: ['memories'],
        records: ids.length,
      })
    return true
  } catch (error) {
    // The server is stopping. The next start retries at once, and this attempt doesn't count.
    if (signal.aborted)
      await db.write((tx) => postponeJob(tx, job, { dueAt: services.now(), attempt: job.attempt - 1 }))
    else await postpone(services, job, error)
    log.warn('a turn was not looked at yet', { job: 'extract-turns', error, ...codeOf(error) })
    return false
  }
}

/** Undefined if the turn was deleted or is damaged, so a retry is useless. */
async function open(services: Pick<Services, 'db' | 'keyring' | 'log'>, job: ExtractionJob) {
  try {
    const vault = await unlockVault(services, job.userId, job.vaultId)
    const turn = vault && (await findTurn(services.db.read, vault, job.turnId))
    return vault && turn && { vault, turn }
  } catch (error) {
    if (!isDamage(error)) throw error
    services.log.warn('a turn cannot be opened', { job: 'extract-turns', vaultId: job.vaultId, error })
    return undefined
  }
}

/** Finishes the job. Tells open pages, since the turn no longer waits even if no record has changed. */
async function settle(
  { db, news }: Pick<Services, 'db' | 'news'>,
  job: ExtractionJob,
  status: ExtractionStatus,
): Promise<void> {
  await db.write((tx) => finishJob(tx, job, status))
  news.announce(job.userId, job.vaultId, ['runs'])
}

async function postpone(
  services: Pick<Services, 'db' | 'news' | 'now'>,
  job: ExtractionJob,
  error: unknown,
): Promise<void> {
  const { db, now } = services
  const delayMs = delaysMs[job.attempt - 1]
  const isFinal = error instanceof ModelError && error.isFinal
  if (delayMs === undefined || isFinal) return settle(services, job, 'failed')
  const askedMs = error instanceof ModelError ? (error.retryAfterMs ?? 0) : 0
  const dueAt = now() + Math.max(delayMs, Math.min(askedMs, 24 * 3_600_000))
  return db.write((tx) => postponeJob(tx, job, { dueAt, attempt: job.attempt }))
}

const codeOf = (error: unknown) => (error instanceof ModelError ? { code: error.code } : {})
