import type { ReadEncryptionKeysOutput } from '@holdfast/client/dashboard'
import { formatAgo, formatCount } from '../../components/text/time-text.ts'

export type VaultKeys = NonNullable<ReadEncryptionKeysOutput['storedKeys']>['vaults']

/** How far the rotation of the keys of vaults is, and what comes next. Rows are counted only once the new keys are in use. */
export function describeRotation({ rowsDone, rowsTotal, changing }: VaultKeys, nowMs: number): string {
  const find = (step: VaultKeys['changing'][number]['step']) => changing.find((vault) => vault.step === step)
  const [sealing, announced, kept] = [find('sealing'), find('announced'), find('kept')]
  if (sealing !== undefined)
    return rowsTotal === 0
      ? 'The server is counting the rows to encrypt again.'
      : `${formatCount(rowsDone)} of ${formatCount(rowsTotal)} rows are encrypted with the new keys.`
  if (announced !== undefined)
    return `The new keys come into use ${when(announced.nextStepAt, nowMs)}. Then everything is encrypted again.`
  if (kept !== undefined)
    return `Everything is encrypted with the new keys. The old keys are deleted ${when(kept.nextStepAt, nowMs)} at the earliest.`
  return 'The server is creating the new keys.'
}

const soonMs = 30_000

const when = (at: string | null, nowMs: number): string =>
  at === null || Date.parse(at) - nowMs < soonMs ? 'in a moment' : formatAgo(at, nowMs)
