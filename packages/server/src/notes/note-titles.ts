import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../db/dialect.ts'
import type { KnownTitle, NoteTitles, UnlockedVault } from '../operation/context.ts'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import type { NoteOutline } from './note.ts'
import { findOutlines } from './store.ts'
import { changedNoteIds, liveOutlines } from './title-store.ts'

/**
 * Titles are sealed in the database, so that whoever types one can be helped only from memory: the titles of the vaults in
 * which somebody has a note open are kept open, for as long as that goes on. What has changed since is read by the vault's
 * change number. To open 10,000 takes 0.2 to 0.3 s, so that it begins with the note, before anybody types.
 */

interface Held {
  /** Of the change that the titles are as of. */
  seq: number
  titles: Map<string, KnownTitle>
  usedAt: number
  /** Loads and refreshes of one vault follow one another. */
  busy: Promise<unknown>
}

type Vault = Pick<UnlockedVault, 'id' | 'userId' | 'keys' | 'seq'>

const maxIdleMs = 10 * 60_000
/** Of all vaults together; some 300 bytes each. A single vault may have more. */
const maxTitles = 200_000

export function createNoteTitles({ db, now }: { db: { read: Reader }; now(): number }): NoteTitles {
  const held = new Map<string, Held>()
  async function read(vault: Vault): Promise<Iterable<KnownTitle>> {
    dropIdle(held, vault.id, now())
    const own = held.get(vault.id) ?? { seq: -1, titles: new Map(), usedAt: 0, busy: Promise.resolve() }
    // Last, as the one that was used last.
    held.delete(vault.id)
    held.set(vault.id, own)
    own.usedAt = now()
    const turn = own.busy.then(() => bringUpToDate(db.read, vault, own))
    own.busy = turn.catch(() => {})
    await turn
    return own.titles.values()
  }
  return {
    read,
    // What fails now fails again for whoever asks, who is told.
    prepare: (vault) => void read(vault).catch(() => {}),
    forget: (vaultId) => void held.delete(vaultId),
  }
}

/** What nobody has asked for lately, and the longest unused of what is too much. */
function dropIdle(held: Map<string, Held>, wanted: string, now: number): void {
  let total = 0
  for (const { titles } of held.values()) total += titles.size
  for (const [vaultId, { titles, usedAt }] of held) {
    if (vaultId === wanted || (total <= maxTitles && now - usedAt < maxIdleMs)) continue
    held.delete(vaultId)
    total -= titles.size
  }
}

async function bringUpToDate(db: Reader, vault: Vault, own: Held): Promise<void> {
  if (own.seq >= vault.seq) return
  if (own.seq < 0)
    for await (const notes of liveOutlines(db, vault)) {
      note(own, notes)
      await nextTurn()
    }
  else
    for await (const ids of changedNoteIds(db, vault, own.seq)) {
      const notes = await findOutlines(db, vault, ids)
      for (const id of ids) own.titles.delete(id)
      note(own, notes)
      await nextTurn()
    }
  own.seq = vault.seq
}

function note({ titles }: Held, notes: readonly NoteOutline[]): void {
  for (const { noteId, head, trashedAt, updatedAt } of notes)
    if (trashedAt === undefined) titles.set(noteId, { noteId, key: titleKey(head.title), tags: head.tags, updatedAt })
}
