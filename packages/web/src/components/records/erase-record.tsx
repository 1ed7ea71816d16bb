import { Checkbox, Text } from '@mantine/core'
import { useState } from 'react'
import type { OperationName } from '../../api/operations.ts'
import { useAction, usePage } from '../../api/queries.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { ConfirmByName } from '../feedback/confirm-by-name.tsx'
import { ErrorNotice } from '../feedback/loaded.tsx'
import { Moment } from '../text/moment.tsx'
import { countOf } from '../text/time-text.ts'

interface Props {
  vaultId: string
  id: string
  what: 'memory' | 'task'
  isOpen: boolean
  onClose: () => void
  /** Queries that the deletion makes stale. */
  refreshes: readonly OperationName[]
  onGone: () => void
}

/** Enough to see what the turns are about. */
const shownTurns = 3

/** Deletes an archived memory or task permanently, and the turns it was found in unless the person wants to keep them. */
export function EraseRecord({ vaultId, id, what, isOpen, onClose, refreshes, onGone }: Props) {
  const [isWithTurns, setWithTurns] = useState(true)
  const turns = usePage('list-run-turns', { vaultId, memoryId: id, limit: shownTurns }, { enabled: isOpen })
  const total = turns.data?.total ?? 0
  const erase = useAction('erase-memory', {
    refreshes: [...refreshes, 'list-run-turns'],
    onDone({ deletedTurnIds: { length } }) {
      toast(length === 0 ? 'Deleted permanently' : `Deleted permanently, with ${countOf(length, 'turn')}`)
      onClose()
      onGone()
    },
  })
  return (
    <ConfirmByName
      isOpen={isOpen}
      onClose={onClose}
      name="delete"
      title={`Delete this ${what} permanently?`}
      body="This also deletes its links. Only a backup can bring it back. While it is archived, agents can’t find it, but you can still read it here."
      confirmLabel="Delete permanently"
      isBusy={erase.isPending || turns.isLoading || turns.isPlaceholderData}
      onConfirm={() =>
        // Only what the dialog shows is deleted.
        erase.mutate({ vaultId, id, withTurns: total > 0 && isWithTurns }, { onError: (error) => toastError(error) })
      }
    >
      {turns.error !== null && (
        <ErrorNotice error={turns.error} retry={() => void turns.refetch()} isBusy={turns.isFetching} />
      )}
      {total > 0 && (
        <>
          <Checkbox
            checked={isWithTurns}
            onChange={({ currentTarget }) => setWithTurns(currentTarget.checked)}
            label={`Also delete ${total === 1 ? 'the turn' : `the ${countOf(total, 'turn')}`} of a conversation it was found in`}
            description="Otherwise its words stay there. Other memories from the conversation stay."
          />
          {turns.data?.turns.map(({ turnId, content, occurredAt }) => (
            <Text key={turnId} size="sm" c="dimmed" lineClamp={2} dir="auto">
              <Moment at={occurredAt} />: {content}
            </Text>
          ))}
        </>
      )}
    </ConfirmByName>
  )
}
