import type { ImportReport } from '@holdfast/transfer/run-import'
import type { Source } from '@holdfast/transfer/source'
import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../shell/session.ts'

/** The state of this tab's import. Kept outside the page component, so the import continues while other pages are open. */
export type ImportState =
  | { step: 'choose'; problem?: string | undefined }
  | { step: 'reading'; name: string; done: number }
  | { step: 'preview'; vaultId: string; source: Source; isDocument: boolean; report: ImportReport }
  | { step: 'running'; name: string; vaultId: string; importId: string; done: number; total: number }
  | { step: 'done'; vaultId: string; report: ImportReport; problem?: Problem | undefined }

/** Why the import stopped early. `isUndone`: it was undone while it ran, so it can't continue. */
interface Problem {
  text: string
  isUndone: boolean
}

let state: ImportState = { step: 'choose' }
let stopping = new AbortController()
const listeners = new Set<() => void>()

export function setImportState(next: ImportState): void {
  state = next
  for (const listener of listeners) listener()
}

/** Starts an import that can be stopped. After the person signs out, `show` and `keep` do nothing. */
export function beginWork() {
  stopping = new AbortController()
  const { signal } = stopping
  const isSignedIn = () => signal.reason !== sessionEnded
  return {
    signal,
    show: (next: ImportState): void => void (isSignedIn() && setImportState(next)),
    keep: (one: Interrupted | undefined): void => void (isSignedIn() && keepInterrupted(one)),
  }
}

export const stopImport = () => stopping.abort(new Error('You stopped the import.'))

const sessionEnded = new Error('The session has ended.')

onSessionEnd(() => {
  stopping.abort(sessionEnded)
  setImportState({ step: 'choose' })
})

export const importState = () => state

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useImportState = () => useSyncExternalStore(subscribe, importState)

/** An import that was running when the page was closed. Forgotten when the tab is closed. */
export interface Interrupted {
  vaultId: string
  importId: string
  name: string
  done: number
}

const storageKey = 'holdfast-import'

export function keepInterrupted(one: Interrupted | undefined): void {
  try {
    if (one === undefined) sessionStorage.removeItem(storageKey)
    else sessionStorage.setItem(storageKey, JSON.stringify(one))
  } catch {
    // Without storage, an interrupted import starts over. Records already imported are recognized.
  }
}

export function readInterrupted(): Interrupted | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
