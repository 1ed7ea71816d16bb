import type { Services } from '../operation/context.ts'
import type { Job } from './scheduler.ts'

/** How often it looks whether one is due, which is also how soon one that failed is tried again. */
const everyMs = 600_000

/** Makes automatic backups, and lets the oldest of them go. Items: backups. */
export const backUp = ({ backups }: Services): Job => ({
  name: 'back-up',
  everyMs,
  async run(signal, done) {
    if (await backups.makeDue(signal)) done?.(1)
  },
})
