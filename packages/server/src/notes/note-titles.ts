import { setImmediate as nextTurn } from 'node:timers/promises'
import { titleKey } from '@holdfast/transfer/text/wiki-links'
import { createBest } from '../core/best-of.ts'
import type { Reader } from '../db/dialect.ts'
import type { KnownTitle, NoteTitles, UnlockedVault } from '../operation/context.ts'
import type { NoteOutline } from './note.ts'
import { changedNoteIds, liveOutlines } from './list-store.ts'
import { findIntactOutlines } from './store.ts'

/**
 * Completes titles while people type. Titles are encrypted in the database, so this keeps them decrypted in memory for the vaults
 * in use, and reads what changed since by the vault's sequence number. Opening 10,000 titles takes 0.2 to 0.3 s, so read-note starts
 * it before a person types.
 */

interface Held {
  /** The vault's sequence number that the titles include. */
  seq: number
  titles: Map<string, KnownTitle>
  usedAt: number
  /** Loads and refreshes of one vault run one after another. */
  busy: Promise<unknown>
}

type Vault = Pick<UnlockedVault, 'id' | 'userId' | 'keys' | 'seq'>

const maxIdleMs = 10 * 60_000
/** For all vaults together; about 300 bytes each. A single vault may have more. */
const maxTitles = 200_000

export function createNoteTitles({ db, now }: { db: { read: Reader }; now(): number }): NoteTitles {
  const held = new Map<string, Held>()
  async function read(vault: Vault): Promise<Iterable<KnownTitle>> {
    dropIdle(held, vault.id, now())
    const own = held.get(vault.id) ?? { seq: -1, titles: new Map(), usedAt: 0, busy: Promise.resolve() }
    // Moves the vault to the end of the map, which is in order of use.
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
    // If this fails, the next `read` reports it.
    prepare: (vault) => void read(vault).catch(() => {}),
    forget: (vaultId) => void held.delete(vaultId),
  }
}

/** Drops vaults that were not used for a while, and the least recently used ones above the limit. */
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
      addTitles(own, notes)
      await nextTurn()
    }
  else
    for await (const ids of changedNoteIds(db, vault, own.seq)) {
      const notes = await findIntactOutlines(db, vault, ids)
      for (const id of ids) own.titles.delete(id)
      addTitles(own, notes)
      await nextTurn()
    }
  own.seq = vault.seq
}

function addTitles({ titles }: Held, notes: readonly NoteOutline[]): void {
  for (const { noteId, head, trashedAt, updatedAt } of notes)
    if (trashedAt === undefined) titles.set(noteId, { noteId, key: titleKey(head.title), tags: head.tags, updatedAt })
}

interface Ranked extends KnownTitle {
  rank: number
}

/** The ids of the notes whose titles match what was typed, best first, and their number. Equal matches: the shorter title first, then the most recently changed note. */
export function rankTitles(
  titles: Iterable<KnownTitle>,
  typed: string,
  limit: number,
): { ids: string[]; total: number } {
  const byLength = (a: Ranked, b: Ranked) => (typed === '' ? 0 : a.key.length - b.key.length)
  const best = createBest<Ranked>(limit, (a, b) => a.rank - b.rank || byLength(a, b) || b.updatedAt - a.updatedAt)
  let total = 0
  for (const title of titles) {
    const rank = rankOf(title.key, typed)
    if (rank === undefined) continue
    total++
    best.offer({ ...title, rank })
  }
  return { ids: best.items.map(({ noteId }) => noteId), total }
}

const partOfWord = /[\p{L}\p{N}]/u
/** Checks at most this many places in one title, because a title of 500 equal letters has 500. */
const maxPlaces = 8

/** 0: at the beginning of the title; 1: at the beginning of a word; 2: within a word. Undefined: not in the title. */
function rankOf(key: string, typed: string): number | undefined {
  const first = key.indexOf(typed)
  if (first <= 0) return first === 0 ? 0 : undefined
  let at = first
  for (let place = 0; at > 0 && place < maxPlaces; place++) {
    if (!partOfWord.test(key[at - 1] ?? '')) return 1
    at = key.indexOf(typed, at + 1)
  }
  return 2
}
