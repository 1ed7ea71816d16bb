import { useAction } from '../../api/queries.ts'
import { toastError, toastUndo } from '../../shell/toasts.tsx'

/** Accepts all future guesses of an agent, or stops accepting them. Both can be undone from their toast. */
export function useTrust(vaultId: string) {
  const { mutate } = useAction('trust-integration', { refreshes: ['list-review', 'read-overview'] })
  const trust = (integrationId: string, label: string, trusted: boolean): void =>
    mutate(
      { vaultId, integrationId, trusted },
      {
        onSuccess() {
          const message = trusted ? `Accepting all guesses from ${label}` : `Guesses from ${label} need review again`
          toastUndo(message, () => trust(integrationId, label, !trusted))
        },
        onError: (error) => toastError(error),
      },
    )
  return trust
}
