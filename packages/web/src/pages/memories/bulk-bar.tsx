import type { ListedMemory, Vault } from '@holdfast/client/dashboard'
import { Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { Archive, ArchiveRestore, Download, FolderInput, Merge, Star, Tag } from 'lucide-react'
import type { ReactNode } from 'react'
import { typeOptions, type MemoryType } from '../../components/records/memory-marks.tsx'
import { saveFile } from '../../components/text/save-file.ts'
import { ratingOptions } from '../../components/records/rating-dots.tsx'
import { toast, toastError } from '../../shell/toasts.tsx'
import { useVaults } from '../../shell/vault.ts'
import { MoveDialog } from './move-dialog.tsx'
import { countMemories, useMemoryActions, type Rating } from '../../components/records/use-memory-actions.ts'
import { BulkBar, BulkButton } from '../../components/lists/record-list.tsx'

interface Props {
  vaultId: string
  memories: readonly ListedMemory[]
  onDone: () => void
}

export function MemoryBulkBar({ vaultId, memories, onDone }: Props) {
  const { archive, restore, rate, merge, isBusy } = useMemoryActions(vaultId)
  const idsOf = (isArchived: boolean) =>
    memories.filter(({ status }) => (status === 'archived') === isArchived).map(({ id }) => id)
  const active = idsOf(false)
  const archived = idsOf(true)
  // Nobody reads more than a few memories before merging them.
  const canMerge =
    memories.length > 1 &&
    memories.length <= 20 &&
    memories.every(({ status, memoryType }) => status === 'active' && memoryType !== 'task')
  const ids = memories.map(({ id }) => id)
  const set = (rating: Rating) => rate(memories, rating, onDone)
  return (
    <BulkBar one="memory" many="memories" count={memories.length} onClear={onDone}>
      {active.length > 0 && (
        <BulkButton icon={Archive} isBusy={isBusy} onClick={() => archive(active, onDone)}>
          Archive
        </BulkButton>
      )}
      {archived.length > 0 && (
        <BulkButton icon={ArchiveRestore} isBusy={isBusy} onClick={() => restore(archived, onDone)}>
          Restore
        </BulkButton>
      )}
      <Choice
        title="Type"
        icon={<Tag size={14} aria-hidden />}
        options={typeOptions}
        onChoose={(value) => set({ memoryType: value as MemoryType })}
      />
      <Choice
        title="Importance"
        icon={<Star size={14} aria-hidden />}
        options={ratingOptions('Importance')}
        onChoose={(value) => set({ importance: Number(value) })}
      />
      {canMerge && (
        <Choice
          title="Merge into"
          icon={<Merge size={14} aria-hidden />}
          options={memories.map(({ id, title }) => ({
            value: id,
            label: title.length > 60 ? `${title.slice(0, 60)}…` : title,
          }))}
          onChoose={(keptId) =>
            merge(
              keptId,
              active.filter((id) => id !== keptId),
              onDone,
            )
          }
        />
      )}
      <MoveButton vaultId={vaultId} ids={ids} onDone={onDone} />
      <ExportButton vaultId={vaultId} ids={ids} />
    </BulkBar>
  )
}

interface SelectedProps {
  vaultId: string
  ids: readonly string[]
}

/** Renders nothing if there is no other vault, or the vault is someone else's. */
function MoveButton({ vaultId, ids, onDone }: SelectedProps & { onDone: () => void }) {
  const { own: vaults } = useVaults()
  const [isMoving, moving] = useDisclosure()
  if (vaults.length < 2 || !vaults.some(({ id }) => id === vaultId)) return null
  return (
    <>
      <BulkButton icon={FolderInput} onClick={moving.open}>
        Move
      </BulkButton>
      {isMoving && (
        <MoveDialog
          vaultId={vaultId}
          ids={ids}
          onClose={moving.close}
          onMoved={() => {
            moving.close()
            onDone()
          }}
        />
      )}
    </>
  )
}

/** Renders nothing if the vault is someone else's. */
function ExportButton({ vaultId, ids }: SelectedProps) {
  const { own: vaults } = useVaults()
  const vault = vaults.find(({ id }) => id === vaultId)
  const { mutate, isPending } = useMutation({
    async mutationFn(from: Vault) {
      const { exportVault, fileNameOf } = await import('../transfer/export-vault.ts')
      const nothing = () => {}
      const blob = await exportVault(from, new AbortController().signal, nothing, ids)
      saveFile(fileNameOf(`${from.name} selection`, new Date()), blob)
    },
    onSuccess: () => toast(`${countMemories(ids.length)} downloaded`),
    onError: (error) => toastError(error),
  })
  if (vault === undefined) return null
  return (
    <BulkButton icon={Download} isBusy={isPending} onClick={() => mutate(vault)}>
      Export
    </BulkButton>
  )
}

interface ChoiceProps {
  title: string
  icon: ReactNode
  options: readonly { value: string; label: string }[]
  onChoose: (value: string) => void
}

function Choice({ title, icon, options, onChoose }: ChoiceProps) {
  return (
    <Menu position="top-start" shadow="md">
      <Menu.Target>
        <Button size="xs" variant="default" leftSection={icon}>
          {title}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {options.map(({ value, label }) => (
          <Menu.Item key={value} onClick={() => onChoose(value)}>
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
