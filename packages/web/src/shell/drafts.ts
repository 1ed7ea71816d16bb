import { useSyncExternalStore } from 'react'
import { addTextKeeper } from './session.ts'

/**
 * Texts that a person has typed and not sent: comments and replies, by record, and the values of forms. They survive a reload and a look at
 * another record. Saving and signing out remove them. If the session expires, they stay in memory until the same person signs in again;
 * the session drops them if it is someone else, also after a reload.
 */

const prefix = 'holdfast-draft '
const texts = new Map<string, string>()
const listeners = new Set<() => void>()

try {
  for (const key of Object.keys(sessionStorage))
    if (key.startsWith(prefix)) texts.set(key.slice(prefix.length), sessionStorage.getItem(key) ?? '')
} catch {
  // A browser that blocks storage throws already when it is looked at, which must not keep the page from loading.
}

/** False while the browser stores nothing, because storage is blocked or full: a reload would lose the drafts. */
let isStored = true

export function setDraft(key: string, text: string): void {
  if (text === '') texts.delete(key)
  else texts.set(key, text)
  try {
    if (text === '') sessionStorage.removeItem(prefix + key)
    else sessionStorage.setItem(prefix + key, text)
    isStored = true
  } catch {
    isStored = false
  }
  for (const listener of listeners) listener()
}

globalThis.addEventListener('beforeunload', (event) => {
  if (!isStored && texts.size > 0) event.preventDefault()
})

addTextKeeper({
  isUnsaved: () => texts.size > 0,
  drop() {
    for (const key of texts.keys()) setDraft(key, '')
  },
})

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Without following its changes. */
export const getDraft = (key: string): string => texts.get(key) ?? ''

/** The text being typed for a record. `key` names the record and what is written about it. */
export function useDraft(key: string): [text: string, setText: (text: string) => void] {
  const text = useSyncExternalStore(subscribe, () => getDraft(key))
  return [text, (next) => setDraft(key, next)]
}
