import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Pairs of memories, written by hand. The pairs of the two halves were written before any was judged: the rules were developed on the
 * first half, the second is for evaluation, and no label changes. Rules were added and removed with both figures in view. Each
 * adversarial pair was written to break a rule. The blind pairs were written without knowledge of the rules; those written with
 * knowledge were removed. There, another value of the same thing counts as `different`.
 */
export type PairSet = 'development' | 'kept' | 'adversarial' | 'blind'

export interface Pair {
  /** `same`: reworded; `update`: the newer one may supersede the older one; `different`: both must stay. */
  relation: 'same' | 'update' | 'different'
  /** The kind of rewording or difference. */
  kind: string
  older: string
  newer: string
}

export function readPairs(set: PairSet): Pair[] {
  const lines = readFileSync(join(import.meta.dirname, 'dedup-pairs', `${set}.txt`), 'utf8').split('\n')
  const pairs: Pair[] = []
  let [relation, kind]: [Pair['relation'], string] = ['same', '']
  for (const line of lines) {
    const heading = /^== (same|update|different): (.*)$/.exec(line)
    if (heading !== null) [relation, kind] = [heading[1] as Pair['relation'], heading[2] ?? '']
    if (line.startsWith('#')) continue
    const [older, newer] = line.split(' || ')
    if (older !== undefined && newer !== undefined) pairs.push({ relation, kind, older, newer })
  }
  return pairs
}
