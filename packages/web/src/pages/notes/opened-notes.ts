import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../shell/session.ts'

/** The notes that were opened here, by vault. Only their ids are stored. */

const maxRecent = 15
const maxTabs = 8

type Ids = readonly string[]

/** Lists of ids in one of the browser's storages. */
class StoredIds {
  readonly #storage: () => Storage
  readonly #key: string
  readonly #listeners = new Set<() => void>()
  #lists: Readonly<Record<string, Ids>> = {}

  constructor(storage: () => Storage, key: string) {
    this.#storage = storage
    this.#key = key
    this.read()
  }

  read(): void {
    try {
      this.#lists = JSON.parse(this.#storage().getItem(this.#key) ?? '{}') as Record<string, Ids>
    } catch {
      // Storage may be disabled or damaged.
      this.#lists = {}
    }
    this.#notify()
  }

  of = (vaultId: string): Ids => this.#lists[vaultId] ?? none

  set(vaultId: string, ids: Ids): void {
    this.#lists = { ...this.#lists, [vaultId]: ids }
    try {
      this.#storage().setItem(this.#key, JSON.stringify(this.#lists))
    } catch {
      // Without storage, the list lasts until the page is closed.
    }
    this.#notify()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #notify(): void {
    for (const listener of this.#listeners) listener()
  }
}

const none: Ids = []
const recent = new StoredIds(() => localStorage, 'holdfast-recent-notes')
const tabs = new StoredIds(() => sessionStorage, 'holdfast-note-tabs')
// Signing out clears the storage of the tab.
onSessionEnd(() => queueMicrotask(() => tabs.read()))

const useIds = (ids: StoredIds, vaultId: string): Ids => useSyncExternalStore(ids.subscribe, () => ids.of(vaultId))

/** The last opened first. */
export const useRecentNotes = (vaultId: string): Ids => useIds(recent, vaultId)
/** In the order in which they were opened. */
export const useNoteTabs = (vaultId: string): Ids => useIds(tabs, vaultId)

export function rememberOpened(vaultId: string, id: string): void {
  const known = recent.of(vaultId)
  if (known[0] !== id) recent.set(vaultId, [id, ...known.filter((one) => one !== id)].slice(0, maxRecent))
  const open = tabs.of(vaultId)
  if (!open.includes(id)) tabs.set(vaultId, [...open, id].slice(-maxTabs))
}

/** Closes a tab. Returns the note to show if it was the open one: the tab that takes its place. */
export function closeTab(vaultId: string, id: string): string | undefined {
  const open = tabs.of(vaultId)
  const left = open.filter((one) => one !== id)
  tabs.set(vaultId, left)
  return left[Math.min(open.indexOf(id), left.length - 1)]
}

/** For a note that no longer exists. */
export function forgetNote(vaultId: string, id: string): void {
  recent.set(
    vaultId,
    recent.of(vaultId).filter((one) => one !== id),
  )
  tabs.set(
    vaultId,
    tabs.of(vaultId).filter((one) => one !== id),
  )
}
