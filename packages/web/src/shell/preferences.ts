import { useSyncExternalStore } from 'react'

/** What this browser remembers between visits: nothing that was stored, only how the pages look and behave. */
export interface Preferences {
  contrast: 'normal' | 'high'
  /** Single-key shortcuts; those with Ctrl or Cmd always work. */
  shortcuts: boolean
  railCollapsed: boolean
  /** The one chosen last; another tab may look at another. */
  vaultId: string | undefined
}

const storageKey = 'holdfast-preferences'
const defaults: Preferences = { contrast: 'normal', shortcuts: true, railCollapsed: false, vaultId: undefined }
const listeners = new Set<() => void>()
let current = read()

function read(): Preferences {
  try {
    return { ...defaults, ...(JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<Preferences>) }
  } catch {
    // Storage that is switched off or spoilt must not keep anybody out.
    return defaults
  }
}

export const preferences = () => current

export function setPreferences(changes: Partial<Preferences>): void {
  current = { ...current, ...changes }
  try {
    localStorage.setItem(storageKey, JSON.stringify(current))
  } catch {
    // Then it holds until the page is closed.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

globalThis.addEventListener?.('storage', ({ key }) => {
  if (key !== storageKey) return
  // A tab keeps its vault: another one in its place would take away what somebody is writing here.
  current = { ...read(), vaultId: current.vaultId }
  for (const listener of listeners) listener()
})

export const usePreferences = () => useSyncExternalStore(subscribe, preferences)
