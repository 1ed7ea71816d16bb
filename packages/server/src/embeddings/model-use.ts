import { sha256 } from '../crypto/hash.ts'
import type { Family, Prefixes } from './model-families.ts'
import type { Pooling } from './pooling.ts'
import type { TextKind } from './provider.ts'

/** How a model is used: what it reads besides a text, and what of its answer is kept. */
export interface ModelUse {
  prefixes: Prefixes
  /** Where each prefix comes from. */
  sources: Readonly<Record<TextKind, Source>>
  /** Undefined if the model runs elsewhere, or if its folder wants a pooling that we don't know. */
  pooling: { way: Pooling; source: Source } | undefined
  /** Vectors are cut to their first numbers, as many as this. */
  dims: number | undefined
}

/** `setting`: HOLDFAST_EMBEDDINGS_…; `folder`: a file in the model's folder; otherwise the name of a model card; undefined: nothing is known. */
export type Source = 'setting' | 'folder' | { card: string } | undefined

/** What the operator has set. An empty prefix means none. */
export interface UseSettings {
  prefixes?: Partial<Prefixes> | undefined
  dims?: number | undefined
}

/** Of the settings, the model's own files and its family, the first that says something decides, for questions and stored texts separately. */
export function choosePrefixes(
  set: Partial<Prefixes> = {},
  own: Prefixes | undefined,
  family: Family | undefined,
): Pick<ModelUse, 'prefixes' | 'sources'> {
  const choose = (kind: TextKind): [prefix: string, source: Source] => {
    const { [kind]: given } = set
    if (given !== undefined) return [given, 'setting']
    if (own !== undefined) return [own[kind], 'folder']
    return family === undefined ? ['', undefined] : [family.prefixes[kind], { card: family.card }]
  }
  const [[query, ofQuery], [document, ofDocument]] = [choose('query'), choose('document')]
  return { prefixes: { query, document }, sources: { query: ofQuery, document: ofDocument } }
}

/**
 * The name of a model that is used in this way. Vectors of different names are never compared. A model without prefixes, with mean
 * pooling and all its numbers, keeps its plain name, and with it the vectors from before there was a choice.
 */
export function nameUse(model: string, { prefixes, pooling, dims }: Omit<ModelUse, 'sources'>): string {
  const { query, document } = prefixes
  const parts = [
    pooling === undefined || pooling.way === 'mean' ? '' : `+${pooling.way}`,
    query === '' && document === '' ? '' : `+prefixes-${digestOf([query, document])}`,
    dims === undefined ? '' : `+${dims}d`,
  ]
  return `${model}${parts.join('')}`
}

const digestOf = (texts: readonly string[]): string => sha256(JSON.stringify(texts)).toString('hex').slice(0, 8)
