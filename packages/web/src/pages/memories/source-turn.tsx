import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isNotFound } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { Moment } from '../../components/text/moment.tsx'

/** The conversation turn that a memory was extracted from, with a link to its run. */
export function SourceTurn({ vaultId, turnId }: { vaultId: string; turnId: string }) {
  const { data, error } = useOne('list-run-turns', { vaultId, id: turnId })
  if (data === undefined)
    return (
      <Text span inherit c="dimmed">
        {isNotFound(error) ? 'A turn that isn’t in this vault' : 'A conversation turn'}
      </Text>
    )
  const { turn, runId } = data
  return (
    <>
      From the {turn.role}, <Moment at={turn.occurredAt} />
      {runId !== null && (
        <>
          ,{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to={`/runs/${runId}`} />}>
            open run
          </Anchor>
        </>
      )}
    </>
  )
}
