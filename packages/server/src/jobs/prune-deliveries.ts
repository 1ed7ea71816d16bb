import type { Services } from '../operation/context.ts'
import { pruneDeliveries } from '../webhooks/delivery-store.ts'
import type { Job } from './scheduler.ts'

const everyMs = 3_600_000

/** Lets deliveries of webhooks go that were finished 30 days ago, and gives up those that have waited for so long. */
export const pruneOldDeliveries = ({ db, now }: Services): Job => ({
  name: 'prune-deliveries',
  everyMs,
  run: (signal) => pruneDeliveries(db, now(), signal),
})
