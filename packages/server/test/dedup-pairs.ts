import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Pairs of memories written by hand. Those of two halves were written before any was judged: the rules were made on the first,
 * the second is for the verdict, and no label is changed. Rules were removed and added with the figures of both in view. The adversarial ones were each made
 * to break a rule. The blind ones were written without knowledge of the rules; those made with them in view were removed again. Another value of the same
 * counts as `different` there.
 */
export type PairSet = 'development' | 'kept' | 'adversarial' | 'blind'

export interface Pair {
  /** `same`: reworded; `update`: the newer may take the older one's place; `different`: both must stay. */
  relation: 'same' | 'update' | 'different'
  /** Of what kind the rewording or the difference is. */
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
