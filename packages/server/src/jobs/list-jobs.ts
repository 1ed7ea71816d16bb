import type { Services } from '../operation/context.ts'
import type { LanguageModel } from '../turns/language-model.ts'
import { applyRetention } from './apply-retention.ts'
import { backUp } from './back-up.ts'
import { backfillVectors } from './backfill-vectors.ts'
import { expireMemories } from './expire-memories.ts'
import { extractTurns } from './extract-turns.ts'
import { finishErasures } from './finish-erasures.ts'
import { finishRootKeyChange } from './finish-root-key.ts'
import { keepSnapshots } from './keep-snapshots.ts'
import { measureStorage } from './measure-storage.ts'
import { pruneOldDeliveries } from './prune-deliveries.ts'
import type { Job } from './scheduler.ts'

interface Options {
  /** Undefined where none is configured. */
  languageModel: LanguageModel | undefined
  /** Resolves once it is known whether the provider of embeddings answers. */
  asked: Promise<void> | undefined
}

/** All that the service does by itself. */
export const listJobs = (services: Services, { languageModel, asked }: Options): Job[] => [
  finishErasures(services.db),
  finishRootKeyChange(services),
  expireMemories(services),
  applyRetention(services),
  pruneOldDeliveries(services),
  keepSnapshots(services),
  measureStorage(services),
  ...(services.backups.isSupported && services.backups.everyHours > 0 ? [backUp(services)] : []),
  ...(services.embeddings === undefined ? [] : [backfillVectors(services, services.embeddings, asked)]),
  ...(languageModel === undefined ? [] : [extractTurns(services, languageModel)]),
]
