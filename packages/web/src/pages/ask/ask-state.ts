import { useSyncExternalStore } from 'react'
import { ask, type AskAnswer, type AskSource } from '../../api/ask.ts'
import { onSessionEnd } from '../../shell/session.ts'

/** A question and what is known of its answer. */
export interface Exchange {
  id: number
  vaultId: string
  question: string
  /** What the model has written so far. */
  text: string
  sources: readonly AskSource[]
  /** Undefined while the answer arrives. */
  answer: AskAnswer | undefined
  error: Error | undefined
}

/**
 * The questions of this tab, newest first. Kept in memory only, so that answers stay while other pages are open and are gone with the
 * tab or the session. Not in the address, which proxies log.
 */
let exchanges: readonly Exchange[] = []
let asking: AbortController | undefined
let count = 0
const listeners = new Set<() => void>()
const maxKept = 20

function setExchanges(next: readonly Exchange[]): void {
  exchanges = next.slice(0, maxKept)
  for (const listener of listeners) listener()
}

const change = (id: number, patch: Partial<Exchange>) =>
  setExchanges(exchanges.map((one) => (one.id === id ? { ...one, ...patch } : one)))

/** Asks, unless a question is still being answered. */
export async function askQuestion(vaultId: string, question: string): Promise<void> {
  if (asking !== undefined) return
  const current = new AbortController()
  asking = current
  const id = ++count
  setExchanges([{ id, vaultId, question, text: '', sources: [], answer: undefined, error: undefined }, ...exchanges])
  let text = ''
  try {
    const answer = await ask(
      { vaultId, question },
      (part) => {
        text += part.text ?? ''
        change(id, { text, ...(part.sources && { sources: part.sources }) })
      },
      current.signal,
    )
    change(id, { answer, sources: answer.sources })
  } catch (error) {
    if (current.signal.aborted) setExchanges(exchanges.filter((one) => one.id !== id))
    else change(id, { error: error instanceof Error ? error : new Error(String(error)) })
  } finally {
    if (asking === current) asking = undefined
    setExchanges(exchanges)
  }
}

/** Removes the question that is being answered. */
export const stopAsking = (): void => asking?.abort()

onSessionEnd(() => {
  stopAsking()
  asking = undefined
  setExchanges([])
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useExchanges = (): readonly Exchange[] => useSyncExternalStore(subscribe, () => exchanges)
