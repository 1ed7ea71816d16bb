import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import type { QueryClient } from '@tanstack/react-query'
import { isSignedOut, isTransient } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { keepSessionKey } from '../api/session-key.ts'
import { keyOf, useOperation } from '../api/queries.ts'
import { palette } from './later.ts'
import { setPreferences } from './preferences.ts'

export const useSession = () => useOperation('read-session', {})

const shownUserKey = 'holdfast-shown-user'

/** The user whose pages this tab shows, or showed last. Kept over reloads, as what they wrote is. */
let shownUser = readShownUser()

function readShownUser(): string | undefined {
  try {
    return sessionStorage.getItem(shownUserKey) ?? undefined
  } catch {
    // A browser that stores nothing keeps no one's text over a reload.
    return undefined
  }
}

function showUser(userId: string): void {
  shownUser = userId
  try {
    sessionStorage.setItem(shownUserKey, userId)
  } catch {
    // As above.
  }
}

export const isOtherUser = (userId: string): boolean => shownUser !== undefined && shownUser !== userId

/** The page to go to without a session; undefined with one. */
export async function findSignInPage(client: QueryClient): Promise<'/setup' | '/login' | undefined> {
  const key = keyOf('read-session', {})
  const known = client.getQueryData<{ user: { userId: string } }>(key)
  if (known !== undefined) {
    if (shownUser === undefined) showUser(known.user.userId)
    return undefined
  }
  try {
    const answer = await call('read-session', {})
    welcome(client, answer.user.userId)
    client.setQueryData(key, answer)
    return undefined
  } catch (error) {
    // The frame stays, so a person can go elsewhere or try again. Each page says what failed.
    if (isTransient(error)) return undefined
    if (!isSignedOut(error)) throw error
    forget(client)
    const { needed } = await call('get-setup', {})
    return needed ? '/setup' : '/login'
  }
}

/** After a sign-in: removes everything that another user saw or wrote in this tab. */
export function welcome(client: QueryClient, userId: string): void {
  if (isOtherUser(userId)) {
    forget(client)
    dropTexts()
  }
  showUser(userId)
}

/** Ends the session and removes all its data from this browser. If the server can't be reached, only the cookie stays. */
export async function signOut(client: QueryClient): Promise<void> {
  for (const keeper of keepers) await keeper.save?.()
  try {
    await call('log-out', {})
  } finally {
    keepSessionKey(undefined)
    forget(client)
    dropTexts()
    notifyTabs(null)
  }
}

export interface UnsavedText {
  id: string
  title: string
  text: string
}

/** Holds text that may not be saved yet. It is dropped on signing out, but kept when a session expires. */
interface TextKeeper {
  /** Resolves once everything that can be saved is saved. */
  save?(): Promise<unknown>
  /** Whether there is text that only the writer can save. */
  isUnsaved?(): boolean
  /** The texts of a vault that aren't saved. Their pages are gone if the vault is. */
  list?(vaultId: string): readonly UnsavedText[]
  drop?(): void
}

const keepers = new Set<TextKeeper>()

/** Returns a function that removes the keeper. */
export function addTextKeeper(keeper: TextKeeper): () => void {
  keepers.add(keeper)
  return () => void keepers.delete(keeper)
}

export const hasUnsavedText = (): boolean => Array.from(keepers).some(({ isUnsaved }) => isUnsaved?.() === true)

export const listUnsavedTexts = (vaultId: string): readonly UnsavedText[] =>
  Array.from(keepers).flatMap(({ list }) => list?.(vaultId) ?? [])

export function dropTexts(): void {
  for (const { drop } of keepers) drop?.()
}

const endings = new Set<() => void>()

/** Registers background work of this tab that must end with the session. */
export const onSessionEnd = (end: () => void): void => void endings.add(end)

/** Removes everything that this browser holds of an account, except unsaved text. */
export function forget(client: QueryClient): void {
  for (const end of endings) end()
  client.clear()
  sessionStorage.clear()
  setPreferences({ vaultId: undefined, recent: {} })
  modals.closeAll()
  notifications.clean()
  palette.close()
}

let tabs: BroadcastChannel | undefined

/** Calls `onChange` when another tab of this browser signs in or out. */
export function listenToTabs(onChange: (userId: string | null) => void): void {
  tabs = new BroadcastChannel('holdfast-account')
  tabs.addEventListener('message', ({ data }: MessageEvent<string | null>) => onChange(data))
}

/** Sends the id of the user who is now signed in to the other tabs; null after signing out. */
export function notifyTabs(userId: string | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes no other argument
  tabs?.postMessage(userId)
}
