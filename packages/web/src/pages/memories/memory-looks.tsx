import type { ListedMemory } from '@holdfast/client/dashboard'
import { nameOfAuthor } from '../../components/records/agent-names.ts'
import { ChangedMark } from '../../components/records/by-line.tsx'
import { RowTags, type RowLooks } from '../../components/lists/record-rows.tsx'
import { MemoryState, MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { Moment } from '../../components/text/moment.tsx'
import { RatingDots } from '../../components/records/rating-dots.tsx'
import { formatCount } from '../../components/text/time-text.ts'

const importance = ({ importance: value }: ListedMemory) => <RatingDots what="Importance" value={value} />

/** How the list shows memories: marks only for exceptions. */
export const memoryLooks: RowLooks<ListedMemory> = {
  list: 'memories',
  label: 'Memories',
  idOf: ({ id }) => id,
  titleOf: ({ title, preview }) => [title, preview].find((text) => text.trim() !== '') ?? 'Untitled',
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
    { name: 'agent', title: 'Agent', room: 'wide', cell: nameOfAuthor },
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
      {importance(memory)}
      <span>{nameOfAuthor(memory)}</span>
      <Moment at={memory.createdAt} />
    </>
  ),
}

function RecallCount({ memory: { accessCount, lastAccessedAt } }: { memory: ListedMemory }) {
  if (accessCount === 0) return <Moment at={null} />
  return (
    <>
      {formatCount(accessCount)}×, <Moment at={lastAccessedAt} />
    </>
  )
}
