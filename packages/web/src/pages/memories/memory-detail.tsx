import type { Memory } from '@holdfast/client/dashboard'
import { Button, Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Archive, ArchiveRestore, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { CopyButton } from '../../components/text/code-block.tsx'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { EraseRecord } from '../../components/records/erase-record.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { MemoryState, MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import type { OpenRecord } from '../../components/lists/use-open-record.ts'
import { NodeLinks } from '../../components/records/node-links.tsx'
import { RecordMissing } from '../../components/records/record-missing.tsx'
import { RatingDots } from '../../components/records/rating-dots.tsx'
import { RecordVersions } from '../../components/records/record-versions.tsx'
import { ByLine, ChangedMark } from '../../components/records/by-line.tsx'
import { MemoryChain } from './memory-chain.tsx'
import classes from './memory-detail.module.css'
import { MemoryEditor } from '../../components/records/memory-form.tsx'
import { MemoryProvenance } from './memory-provenance.tsx'
import { memoryReads, useMemoryActions } from '../../components/records/use-memory-actions.ts'
import { useMay } from '../../shell/role.ts'

interface Props {
  vaultId: string
  id: string
  record: OpenRecord
}

export function MemoryDetail({ vaultId, id, record }: Props) {
  const found = useOne('list-memories', { vaultId, id })
  if (isNotFound(found.error))
    return (
      <RecordMissing
        id={id}
        path="/memories"
        icon={Archive}
        action={<Button onClick={record.close}>All memories</Button>}
      >
        Memory not found. It may have been deleted.
      </RecordMissing>
    )
  return (
    <Loaded query={found}>
      {({ memory, chain, chainCount }) =>
        record.isEditing ? (
          <MemoryEditor vaultId={vaultId} memory={memory} onClose={record.endEdit} />
        ) : (
          <Stack gap="lg">
            <Head vaultId={vaultId} memory={memory} record={record} />
            <Content text={memory.content} />
            <Entities entities={memory.entities} />
            <RecordVersions vaultId={vaultId} id={id} version={memory.version} />
            <MemoryChain vaultId={vaultId} id={id} chain={chain} chainCount={chainCount} />
            <NodeLinks vaultId={vaultId} type="memory" id={id} />
            <MemoryProvenance memory={memory} />
          </Stack>
        )
      }
    </Loaded>
  )
}

interface HeadProps extends Omit<Props, 'id'> {
  memory: Memory
}

function Head({ vaultId, memory, record }: HeadProps) {
  const { summary, memoryType, importance, confidence } = memory
  return (
    <div>
      {summary !== null && summary !== '' && (
        <Title order={2} mb="xs" style={{ overflowWrap: 'anywhere' }}>
          {summary}
        </Title>
      )}
      <Group gap="md" mb="xs">
        <MemoryTypeMark type={memoryType} />
        <Rating what="Importance" value={importance} />
        <Rating what="Confidence" value={confidence} />
        <MemoryState memory={memory} />
        <ChangedMark record={memory} />
      </Group>
      <div className={classes.writers}>
        <ByLine size="sm" record={memory} />
      </div>
      <Actions vaultId={vaultId} memory={memory} record={record} />
    </div>
  )
}

function Rating({ what, value }: { what: string; value: number }) {
  return (
    <Group gap={6}>
      <Text size="sm" c="dimmed">
        {what}
      </Text>
      <RatingDots what={what} value={value} />
    </Group>
  )
}

function Actions({ vaultId, memory, record }: HeadProps) {
  const [isErasing, erasing] = useDisclosure()
  const { archive, restore, isBusy } = useMemoryActions(vaultId)
  const isArchived = memory.status === 'archived'
  const Icon = isArchived ? ArchiveRestore : Archive
  const move = isArchived ? restore : archive
  const [mayEdit, mayErase] = [useMay('editor'), useMay('admin')]
  if (!mayEdit) return null
  return (
    <div className={classes.actions}>
      <Button
        size="xs"
        variant="default"
        leftSection={<Pencil size={14} aria-hidden />}
        onClick={() => record.edit(memory.id)}
      >
        Edit
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon size={14} aria-hidden />}
        loading={isBusy}
        onClick={() => move([memory.id])}
      >
        {isArchived ? 'Restore' : 'Archive'}
      </Button>
      {isArchived && mayErase && (
        <Button
          size="xs"
          variant="default"
          c="red"
          leftSection={<Trash2 size={14} aria-hidden />}
          onClick={erasing.open}
        >
          Delete permanently
        </Button>
      )}
      <EraseRecord
        vaultId={vaultId}
        id={memory.id}
        what="memory"
        isOpen={isErasing}
        onClose={erasing.close}
        refreshes={memoryReads}
        onGone={record.close}
      />
    </div>
  )
}

function Content({ text }: { text: string }) {
  const [view, setView] = useState('read')
  return (
    <section>
      <Group justify="space-between" mb="xs">
        <SegmentedControl
          size="xs"
          aria-label="Text view"
          value={view}
          onChange={setView}
          data={[
            { value: 'read', label: 'Formatted' },
            { value: 'source', label: 'Raw text' },
          ]}
        />
        <CopyButton text={text} what="the memory" />
      </Group>
      <div className={classes.content}>
        {view === 'read' ? <Markdown text={text} /> : <pre className={classes.source}>{text}</pre>}
      </div>
    </section>
  )
}

function Entities({ entities }: { entities: readonly string[] }) {
  if (entities.length === 0) return null
  return (
    <div className={classes.entities}>
      <Text c="dimmed">Entities</Text>
      {entities.map((entity) => (
        <EntityChip key={entity} name={entity} />
      ))}
    </div>
  )
}
