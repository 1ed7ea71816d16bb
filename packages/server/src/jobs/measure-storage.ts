import { runThenPause } from '../core/in-pieces.ts'
import { dayMs } from '../core/time.ts'
import {
  listMeasures,
  measureSome,
  saveMeasure,
  sizeSources,
  type MeasuredVault,
  type SizeKind,
  type SizeScope,
  type SizeSource,
  type SizeStep,
} from '../usage/vault-size-store.ts'
import type { Services } from '../operation/context.ts'
import type { Job } from './scheduler.ts'

const everyMs = 60_000
/** Some milliseconds of work. */
const keysAtOnce = 1_000
/** Pause between two measurements, per record: 17 minutes for 100,000 records. */
const restMsPerRecord = 10

/**
 * Measures the size of vaults for the usage page. Measures all vaults of a person together, if one of them has changed or
 * a day has passed. Items: vaults.
 */
export const measureStorage = ({ db, now }: Pick<Services, 'db' | 'now'>): Job => ({
  name: 'measure-storage',
  everyMs,
  async run(signal, done) {
    const byUser = Map.groupBy(await listMeasures(db.read), ({ userId }) => userId)
    for (const vaults of byUser.values()) {
      if (signal.aborted) return
      if (!isDue(vaults, now())) continue
      const sizes = await measureVaults(db.read, vaults, signal)
      if (sizes === undefined) return
      for (const { userId, vaultId, seq } of vaults) {
        const found = [...(sizes.get(vaultId) ?? [])].map(([kind, size]) => ({ kind, ...size }))
        await saveMeasure(db, { userId, vaultId, seq, measuredAt: now() }, found)
        done?.(1)
      }
    }
  },
})

function isDue(vaults: readonly MeasuredVault[], at: number): boolean {
  const records = vaults.reduce((sum, { measured }) => sum + (measured?.records ?? 0), 0)
  return vaults.some(({ seq, measured }) => {
    if (measured === undefined) return true
    const ageMs = at - measured.at
    return ageMs >= dayMs || (measured.seq !== seq && ageMs >= records * restMsPerRecord)
  })
}

type Sizes = Map<string, Map<SizeKind, { records: number; bytes: number }>>

/** Undefined if it was stopped. */
async function measureVaults(
  db: Parameters<typeof measureSome>[0],
  vaults: readonly MeasuredVault[],
  signal: AbortSignal,
): Promise<Sizes | undefined> {
  const sizes: Sizes = new Map()
  for (const source of sizeSources)
    // A source that is scanned by owner covers all vaults in one scan.
    for (const scope of source.isByVault ? vaults : vaults.slice(0, 1))
      for await (const steps of walk(db, source, scope, signal)) for (const step of steps) addStep(sizes, source, step)
  return signal.aborted ? undefined : sizes
}

async function* walk(
  db: Parameters<typeof measureSome>[0],
  source: SizeSource,
  scope: SizeScope,
  signal: AbortSignal,
): AsyncGenerator<SizeStep[]> {
  let after: SizeStep['key'] | undefined
  while (!signal.aborted) {
    const steps = await runThenPause(() => measureSome(db, source, scope, { after, limit: keysAtOnce }), signal)
    yield steps
    after = steps.at(-1)?.key
    if (steps.length < keysAtOnce) return
  }
}

function addStep(sizes: Sizes, { kind, isRecord }: SizeSource, { vaultId, rows, bytes }: SizeStep): void {
  const vault = sizes.get(vaultId) ?? new Map<SizeKind, { records: number; bytes: number }>()
  sizes.set(vaultId, vault)
  const { records, bytes: before } = vault.get(kind) ?? { records: 0, bytes: 0 }
  vault.set(kind, { records: records + (isRecord ? rows : 0), bytes: before + bytes })
}
