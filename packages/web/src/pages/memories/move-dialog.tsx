import { Alert, Button, Modal, Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Scissors } from 'lucide-react'
import { useState } from 'react'
import { DialogButtons } from '../../components/feedback/dialog-buttons.tsx'
import type { OutputOf } from '../../api/call.ts'
import { call } from '../../api/call.ts'
import type { OperationName } from '../../api/operations.ts'
import { refresh, useAction, useOperation } from '../../api/queries.ts'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { countMemories, memoryReads } from '../../components/records/use-memory-actions.ts'
import { toast, toastError, toastUndo } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'

interface Props {
  vaultId: string
  ids: readonly string[]
  onClose: () => void
  onMoved: () => void
}

const refreshes: readonly OperationName[] = [
  ...memoryReads,
  'list-tasks',
  'count-tasks',
  'get-links',
  'read-graph',
  'list-runs',
]

/** Shows which links will be removed before anything is moved. */
export function MoveDialog({ vaultId, ids, onClose, onMoved }: Props) {
  const { own: vaults } = useVaults()
  const others = vaults.filter(({ id }) => id !== vaultId)
  const [targetVaultId, setTarget] = useState(others.length === 1 ? (others[0]?.id ?? '') : '')
  const client = useQueryClient()
  const input = { vaultId, ids: [...ids], targetVaultId }
  const plan = useOperation('move-memories', { ...input, dryRun: true }, { enabled: targetVaultId !== '' })
  const nameOfTarget = others.find(({ id }) => id === targetVaultId)?.name ?? ''
  const move = useAction('move-memories', {
    refreshes,
    onDone(moved) {
      const message = `${countMemories(moved.movedIds.length)} moved to “${nameOfTarget}”`
      if (cutsOf(moved).length > 0) toast(message)
      else toastUndo(message, () => void moveBack(moved.movedIds))
      onMoved()
    },
  })
  const moveBack = (movedIds: readonly string[]) =>
    call('move-memories', { vaultId: targetVaultId, targetVaultId: vaultId, ids: [...movedIds] })
      .then(() => toast('Moved back'), toastError)
      .finally(() => void refresh(client, refreshes))
  const isReady = plan.data !== undefined && plan.data.taken.length === 0 && plan.data.movedIds.length > 0
  return (
    <Modal opened onClose={onClose} title={`Move ${countMemories(ids.length)} to another vault`}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) move.mutate(input, { onError: (error) => toastError(error) })
        }}
      >
        <Stack>
          <Select
            label="Vault"
            placeholder="Choose a vault"
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={targetVaultId === '' ? null : targetVaultId}
            onChange={(value) => setTarget(value ?? '')}
            data-autofocus
          />
          {targetVaultId !== '' && <Loaded query={plan}>{(found) => <Plan plan={found} />}</Loaded>}
          <DialogButtons onCancel={onClose}>
            <Button type="submit" disabled={!isReady} loading={move.isPending}>
              Move
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Modal>
  )
}

type Move = OutputOf<'move-memories'>

const cutsOf = ({ cutLinks, cutSources }: Move): string[] => [
  ...(cutLinks === 0 ? [] : [`${countOf(cutLinks, 'link')} to records that stay`]),
  ...(cutSources === 0 ? [] : [`${countOf(cutSources, 'reference')} to source notes`]),
]

function Plan({ plan }: { plan: Move }) {
  if (plan.taken.length > 0)
    return (
      <Alert color="red" variant="light" role="alert">
        {plan.taken.length === 1 ? 'One of these memories' : `${plan.taken.length} of these memories`} can’t be moved:
        the vault already has a record with the same agent and external id. Deselect{' '}
        {plan.taken.length === 1 ? 'it' : 'them'} and try again.
      </Alert>
    )
  const cuts = cutsOf(plan)
  if (cuts.length === 0)
    return <Text c="dimmed">The history and the links between these memories are kept. No links are removed.</Text>
  return (
    <Alert color="yellow" variant="light" icon={<Scissors size={16} aria-hidden />} title="Some links will be removed">
      Links can’t connect two vaults, so these are removed: {cuts.join(' and ')}. The history and the links between
      these memories are kept.
    </Alert>
  )
}
