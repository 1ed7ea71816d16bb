import { runThenPause } from '../core/in-pieces.ts'
import { dayMs } from '../core/time.ts'
import { hasEntriesSince } from '../calls/activity-store.ts'
import type { Database, Reader } from '../db/dialect.ts'
import {
  confirmMeasures,
  listMeasures,
  listSizes,
  measureSome,
  saveMeasure,
  sizeSources,
  type MeasuredVault,
  type SizeKind,
  type SizeSource,
  type SizeStep,
  type VaultSize,
} from '../usage/vault-size-store.ts'
import type { Services } from '../operation/context.ts'
import type { Job } from './scheduler.ts'
import { createSweep } from './sweep.ts'

const everyMs = 60_000
/** Some milliseconds of work. */
const keysAtOnce = 1_000
/** Pause between two measurements, per record: 17 minutes for 100,000 records. */
const restMsPerRecord = 10
/** After this time, a run measures nobody else, and stores no other vault of this person. The next run continues. */
const longestRunMs = 1_000

/**
 * Measures the size of vaults for the usage page. Measures all vaults of a person together, if one of them has changed, or if a day has
 * passed in which anything was called: not everything that takes space is a change. Items: vaults.
 */
export function measureStorage({ db, now }: Pick<Services, 'db' | 'now'>): Job {
  const sweep = createSweep({ now })
  return {
    name: 'measure-storage',
    everyMs,
    async run(signal, done) {
      const owners = await sweep.next(db.read)
      if (owners === undefined) return
      const byUser = Map.groupBy(await listMeasures(db.read, owners), ({ userId }) => userId)
      const endsAt = performance.now() + longestRunMs
      for (const [userId, vaults] of byUser) {
        if (!(await isDue(db.read, userId, vaults, now()))) continue
        const at = now()
        const sizes = await measureVaults(db.read, userId, signal)
        if (sizes === undefined) return
        await saveAll(db, { userId, vaults, sizes, at }, done)
        if (performance.now() >= endsAt) return sweep.continueAfter(userId)
      }
    },
  }
}

async function isDue(db: Reader, userId: string, vaults: readonly MeasuredVault[], at: number): Promise<boolean> {
  const records = vaults.reduce((sum, { measured }) => sum + (measured?.records ?? 0), 0)
  const isChanged = vaults.some(
    ({ seq, measured }) =>
      measured === undefined || (measured.seq !== seq && at - measured.at >= records * restMsPerRecord),
  )
  const measuredAt = Math.min(...vaults.flatMap(({ measured }) => measured?.at ?? []))
  return isChanged || (at - measuredAt >= dayMs && (await hasEntriesSince(db, userId, measuredAt)))
}

interface Found {
  userId: string
  vaults: readonly MeasuredVault[]
  sizes: Sizes
  at: number
}

/** Stores what has changed. Of a person with thousands of vaults, the next run measures all again, and stores more. */
async function saveAll(db: Database, { userId, vaults, sizes, at }: Found, done?: (items: number) => void) {
  const stored = await listSizes(db.read, userId)
  const endsAt = performance.now() + longestRunMs
  for (const { vaultId, seq, measured } of vaults) {
    const found = [...(sizes.get(vaultId) ?? [])].map(([kind, size]) => ({ kind, ...size }))
    if (measured?.seq === seq && isSame(found, stored.get(vaultId) ?? [])) continue
    if (performance.now() >= endsAt) return
    await saveMeasure(db, { userId, vaultId, seq, measuredAt: at }, found)
    done?.(1)
  }
  await confirmMeasures(db, userId, at)
}

const isSame = (found: readonly VaultSize[], stored: readonly VaultSize[]): boolean =>
  found.length === stored.length &&
  found.every(({ kind, records, bytes }) =>
    stored.some((size) => size.kind === kind && size.records === records && size.bytes === bytes),
  )

type Sizes = Map<string, Map<SizeKind, { records: number; bytes: number }>>

/** Undefined if it was stopped. */
async function measureVaults(db: Reader, userId: string, signal: AbortSignal): Promise<Sizes | undefined> {
  const sizes: Sizes = new Map()
  for (const source of sizeSources)
    for await (const steps of walk(db, source, userId, signal)) for (const step of steps) addStep(sizes, source, step)
  return signal.aborted ? undefined : sizes
}

async function* walk(db: Reader, source: SizeSource, userId: string, signal: AbortSignal): AsyncGenerator<SizeStep[]> {
  let after: SizeStep['key'] | undefined
  while (!signal.aborted) {
    const steps = await runThenPause(() => measureSome(db, source, userId, { after, limit: keysAtOnce }), signal)
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
