import type { Memory } from '@holdfast/client/dashboard'
import { ActionIcon, Button, Group, Menu, Stack, Text, VisuallyHidden } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Archive, ArchiveRestore, CodeXml, Copy, Ellipsis, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { isNotFound } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { EraseRecord } from '../../components/records/erase-record.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { SkeletonRecord } from '../../components/feedback/skeletons.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { MemoryState, MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { PanelActions, RecordTitle, useIsAlone } from '../../components/lists/record-panel.tsx'
import type { OpenRecord } from '../../components/lists/use-open-record.ts'
import { NodeLinks } from '../../components/records/node-links.tsx'
import { RecordMissing } from '../../components/records/record-missing.tsx'
import { RecordVersions } from '../../components/records/record-versions.tsx'
import { ByLine, ChangedMark } from '../../components/records/by-line.tsx'
import { MemoryChain } from './memory-chain.tsx'
import classes from './memory-detail.module.css'
import { firstWords } from '../../components/text/first-words.ts'
import { MemoryEditor } from '../../components/records/memory-form.tsx'
import { MemoryProvenance } from './memory-provenance.tsx'
import { memoryReads, useMemoryActions } from '../../components/records/use-memory-actions.ts'
import { useMay } from '../../shell/role.ts'
import { copyText } from '../../components/text/copy-text.ts'

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
    <Loaded query={found} skeleton={<SkeletonRecord />}>
      {({ memory, chain, chainCount }) =>
        record.isEditing ? (
          <MemoryEditor vaultId={vaultId} memory={memory} onClose={record.endEdit} />
        ) : (
          <Stack gap="lg">
            <MemoryText memory={memory}>
              <Actions vaultId={vaultId} memory={memory} record={record} />
            </MemoryText>
            <Looks memory={memory} />
            <MemoryProvenance memory={memory} />
            <RecordVersions vaultId={vaultId} id={id} version={memory.version} />
            <MemoryChain vaultId={vaultId} id={id} chain={chain} chainCount={chainCount} />
            <NodeLinks vaultId={vaultId} type="memory" id={id} />
          </Stack>
        )
      }
    </Loaded>
  )
}

interface ActionsProps extends Omit<Props, 'id'> {
  memory: Memory
}

/**
 * The memory's title and text. A memory without a summary starts with its text. On its full page, a short text is the heading, and the
 * beginning of a longer one is the heading for those who don't see the page. `children` are its other buttons.
 */
function MemoryText({ memory: { summary, content }, children }: { memory: Memory; children: ReactNode }) {
  const [isRaw, raw] = useDisclosure()
  const isAlone = useIsAlone()
  const beginning = firstWords(content)
  const isShort = isAlone && beginning === content.trim()
  const title = summary === null || summary === '' ? (isShort ? beginning : '') : summary
  return (
    <div className={classes.text}>
      <PanelActions>
        {children}
        <TextMenu content={content} isRaw={isRaw} onToggleRaw={raw.toggle} />
      </PanelActions>
      {title !== '' && <RecordTitle>{title}</RecordTitle>}
      {title === '' && isAlone && <VisuallyHidden component="h2">{beginning}</VisuallyHidden>}
      {isRaw ? (
        <pre className={classes.source}>{content}</pre>
      ) : (
        title !== content.trim() && <Markdown text={content} />
      )}
    </div>
  )
}

interface TextMenuProps {
  content: string
  isRaw: boolean
  onToggleRaw: () => void
}

function TextMenu({ content, isRaw, onToggleRaw }: TextMenuProps) {
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={30} aria-label="Memory actions">
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<Copy size={15} aria-hidden />} onClick={() => void copyText(content)}>
          Copy text
        </Menu.Item>
        <Menu.Item leftSection={<CodeXml size={15} aria-hidden />} onClick={onToggleRaw}>
          {isRaw ? 'Show formatted text' : 'Show raw text'}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** What kind of memory it is, and what it is about. */
function Looks({ memory }: { memory: Memory }) {
  const { memoryType, importance, confidence, entities, changedBy } = memory
  return (
    <Stack gap="xs">
      <Group gap="4px 12px">
        <MemoryTypeMark type={memoryType} />
        <Text span size="sm" c="dimmed">{`Importance ${importance} of 5`}</Text>
        <Text span size="sm" c="dimmed">{`Confidence ${confidence} of 5`}</Text>
        <MemoryState memory={memory} />
        <ChangedMark record={memory} />
      </Group>
      <Entities entities={entities} />
      {changedBy !== null && <ByLine size="sm" record={memory} />}
    </Stack>
  )
}

function Actions({ vaultId, memory, record }: ActionsProps) {
  const [isErasing, erasing] = useDisclosure()
  const { archive, restore, isBusy } = useMemoryActions(vaultId)
  const isArchived = memory.status === 'archived'
  const Icon = isArchived ? ArchiveRestore : Archive
  const move = isArchived ? restore : archive
  const [mayEdit, mayErase] = [useMay('editor'), useMay('admin')]
  if (!mayEdit) return null
  return (
    <>
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
    </>
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
