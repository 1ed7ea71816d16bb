import { modals } from '@mantine/modals'
import { notifications } from '@mantine/notifications'
import { spotlight } from '@mantine/spotlight'
import type { QueryClient } from '@tanstack/react-query'
import { isSignedOut } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { keyOf, useOperation } from '../api/queries.ts'
import { setPreferences } from './preferences.ts'

export const useSession = () => useOperation('session', {})

/** Whose pages this tab shows, or showed last. */
let shownUser: string | undefined

export const isSomebodyElse = (userId: string): boolean => shownUser !== undefined && shownUser !== userId

/** Where somebody who has no session is to go; undefined for those who have one. */
export async function findDoor(client: QueryClient): Promise<'/setup' | '/login' | undefined> {
  const key = keyOf('session', {})
  const known = client.getQueryData<{ user: { userId: string } }>(key)
  if (known !== undefined) {
    shownUser ??= known.user.userId
    return undefined
  }
  try {
    const answer = await call('session', {})
    welcome(client, answer.user.userId)
    client.setQueryData(key, answer)
    return undefined
  } catch (error) {
    if (!isSignedOut(error)) throw error
    forget(client)
    const { needed } = await call('get-setup', {})
    return needed ? '/setup' : '/login'
  }
}

/** Somebody is signed in: nothing that another saw or wrote in this tab may be left. */
export function welcome(client: QueryClient, userId: string): void {
  if (isSomebodyElse(userId)) {
    forget(client)
    dropTexts()
  }
  shownUser = userId
}

/** Ends the session and keeps nothing of what was seen. Also where the server is away: then the cookie alone stays. */
export async function signOut(client: QueryClient): Promise<void> {
  for (const keeper of keepers) await keeper.save?.()
  try {
    await call('logout', {})
  } finally {
    forget(client)
    dropTexts()
    tellTabs(null)
  }
}

/** What holds texts that the server may not have yet. They go when somebody means to leave, not where a session merely ends. */
interface TextKeeper {
  /** Resolves once all is saved that can be. */
  save?(): Promise<unknown>
  /** That there is something which only its writer can save. */
  isUnsaved?(): boolean
  drop?(): void
}

const keepers = new Set<TextKeeper>()

/** Until what it returns is called. */
export function addTextKeeper(keeper: TextKeeper): () => void {
  keepers.add(keeper)
  return () => void keepers.delete(keeper)
}

export const hasUnsavedText = (): boolean => Array.from(keepers).some(({ isUnsaved }) => isUnsaved?.() === true)

export function dropTexts(): void {
  for (const { drop } of keepers) drop?.()
}

const endings = new Set<() => void>()

/** For work that goes on beneath the pages, which has to end with the session that it began in. */
export const onSessionEnd = (end: () => void): void => void endings.add(end)

/** All that this browser holds of an account, but for texts that are not saved. */
export function forget(client: QueryClient): void {
  for (const end of endings) end()
  client.clear()
  sessionStorage.clear()
  setPreferences({ vaultId: undefined })
  modals.closeAll()
  notifications.clean()
  spotlight.close()
}

let tabs: BroadcastChannel | undefined

/** What other tabs of this browser tell, as long as this one is open. */
export function listenToTabs(onTold: (userId: string | null) => void): void {
  tabs = new BroadcastChannel('holdfast-account')
  tabs.addEventListener('message', ({ data }: MessageEvent<string | null>) => onTold(data))
}

/** Tells them who is signed in from now on: an id alone, or null for nobody. */
export function tellTabs(userId: string | null): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has one origin and takes no other argument
  tabs?.postMessage(userId)
}
