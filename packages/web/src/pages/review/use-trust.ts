import { useAction } from '../../api/queries.ts'
import { toastError, toastUndo } from '../../shell/toasts.tsx'

/** Whether the guesses of an agent are accepted from now on, or wait; either can be taken back from the note that tells of it. */
export function useTrust(vaultId: string) {
  const { mutate } = useAction('trust-integration', { refreshes: ['browse-review', 'read-overview'] })
  const trust = (integrationId: string, label: string, trusted: boolean): void =>
    mutate(
      { vaultId, integrationId, trusted },
      {
        onSuccess() {
          const told = trusted
            ? `What ${label} guesses is accepted from now on`
            : `What ${label} guesses waits here again`
          toastUndo(told, () => trust(integrationId, label, !trusted))
        },
        onError: (error) => toastError(error),
      },
    )
  return trust
}
