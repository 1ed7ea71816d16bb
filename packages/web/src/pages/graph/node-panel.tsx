import type { GraphNode } from '@holdfast/client/dashboard'
import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { ExternalLink, Link2, Minus, Plus } from 'lucide-react'
import { useOne, useOperation } from '../../api/queries.ts'
import { CopyButton } from '../../components/text/code-block.tsx'
import { Loaded } from '../../components/feedback/loaded.tsx'
import { Markdown } from '../../components/text/markdown.tsx'
import { EntityChip } from '../../components/records/entity-chip.tsx'
import { RatingDots } from '../../components/records/rating-dots.tsx'
import { StateBadge } from '../../components/feedback/state-badge.tsx'
import { countOf } from '../../components/text/time-text.ts'
import { isEntity, kindOf, nameOf, type MapNode, type Shown } from './graph-model.ts'
import classes from './graph-page.module.css'
import { MarkOf, titleOfKind, addressOf } from './node-mark.tsx'
import { AboutList } from './link-panel.tsx'
import { PanelLinks } from './panel-links.tsx'
import { useMay } from '../../shell/role.ts'

interface Props {
  vaultId: string
  node: MapNode
  shown: Shown
  onChoose: (id: string) => void
  onExpand: () => void
  onCollapse: () => void
  onLink: () => void
  onUnlinked: (linkId: string) => void
  onLinked: (sourceId: string, targetId: string) => void
}

/** The details, links and actions of one node. */
export function NodePanel({ vaultId, node, shown, onChoose, onExpand, onCollapse, onLink, ...linked }: Props) {
  const address = addressOf(node)
  const mayEdit = useMay('editor')
  return (
    <Stack gap="md">
      <div>
        <Group gap={6} mb={4} c="dimmed" fz="sm">
          <MarkOf node={node} />
          {titleOfKind(kindOf(node))}
          {node.importance !== undefined && <RatingDots what="Importance" value={node.importance} />}
          {!node.live && <StateBadge tone="off">No longer current</StateBadge>}
        </Group>
        <Title order={2} style={{ overflowWrap: 'anywhere' }}>
          {nameOf(node)}
        </Title>
      </div>
      <Group gap="xs">
        {address !== undefined && (
          <Button
            size="xs"
            leftSection={<ExternalLink size={14} aria-hidden />}
            renderRoot={(props) => <Link {...props} {...address} />}
          >
            {isEntity(node) ? 'All about it' : 'Open'}
          </Button>
        )}
        {!isEntity(node) && mayEdit && (
          <Button size="xs" variant="default" leftSection={<Link2 size={14} aria-hidden />} onClick={onLink}>
            Link to…
          </Button>
        )}
        <Button size="xs" variant="default" leftSection={<Plus size={14} aria-hidden />} onClick={onExpand}>
          Expand
        </Button>
        <Button size="xs" variant="default" leftSection={<Minus size={14} aria-hidden />} onClick={onCollapse}>
          Collapse
        </Button>
      </Group>
      {isEntity(node) ? (
        <AboutList entity={node} shown={shown} onChoose={onChoose} />
      ) : (
        <>
          <Preview key={node.id} vaultId={vaultId} node={node} />
          <PanelLinks key={`links ${node.id}`} vaultId={vaultId} node={node} onChoose={onChoose} {...linked} />
          <Group gap={4} c="dimmed" fz="xs">
            {countOf(node.degree, 'link')} · {node.id.slice(0, 8)}
            <CopyButton text={node.id} what="the id" />
          </Group>
        </>
      )}
    </Stack>
  )
}

function Preview({ vaultId, node }: { vaultId: string; node: GraphNode }) {
  return node.type === 'note' ? (
    <NotePreview vaultId={vaultId} id={node.id} />
  ) : (
    <MemoryPreview vaultId={vaultId} id={node.id} />
  )
}

function MemoryPreview({ vaultId, id }: { vaultId: string; id: string }) {
  const found = useOne('list-memories', { vaultId, id })
  return <Loaded query={found}>{({ memory }) => <Beginning text={memory.content} entities={memory.entities} />}</Loaded>
}

function NotePreview({ vaultId, id }: { vaultId: string; id: string }) {
  const found = useOperation('read-note', { vaultId, noteId: id })
  return <Loaded query={found}>{({ note }) => <Beginning text={note.content} entities={note.tags} isNote />}</Loaded>
}

const longestPreview = 1_200
/** Longer texts are cut off with a fade. */
const shortText = 300

interface BeginningProps {
  text: string
  entities: readonly string[]
  isNote?: boolean
}

function Beginning({ text, entities, isNote = false }: BeginningProps) {
  const beginning = text.length > longestPreview ? `${text.slice(0, longestPreview).trimEnd()}…` : text
  if (beginning.trim() === '') return <Text c="dimmed">No text.</Text>
  return (
    <div>
      <div className={classes.preview} data-long={text.length > shortText}>
        <Markdown text={beginning} />
      </div>
      {entities.length > 0 && (
        <Group gap={6} mt="xs" fz="xs" c="dimmed">
          {isNote ? 'Tags' : 'Entities'}
          {entities
            .slice(0, 12)
            .map((name) => (isNote ? <span key={name}>{name}</span> : <EntityChip key={name} name={name} />))}
        </Group>
      )}
    </div>
  )
}
