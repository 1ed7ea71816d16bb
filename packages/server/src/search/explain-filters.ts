import { livenessTest, wantedTest, type SearchFilter, type WantedItems } from '../vault-index/live.ts'
import type { VaultIndex } from '../vault-index/vault-index.ts'

/** Why a filter leaves an item out. `later`: it is of a later time than the question. `filtered`: by what the caller wants. */
export const filterStages = ['archived', 'expired', 'superseded', 'later', 'filtered'] as const

type FilterStage = (typeof filterStages)[number]

export interface FilteredOut {
  /** The first reason. */
  stage: FilterStage
  /** All of them, in words. */
  reason: string
}

/** Undefined where the filter lets the item pass. The index's own tests decide; this only finds which parts of them it was. */
export function explainFilter(index: VaultIndex, filter: SearchFilter, slot: number): FilteredOut | undefined {
  const causes = livenessTest(index, filter)(slot) ? [] : livenessCauses(index, filter, slot)
  const failed = wantedParts(index, filter).filter(({ alone }) => !wantedTest(index, alone)(slot))
  if (failed.length > 0) {
    const names = failed.map(({ name }) => name).join(', ')
    causes.push({ stage: 'filtered', reason: `outside of what was asked for by ${names}` })
  }
  const [first] = causes
  return first && { stage: first.stage, reason: causes.map(({ reason }) => reason).join('; ') }
}

function livenessCauses(index: VaultIndex, filter: SearchFilter, slot: number): FilteredOut[] {
  const { includeArchived, asOf, isRetrospective } = filter
  const { archived, expiresAt, supersededAt } = index.parts.facts.arrays
  const [expiry, supersession] = [expiresAt[slot] as number, supersededAt[slot] as number]
  const causes: FilteredOut[] = []
  if (!includeArchived && archived[slot] === 1) causes.push({ stage: 'archived', reason: 'archived' })
  if (!includeArchived && expiry <= asOf) causes.push({ stage: 'expired', reason: `expired at ${timeOf(expiry)}` })
  if (isRetrospective ? supersession <= asOf : supersession !== Infinity)
    causes.push({ stage: 'superseded', reason: `a newer one took its place at ${timeOf(supersession)}` })
  else if (!livenessTest(index, { ...filter, includeArchived: true })(slot))
    causes.push({ stage: 'later', reason: `of a later time than asOf, ${timeOf(asOf)}` })
  return causes
}

const timeOf = (ms: number): string => new Date(ms).toISOString()

/** The parts of a filter beyond liveness, each by itself. */
function wantedParts(index: VaultIndex, filter: SearchFilter): { name: string; alone: WantedItems }[] {
  const { kinds, types, minImportance, entityTags, createdAfter, createdBefore, itemIds } = filter
  const any = { kinds: index.parts.facts.kindCodes.names }
  const stored = { createdAfter: createdAfter ?? -Infinity, createdBefore: createdBefore ?? Infinity }
  return [
    { name: 'kind of record', alone: { kinds } },
    { name: 'type', alone: { ...any, ...(types && { types }) } },
    { name: 'importance', alone: { ...any, ...(minImportance !== undefined && { minImportance }) } },
    { name: 'entities', alone: { ...any, ...(entityTags && { entityTags }) } },
    { name: 'time of storing', alone: { ...any, ...stored } },
    { name: 'folder or tags', alone: { ...any, ...(itemIds && { itemIds }) } },
  ]
}
