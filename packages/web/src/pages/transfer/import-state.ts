import type { ImportReport } from '@holdfast/transfer/run-import'
import type { Source } from '@holdfast/transfer/source'
import { useSyncExternalStore } from 'react'
import { onSessionEnd } from '../../shell/session.ts'

/** Where the one import of this browser tab stands. It lies outside of the page, so that it goes on while others are looked at. */
export type ImportState =
  | { step: 'choose'; problem?: string | undefined }
  | { step: 'looking'; name: string; done: number }
  | { step: 'looked'; vaultId: string; source: Source; isDocument: boolean; report: ImportReport }
  | { step: 'running'; name: string; vaultId: string; importId: string; done: number; total: number }
  | { step: 'done'; vaultId: string; report: ImportReport; problem?: Problem | undefined }

/** What ended it early. `isTakenBack`: somebody took it back meanwhile, so that it does not go on. */
interface Problem {
  text: string
  isTakenBack: boolean
}

let state: ImportState = { step: 'choose' }
let stopping = new AbortController()
const listeners = new Set<() => void>()

export function setImportState(next: ImportState): void {
  state = next
  for (const listener of listeners) listener()
}

/** What is under way stops at its signal. It tells where it stands through `show` and `keep`, until somebody leaves: then nobody is told. */
export function beginWork() {
  stopping = new AbortController()
  const { signal } = stopping
  const isTheirs = () => signal.reason !== sessionEnded
  return {
    signal,
    show: (next: ImportState): void => void (isTheirs() && setImportState(next)),
    keep: (one: Interrupted | undefined): void => void (isTheirs() && keepInterrupted(one)),
  }
}

export const stopImport = () => stopping.abort(new Error('You have stopped it.'))

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

/** What was under way when the page was left. It ends with the tab. */
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
    // Without storage an import begins anew: what is there stays all the same.
  }
}

export function readInterrupted(): Interrupted | undefined {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') ?? undefined
  } catch {
    return undefined
  }
}
