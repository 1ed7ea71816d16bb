import { createSpotlight } from '@mantine/spotlight'
import { useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'

/**
 * The parts of the frame that aren't visible at first: dialogs, menus, toasts, the palette. They are a quarter of the frame's code, so they
 * load once the first page is on screen, or at once if a person asks for one of them.
 */
type Parts = typeof import('./parts.ts')

const retryMs = 5_000

/** The palette's state, which exists before the palette has loaded. */
export const [paletteStore, palette] = createSpotlight()

let parts: Parts | undefined
let failure: Error | undefined
let loading: Promise<void> | undefined
let isAsked = false
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}

/** Undefined until the parts have loaded. */
export const useParts = () => useSyncExternalStore(subscribe, () => parts)

/** Why a part that a person asked for couldn't be loaded. */
export const usePartsFailure = () => useSyncExternalStore(subscribe, () => failure)

/** While a person waits for a part, their keys are meant for it. */
export const isPartAwaited = (): boolean => isAsked && parts === undefined

/**
 * The styles of the components that the first page doesn't have. Whoever loads such components calls this first, because the browser
 * applies style sheets in the order in which they were asked for, and pages override these.
 */
export const loadMoreStyles = () => import('./more-styles.css')

export function loadParts(): Promise<void> {
  loading ??= Promise.all([loadMoreStyles(), import('./parts.ts')])
    .then(([, loaded]) => showParts(loaded))
    .catch((error: unknown) => {
      loading = undefined
      if (isAsked) {
        failure = error instanceof Error ? error : new Error(String(error))
        notify()
      } else setTimeout(() => void loadParts(), retryMs)
    })
  return loading
}

/** Resolves once dialogs and toasts can be shown. */
export function askForParts(): Promise<void> {
  isAsked = true
  return loadParts()
}

function showParts(loaded: Parts): void {
  parts = loaded
  const focused = document.activeElement?.getAttribute('data-opens') ?? undefined
  flushSync(notify)
  // A button with its menu replaces the one without.
  if (focused !== undefined) document.querySelector<HTMLElement>(`[data-opens="${focused}"]`)?.focus()
}

export function openPalette(): void {
  void askForParts()
  palette.open()
}
