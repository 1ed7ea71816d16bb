import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { preferences, setPreferences, type RecentRecord } from './preferences.ts'
import { useVaults } from './vault.ts'

/** What a person opened last in each vault. Only ids are kept; titles come from the server. */

const maxRecent = 6
const address = /^\/(memories|tasks|notes)\/([\da-f-]{36})$/

/** Remembers the record in the address. */
export function useRememberRecord(): void {
  const { vault } = useVaults()
  const pathname = useLocation({ select: (location) => location.pathname })
  const vaultId = vault?.id
  useEffect(() => {
    const [, list, id] = address.exec(pathname) ?? []
    if (vaultId === undefined || list === undefined || id === undefined) return
    const { recent } = preferences()
    const known = recent[vaultId] ?? []
    if (known[0]?.id === id) return
    const opened: RecentRecord = { list: list as RecentRecord['list'], id }
    const kept = [opened, ...known.filter((one) => one.id !== id)].slice(0, maxRecent)
    setPreferences({ recent: { ...recent, [vaultId]: kept } })
  }, [vaultId, pathname])
}
