import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { FileText } from 'lucide-react'
import { MemoryTypeMark } from '../../components/records/memory-marks.tsx'
import { withoutMarks } from '../../components/text/preview-without-title.ts'
import { titleOf } from './explain-hit.ts'
import type { Found } from './lab-state.ts'

/** The linked title of a record that a search considered. */
export function FoundTitle({ id, record }: { id: string; record: Found | undefined }) {
  if (record === undefined) return <Text ff="monospace">{id}</Text>
  const title = withoutMarks(titleOf(record))
  if (record.type === 'note')
    return (
      <Anchor renderRoot={(props) => <Link {...props} to={`/notes/${id}`} />} c="inherit" fw={500}>
        <FileText size={14} aria-label="Note" style={{ verticalAlign: '-2px' }} /> {title}
      </Anchor>
    )
  return (
    <Anchor renderRoot={(props) => <Link {...props} to={`/memories/${id}`} />} c="inherit" fw={500}>
      {title}
    </Anchor>
  )
}

export function FoundKind({ record }: { record: Found | undefined }) {
  return record?.memoryType === undefined ? null : <MemoryTypeMark type={record.memoryType} />
}
