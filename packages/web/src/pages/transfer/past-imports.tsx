import { Button, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { call, type OutputOf } from '../../api/call.ts'
import { usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm.tsx'
import { CopyButton } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { RecordTable } from '../../components/lists/record-table.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { toast, toastError } from '../../shell/toasts.tsx'
import { keepInterrupted, readInterrupted } from './import-state.ts'
import { countKinds } from './kind-names.ts'

type Import = OutputOf<'list-imports'>['imports'][number]

interface Props {
  vaultId: string
  offset: number
  onOffset: (offset: number) => void
}

/** What was imported before, here or on the command line, and what of it can be taken back. */
export function PastImports({ vaultId, offset, onOffset }: Props) {
  const imports = usePage('list-imports', { vaultId, offset })
  const client = useQueryClient()
  const revert = useMutation({
    mutationFn: (importId: string) => takeBack(vaultId, importId),
    onSuccess: (text) => toast(text),
    onError: (error) => toastError(error),
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <Loaded query={imports}>
      {(page) =>
        page.total === 0 ? (
          <Text c="dimmed">Nothing was imported into this vault yet.</Text>
        ) : (
          <>
            <RecordTable label="Imports" heads={['What', 'When', 'Can be taken back', '']}>
              {page.imports.map((one) => (
                <Row
                  key={one.importId}
                  past={one}
                  isBusy={revert.isPending}
                  onRevert={() => revert.mutate(one.importId)}
                />
              ))}
            </RecordTable>
            <Pager page={page} onOffset={onOffset} />
          </>
        )
      }
    </Loaded>
  )
}

function Row({ past, isBusy, onRevert }: { past: Import; isBusy: boolean; onRevert: () => void }) {
  const { importId, origin, startedAt, revertedAt, counts } = past
  const left = countKinds(counts)
  const name = origin === null ? 'An import' : origin.name
  return (
    <Table.Tr>
      <Table.Td>
        <Text span fw={550}>
          {name}
        </Text>{' '}
        {origin !== null && (
          <Text span size="sm" c="dimmed">
            {origin.source}
          </Text>
        )}{' '}
        <CopyButton text={importId} what="the import’s id" />
      </Table.Td>
      <Table.Td data-label="When">
        <Moment at={startedAt} />
      </Table.Td>
      <Table.Td data-label="Can be taken back">
        {left !== '' || revertedAt === null ? left || 'nothing' : <StateBadge tone="off">Taken back</StateBadge>}
      </Table.Td>
      <Table.Td>
        {left !== '' && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Undo2 size={14} aria-hidden />}
            loading={isBusy}
            onClick={() =>
              confirmStep({
                title: `Take back “${name}”?`,
                body: `${left} of it: memories are archived, notes go to the trash, links are removed. What somebody has changed since stays. The same import again brings it back.`,
                confirmLabel: 'Take it back',
                onConfirm: onRevert,
              })
            }
          >
            Take back
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** As many calls as it takes; says what became of it. */
async function takeBack(vaultId: string, importId: string): Promise<string> {
  const total = { archived: 0, trashed: 0, removed: 0, left: 0 }
  for (let remaining = 1; remaining > 0;) {
    const page = await call('revert-import', { vaultId, importId })
    total.archived += page.archived
    total.trashed += page.trashed
    total.removed += page.removed
    total.left += page.left.length
    remaining = page.remaining
  }
  // It cannot go on any more under its id.
  if (readInterrupted()?.importId === importId) keepInterrupted(undefined)
  const { archived, trashed, removed, left } = total
  return [
    `${countOf(archived, 'memory', 'memories')} archived, ${countOf(trashed, 'note')} in the trash, ${countOf(removed, 'link')} removed`,
    ...(left > 0 ? [`${left} left as they are`] : []),
  ].join('; ')
}
