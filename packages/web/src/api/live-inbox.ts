import { changeTypes, type ChangeType } from '../generated/web-operations.ts'
import type { Change } from './changed-lists.ts'

export interface Inbox {
  take(change: Change): void
  /** Nobody knows what has changed. */
  takeAll(): void
  /** Somebody looks again. */
  open(): void
}

/** What has changed while nobody looks waits until somebody does: once each type of each vault, however often it changed. */
export function createInbox(isLookedAt: () => boolean, apply: (changes: readonly Change[]) => void): Inbox {
  const waiting = new Map<string | null, Set<ChangeType>>()
  const take = (change: Change) => {
    if (isLookedAt()) return apply([change])
    const types = waiting.get(change.vaultId) ?? new Set()
    for (const type of change.types) types.add(type)
    waiting.set(change.vaultId, types)
  }
  return {
    take,
    takeAll: () => take({ vaultId: null, types: changeTypes }),
    open() {
      const changes = [...waiting].map(([vaultId, types]) => ({ vaultId, types: [...types] }))
      waiting.clear()
      if (changes.length > 0) apply(changes)
    },
  }
}
