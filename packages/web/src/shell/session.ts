import type { QueryClient } from '@tanstack/react-query'
import { isSignedOut } from '../api/call-error.ts'
import { call } from '../api/call.ts'
import { keyOf, useOperation } from '../api/queries.ts'
import { setPreferences } from './preferences.ts'

export const useSession = () => useOperation('session', {})

/** Where somebody who has no session is to go; undefined for those who have one. */
export async function findDoor(client: QueryClient): Promise<'/setup' | '/login' | undefined> {
  const key = keyOf('session', {})
  if (client.getQueryData(key) !== undefined) return undefined
  try {
    client.setQueryData(key, await call('session', {}))
    return undefined
  } catch (error) {
    if (!isSignedOut(error)) throw error
    const { needed } = await call('get-setup', {})
    return needed ? '/setup' : '/login'
  }
}

/** Ends the session and keeps nothing of what was seen. Also where the server is away: then the cookie alone stays. */
export async function signOut(client: QueryClient): Promise<void> {
  for (const keeper of keepers) await keeper.save()
  try {
    await call('logout', {})
  } finally {
    forget(client)
    for (const keeper of keepers) keeper.drop()
  }
}

/** What holds texts that the server may not have yet. They go when somebody means to leave, not where a session merely ends. */
interface TextKeeper {
  /** Resolves once all is saved that can be. */
  save(): Promise<unknown>
  drop(): void
}

const keepers = new Set<TextKeeper>()

export const addTextKeeper = (keeper: TextKeeper) => void keepers.add(keeper)

export function forget(client: QueryClient): void {
  client.clear()
  sessionStorage.clear()
  setPreferences({ vaultId: undefined })
}
