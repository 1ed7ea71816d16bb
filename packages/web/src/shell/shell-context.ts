import { createContext, use } from 'react'

interface ShellActions {
  showShortcuts(): void
  /** Signs out. */
  leave(): void
}

export const ShellContext = createContext<ShellActions | undefined>(undefined)

export function useShell(): ShellActions {
  const actions = use(ShellContext)
  if (actions === undefined) throw new Error('useShell needs a Shell around it')
  return actions
}
