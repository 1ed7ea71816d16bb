import { dayMs } from '../core/time.ts'
import type { MemoryFacts } from './cleanup-store.ts'

/** Which memories a clean-up is for. What is left out does not filter. */
export interface CleanupFilter {
  olderThanDays?: number | undefined
  maxImportance?: number | undefined
  maxConfidence?: number | undefined
  memoryTypes?: readonly string[] | undefined
  notAccessedSinceDays?: number | undefined
  includeExpired?: boolean | undefined
  duplicatesOnly?: boolean | undefined
}

/** An empty list of types, as some agents send it, does not narrow. */
const narrows = ({ memoryTypes = [], ...rest }: CleanupFilter): boolean =>
  memoryTypes.length > 0 ||
  rest.duplicatesOnly === true ||
  [rest.olderThanDays, rest.maxImportance, rest.maxConfidence, rest.notAccessedSinceDays].some(
    (value) => value !== undefined,
  )

/** Whether the filter says anything at all: nobody means the whole vault. */
export const isFilter = (filter: CleanupFilter): boolean => narrows(filter) || filter.includeExpired === true

/** Of memories that are neither archived nor superseded. `includeExpired` alone matches what has expired, and nothing else. */
export function isMatch(memory: MemoryFacts, filter: CleanupFilter, now: number): boolean {
  const hasExpired = memory.expiresAt !== null && memory.expiresAt <= now
  if (hasExpired && filter.includeExpired !== true) return false
  const { olderThanDays = 0, maxImportance = 5, maxConfidence = 5, memoryTypes = [], notAccessedSinceDays = 0 } = filter
  return (
    (hasExpired || narrows(filter)) &&
    memory.updatedAt <= now - olderThanDays * dayMs &&
    memory.importance <= maxImportance &&
    memory.confidence <= maxConfidence &&
    (memoryTypes.length === 0 || memoryTypes.includes(memory.type)) &&
    (memory.lastAccessedAt ?? memory.createdAt) <= now - notAccessedSinceDays * dayMs
  )
}

/** What a memory is protected by that says nothing of others. */
export const isPrecious = ({ importance, type }: MemoryFacts): boolean =>
  importance === 5 || type === 'constraint' || type === 'correction'
