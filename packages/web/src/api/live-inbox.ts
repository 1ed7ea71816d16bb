import { changeTypes, type ChangeType } from '../generated/web-operations.ts'
import type { Change } from './changed-lists.ts'

export interface Inbox {
  add(change: Change): void
  /** For when it is unknown what has changed. */
  addAll(): void
  /** Applies what is waiting, when the tab is visible again. */
  open(): void
}

/** Collects changes while the tab is hidden. Each record type of a vault waits once, however often it changes. */
export function createInbox(isVisible: () => boolean, apply: (changes: readonly Change[]) => void): Inbox {
  const waiting = new Map<string | null, Set<ChangeType>>()
  const add = (change: Change) => {
    if (isVisible()) return apply([change])
    const types = waiting.get(change.vaultId) ?? new Set()
    for (const type of change.types) types.add(type)
    waiting.set(change.vaultId, types)
  }
  return {
    add,
    addAll: () => add({ vaultId: null, types: changeTypes }),
    open() {
      const changes = [...waiting].map(([vaultId, types]) => ({ vaultId, types: [...types] }))
      waiting.clear()
      if (changes.length > 0) apply(changes)
    },
  }
}
