import { useSyncExternalStore } from 'react'

export type ListName = 'memories' | 'tasks'

/** A named filter of a list, as in the URL. */
export interface SavedView {
  list: ListName
  name: string
  search: Readonly<Record<string, unknown>>
}

/** Settings of this browser: how the pages look and behave. No vault content except what a person types into a filter that they save. */
export interface Preferences {
  contrast: 'normal' | 'high'
  /** Single-key shortcuts; those with Ctrl or Cmd always work. */
  shortcuts: boolean
  /** The panes whose width the person changed, or that they closed, by name. */
  panes: Readonly<Record<string, PaneSize>>
  /** The height of rows in lists. */
  density: 'comfortable' | 'compact'
  /** The columns of each list that a person has chosen columns for. */
  columns: Partial<Record<ListName, readonly string[]>>
  /** The filters that a person has named, by vault. They stay until the person deletes them. */
  views: Partial<Record<string, readonly SavedView[]>>
  /** The records that a person opened last, by vault, the latest first. Signing out removes them. */
  recent: Partial<Record<string, readonly RecentRecord[]>>
  /** The vault chosen last. Another tab may show another vault. */
  vaultId: string | undefined
}

export interface RecentRecord {
  list: 'memories' | 'tasks' | 'notes'
  id: string
}

export interface PaneSize {
  widthPx?: number
  isClosed?: boolean
}

const storageKey = 'holdfast-preferences'
const defaults: Preferences = {
  contrast: 'normal',
  shortcuts: true,
  panes: {},
  density: 'comfortable',
  columns: {},
  views: {},
  recent: {},
  vaultId: undefined,
}
const listeners = new Set<() => void>()
let current = read()

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Preferences>) }
  } catch {
    // Storage may be disabled or damaged. The dashboard must still work.
    return defaults
  }
}

export const preferences = () => current

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes }
  try {
    localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Without storage, the change lasts until the page is closed.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

globalThis.addEventListener?.('storage', ({ key }) => {
  if (key !== storageKey) return
  // A tab keeps its own vault: switching it could discard text that is being written.
  current = { ...read(), vaultId: current.vaultId }
  for (const listener of listeners) listener()
})

/** One setting. Only its changes render the component again: the records that were opened last change all the time. */
export const usePreference = <Name extends keyof Preferences>(name: Name): Preferences[Name] =>
  useSyncExternalStore(subscribe, () => current[name])
