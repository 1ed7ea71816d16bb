import type { VaultScope } from '../crypto/keys.ts'
import type { Reader } from '../db/dialect.ts'
import { decodeEntry } from '../vault-index/stored/entry.ts'
import { entriesSince } from '../vault-index/stored/store.ts'

/**
 * How long the vectors of `model` in the vault are: those of the record that has changed least lately. Undefined where it
 * has none. Where another model has been put behind a name, records with its vectors are later than all that were not
 * touched, so that the rest is found also when a server was killed half-way through marking them.
 */
export async function findStoredDims(db: Reader, scope: VaultScope, model: string): Promise<number | undefined> {
  // Not in the query, as nothing is indexed by model: what is read here is read by the first search as well.
  for await (const entries of entriesSince(db, scope, 0)) {
    for (const { vectorModel, vectorsMissing, entry } of entries) {
      const dims = vectorModel === model && vectorsMissing === 0 ? decodeEntry(entry).vectors?.dims : undefined
      if (dims !== undefined) return dims
    }
  }
  return undefined
}
