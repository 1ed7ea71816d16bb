import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { isPartAwaited } from './later.ts'
import { preferences } from './preferences.ts'

/**
 * Keys without a modifier, one or two in a row (`c`, `g a`). They do nothing in text fields or while a dialog is open, and
 * can be turned off (WCAG 2.1.4), since voice input and tremor can trigger them.
 */
export interface Shortcut {
  keys: string
  label: string
  group: string
  run(): void
}

const sequencePauseMs = 1_200

let bound: readonly Shortcut[] = []
let firstKey: { key: string; at: number } | undefined
const listeners = new Set<() => void>()

function setBound(next: readonly Shortcut[]): void {
  bound = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useShortcuts = () => useSyncExternalStore(subscribe, () => bound)

/** Binds a shortcut while the component is mounted. Does nothing if `keys` is undefined. */
export function useShortcut(keys: string | undefined, label: string, run: () => void, group = 'On this page'): void {
  const onKeys = useEffectEvent(run)
  useEffect(() => {
    if (keys === undefined) return undefined
    const shortcut: Shortcut = { keys, label, group, run: () => onKeys() }
    setBound([...bound, shortcut])
    return () => setBound(bound.filter((one) => one !== shortcut))
  }, [keys, label, group])
}

/** Listens to the keyboard. Returns a function that stops listening. */
export function listenToShortcuts(): () => void {
  document.addEventListener('keydown', onKeyDown)
  return () => document.removeEventListener('keydown', onKeyDown)
}

function onKeyDown(event: KeyboardEvent): void {
  if (submitsForm(event)) return
  if (!isForShortcuts(event)) return
  const isSecond = firstKey !== undefined && event.timeStamp - firstKey.at < sequencePauseMs
  const keys = isSecond ? `${firstKey?.key} ${event.key}` : event.key
  firstKey = undefined
  // The page's shortcuts, which were bound last, take precedence over the shell's.
  const found = bound.findLast((shortcut) => shortcut.keys === keys)
  if (found !== undefined) {
    event.preventDefault()
    found.run()
  } else if (bound.some((shortcut) => shortcut.keys.startsWith(`${event.key} `)))
    firstKey = { key: event.key, at: event.timeStamp }
}

/** Ctrl+Enter, or ⌘ Enter, in any field saves or sends its form, as its button does. */
function submitsForm({ target, key, ctrlKey, metaKey, defaultPrevented, isComposing, repeat }: KeyboardEvent): boolean {
  if (key !== 'Enter' || !(isApple ? metaKey : ctrlKey) || defaultPrevented || isComposing || repeat) return false
  const form = target instanceof HTMLElement ? target.closest('form') : null
  const button = form?.querySelector<HTMLButtonElement>('button[type=submit]:enabled')
  button?.click()
  return button !== undefined && button !== null
}

function isForShortcuts({ target, ctrlKey, metaKey, altKey, defaultPrevented, isComposing }: KeyboardEvent): boolean {
  if (!preferences().shortcuts || ctrlKey || metaKey || altKey || defaultPrevented || isComposing) return false
  if (isPartAwaited() || isLayerOpen()) return false
  return !(target instanceof HTMLElement && (target.isContentEditable || target.matches(textFields)))
}

/** Elements that accept text. */
const textFields = 'input:not([type=checkbox], [type=radio], [type=button], [type=file]), textarea, select'

/** Checks visibility, since a closed listbox may stay in the document. */
const isLayerOpen = () =>
  [...document.querySelectorAll('[role="dialog"], [role="menu"], [role="listbox"]')].some((layer) =>
    layer.checkVisibility(),
  )

/** Whether to show Apple's modifier keys. */
export const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)
export const commandKey = isApple ? '⌘' : 'Ctrl'
