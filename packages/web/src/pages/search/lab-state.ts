import type { InputOf, OutputOf } from '../../api/call.ts'
import { memoryTypes } from '../../components/records/memory-marks.tsx'
import { describeUrl, type Changes } from '../../shell/url-state.ts'

/** The query and its parameters, as kept in the URL. -1 and 0 mean the vault's default. */
export const labUrl = describeUrl({
  q: '',
  topK: 10,
  threshold: -1,
  halfLife: 0,
  diversity: -1,
  type: '',
  importance: 0,
  archived: false,
  kinds: 'memory',
  asOf: '',
  why: '',
  tab: 'hits',
})

export type LabState = typeof labUrl.defaults
export type SetLab = (changes: Changes<LabState>) => void

type Input = InputOf<'preview-search'>
export type Answer = OutputOf<'preview-search'>
export type Details = Answer['hits'][number]['scoreDetails']
export type Dropped = Answer['explanation']['dropped'][number]
export type Found = Answer['records'][number]

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The input of the search; undefined without a query. Ignores invalid values in the URL. */
export function inputOf(state: LabState, vaultId: string): Input | undefined {
  const { q, topK, threshold, halfLife, diversity, type, importance, archived, kinds, asOf, why } = state
  if (q.trim() === '') return undefined
  const types = memoryTypes.filter((each) => type.split(',').includes(each))
  return {
    vaultId,
    query: q.trim(),
    topK,
    threshold: threshold < 0 ? undefined : threshold,
    decayHalfLife: halfLife <= 0 ? undefined : halfLife,
    diversity: diversity < 0 ? undefined : diversity,
    memoryTypes: types.length === 0 ? undefined : types,
    minImportance: importance > 1 ? importance : undefined,
    includeArchived: archived || undefined,
    kinds: kinds === 'both' ? ['memory', 'note'] : kinds === 'note' ? ['note'] : undefined,
    asOf: asOf === '' || Number.isNaN(Date.parse(asOf)) ? undefined : new Date(asOf).toISOString(),
    explainIds: uuid.test(why.trim()) ? [why.trim()] : undefined,
  }
}

export const isId = (text: string) => uuid.test(text.trim())
