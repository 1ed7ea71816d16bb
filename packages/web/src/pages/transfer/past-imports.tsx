import { Button, Table, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { call, type OutputOf } from '../../api/call.ts'
import { usePage } from '../../api/queries.ts'
import { confirmStep } from '../../components/feedback/confirm-step.tsx'
import { titleOfSource } from './source-titles.ts'
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
import { useMay } from '../../shell/role.ts'

type Import = OutputOf<'list-imports'>['imports'][number]

interface Props {
  vaultId: string
  offset: number
  onOffset: (offset: number) => void
}

/** Earlier imports, from here and from the command line, and what can be undone. */
export function PastImports({ vaultId, offset, onOffset }: Props) {
  const imports = usePage('list-imports', { vaultId, offset })
  const client = useQueryClient()
  const revert = useMutation({
    mutationFn: (importId: string) => undoImport(vaultId, importId),
    onSuccess: (text) => toast(text),
    onError: (error) => toastError(error),
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <Loaded query={imports}>
      {(page) =>
        page.total === 0 ? (
          <Text c="dimmed">No imports into this vault yet.</Text>
        ) : (
          <>
            <RecordTable label="Imports" heads={['Source', 'Date', 'Can be undone', '']}>
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
  const isOwn = useMay('owner')
  const name = origin === null ? 'Unnamed import' : origin.name
  return (
    <Table.Tr>
      <Table.Td>
        <Text span fw={550}>
          {name}
        </Text>{' '}
        {origin !== null && origin.source !== origin.name && (
          <Text span size="sm" c="dimmed">
            {titleOfSource(origin.source)}
          </Text>
        )}{' '}
        <CopyButton text={importId} what="the import’s id" />
      </Table.Td>
      <Table.Td data-label="Date">
        <Moment at={startedAt} />
      </Table.Td>
      <Table.Td data-label="Can be undone">
        {left !== '' || revertedAt === null ? left || 'Nothing' : <StateBadge tone="off">Undone</StateBadge>}
      </Table.Td>
      <Table.Td data-button>
        {left !== '' && isOwn && (
          <Button
            variant="default"
            size="xs"
            leftSection={<Undo2 size={14} aria-hidden />}
            loading={isBusy}
            onClick={() =>
              confirmStep({
                title: `Undo the import “${name}”?`,
                body: `This affects ${left}. Memories are archived, notes are moved to the trash, and links are removed. Records changed since the import are kept. Importing the same source again restores the rest.`,
                confirmLabel: 'Undo import',
                onConfirm: onRevert,
              })
            }
          >
            Undo import
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** Reverts an import in batches until nothing remains. Returns a summary. */
async function undoImport(vaultId: string, importId: string): Promise<string> {
  const total = { archived: 0, trashed: 0, removed: 0, left: 0 }
  for (let remaining = 1; remaining > 0;) {
    const page = await call('revert-import', { vaultId, importId })
    total.archived += page.archived
    total.trashed += page.trashed
    total.removed += page.removed
    total.left += page.left.length
    remaining = page.remaining
  }
  // An interrupted import can't continue after it was undone.
  if (readInterrupted()?.importId === importId) keepInterrupted(undefined)
  const { archived, trashed, removed, left } = total
  return [
    `${countOf(archived, 'memory', 'memories')} archived, ${countOf(trashed, 'note')} moved to trash, ${countOf(removed, 'link')} removed`,
    ...(left > 0 ? [`${countOf(left, 'changed record')} kept`] : []),
  ].join('; ')
}
