import { Alert, Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Scissors } from 'lucide-react'
import { useState } from 'react'
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

/** Says what is cut before anything is moved. */
export function MoveDialog({ vaultId, ids, onClose, onMoved }: Props) {
  const { vaults } = useVaults()
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
            placeholder="Where they go"
            data={others.map(({ id, name }) => ({ value: id, label: name }))}
            value={targetVaultId === '' ? null : targetVaultId}
            onChange={(value) => setTarget(value ?? '')}
            data-autofocus
          />
          {targetVaultId !== '' && <Loaded query={plan}>{(found) => <Plan plan={found} />}</Loaded>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" disabled={!isReady} loading={move.isPending}>
              Move
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

type Move = OutputOf<'move-memories'>

const cutsOf = ({ cutLinks, cutSources }: Move): string[] => [
  ...(cutLinks === 0 ? [] : [`${countOf(cutLinks, 'link')} to what stays`]),
  ...(cutSources === 0 ? [] : [`${countOf(cutSources, 'note')} named as a source`]),
]

function Plan({ plan }: { plan: Move }) {
  if (plan.taken.length > 0)
    return (
      <Alert color="red" variant="light" role="alert">
        {plan.taken.length === 1 ? 'One of them is' : `${plan.taken.length} of them are`} there already: a record with
        the same key of the agent that wrote it. Leave {plan.taken.length === 1 ? 'it' : 'them'} out.
      </Alert>
    )
  const cuts = cutsOf(plan)
  if (cuts.length === 0)
    return <Text c="dimmed">They keep their history and the links between them. Nothing is cut.</Text>
  return (
    <Alert color="yellow" variant="light" icon={<Scissors size={16} aria-hidden />} title="Some ties are cut for good">
      {cuts.join(' and ')}: no link leads from one vault to another. Their history and the links between them go along.
    </Alert>
  )
}
