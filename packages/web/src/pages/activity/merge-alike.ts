import type { ActivityEntry } from '@holdfast/client/dashboard'

/** Entries that are shown as one: `at` is the time of the newest, `since` that of the oldest. */
export interface MergedEntry extends ActivityEntry {
  since?: string
}

/**
 * Merges consecutive entries of a day if they say the same, such as twelve sign-ins. Entries about a record stay apart, except turns, which
 * have no page of their own. The newest first: the server orders entries by when they began, and calls counted together go on for a minute.
 */
export function mergeAlike(entries: readonly ActivityEntry[]): MergedEntry[] {
  const merged: MergedEntry[] = []
  for (const entry of entries.toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at))) {
    const last = merged.at(-1)
    if (last === undefined || !areAlike(last, entry)) merged.push(entry)
    else
      merged[merged.length - 1] = {
        ...last,
        recordId: null,
        records: last.records + entry.records,
        calls: last.calls + entry.calls,
        since: entry.at,
      }
  }
  return merged
}

const areAlike = (a: ActivityEntry, b: ActivityEntry): boolean =>
  !isAboutRecord(a) && !isAboutRecord(b) && alikeKey(a) === alikeKey(b)

const isAboutRecord = ({ recordId, operation }: ActivityEntry): boolean =>
  recordId !== null && operation !== 'ingest-turn'

function alikeKey({ operation, status, vaultId, actor, label, keyLast4, member, address, at }: ActivityEntry): string {
  return JSON.stringify([
    operation,
    status,
    vaultId,
    actor,
    label,
    keyLast4,
    member,
    address,
    new Date(at).toDateString(),
  ])
}
