import type { ListedMemory } from '@holdfast/client/dashboard'
import { withoutHidden } from '@holdfast/transfer/text/hidden-characters'
import { FileInput } from 'lucide-react'
import { nameOfAuthor } from '../../components/records/agent-names.ts'
import { ChangedMark } from '../../components/records/by-line.tsx'
import type { RowLooks } from '../../components/lists/record-rows.tsx'
import { RowTags } from '../../components/lists/row-tags.tsx'
import { MemoryState, MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { RatingDots } from '../../components/records/rating-dots.tsx'
import { withoutMarks } from '../../components/text/preview-without-title.ts'
import { formatCount } from '../../components/text/time-text.ts'

const importance = ({ importance: value }: ListedMemory) => <RatingDots what="Importance" value={value} />

/** The importance that most memories have, so phones don't show it. */
const normal = 3

/** How the list shows memories: marks only for exceptions. */
export const memoryLooks: RowLooks<ListedMemory> = {
  list: 'memories',
  label: 'Memories',
  idOf: ({ id }) => id,
  titleOf: ({ title, preview }) => withoutMarks([title, preview].find((text) => text.trim() !== '') ?? 'Untitled'),
  columns: [
    {
      name: 'type',
      title: 'Type',
      room: 'medium',
      cell: ({ memoryType }) => <MemoryTypeMark type={memoryType} />,
    },
    { name: 'importance', title: 'Importance', room: 'wide', sorts: ['importance'], cell: importance },
    {
      name: 'confidence',
      title: 'Confidence',
      room: 'wide',
      isExtra: true,
      cell: ({ confidence }) => <RatingDots what="Confidence" value={confidence} />,
    },
    { name: 'agent', title: 'Agent', room: 'wide', cell: (memory) => <Author memory={memory} /> },
    {
      name: 'stored',
      title: 'Stored',
      sorts: ['newest', 'oldest'],
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
    {
      name: 'updated',
      title: 'Updated',
      room: 'wide',
      isExtra: true,
      sorts: ['updated'],
      cell: ({ updatedAt }) => <Moment at={updatedAt} />,
    },
    {
      name: 'recalled',
      title: 'Recalled',
      room: 'wide',
      sorts: ['recalled'],
      cell: (memory) => <RecallCount memory={memory} />,
    },
  ],
  marks: (memory) => (
    <>
      <MemoryState memory={memory} />
      <ChangedMark record={memory} />
      {memory.expiresAt !== null && (
        <span>
          expires <Moment at={memory.expiresAt} />
        </span>
      )}
      <RowTags names={memory.entities} />
    </>
  ),
  folded: (memory) => (
    <>
      <MemoryTypeMark type={memory.memoryType} />
      {memory.importance !== normal && importance(memory)}
      <span>
        <Author memory={memory} />
      </span>
      <Moment at={memory.createdAt} isBrief />
    </>
  ),
}

/** Where there is little room, an icon says that the name comes from a file. */
function Author({ memory, memory: { agentId, source } }: { memory: ListedMemory }) {
  const name = nameOfAuthor(memory)
  if (agentId === null || !source.route.startsWith('import')) return name
  return (
    <span title={name}>
      <FileInput size={13} aria-label="Imported, by" /> {withoutHidden(agentId)}
    </span>
  )
}

function RecallCount({ memory: { accessCount, lastAccessedAt } }: { memory: ListedMemory }) {
  if (accessCount === 0) return <Moment at={null} never="–" />
  return (
    <>
      {formatCount(accessCount)}×{/* Imported counts have no date. */}
      {lastAccessedAt !== null && (
        <>
          , <Moment at={lastAccessedAt} />
        </>
      )}
    </>
  )
}
