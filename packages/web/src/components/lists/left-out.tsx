import { Alert } from '@mantine/core'
import { TriangleAlert } from 'lucide-react'
import { useServerCommand } from '../../shell/server-command.ts'
import { countOf } from '../text/time-text.ts'

export interface Page {
  leftOut?: { damagedIds: readonly string[] }
}

const shownIds = 3

/** Says which records a list lacks because they are damaged. Shows nothing if it has all. */
export function LeftOut({ pages }: { pages: readonly Page[] }) {
  const command = useServerCommand()
  const ids = pages.flatMap(({ leftOut }) => leftOut?.damagedIds ?? [])
  if (ids.length === 0) return null
  const more = ids.length > shownIds ? ` and ${ids.length - shownIds} more` : ''
  return (
    <Alert color="yellow" variant="light" icon={<TriangleAlert size={16} aria-hidden />} role="status" mb="sm">
      {countOf(ids.length, 'damaged record')} {ids.length === 1 ? 'isn’t' : 'aren’t'} shown:{' '}
      <span style={{ overflowWrap: 'anywhere' }}>{ids.slice(0, shownIds).join(', ')}</span>
      {more}. To find out more, run this on the server: <code>{command('doctor')}</code>
    </Alert>
  )
}
