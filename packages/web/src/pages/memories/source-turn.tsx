import { Anchor, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { isNotFound } from '../../api/call-error.ts'
import { useOne } from '../../api/queries.ts'
import { Moment } from '../../components/text/moment.tsx'

/** The turn of a conversation that a memory was found in, as long as it is kept, and the run in which it was said. */
export function SourceTurn({ vaultId, turnId }: { vaultId: string; turnId: string }) {
  const { data, error } = useOne('list-run-turns', { vaultId, id: turnId })
  if (data === undefined)
    return (
      <Text span inherit c="dimmed">
        {isNotFound(error) ? 'A turn that is not kept in this vault' : 'A turn of a conversation'}
      </Text>
    )
  const { turn, runId } = data
  return (
    <>
      A turn of the {turn.role}, <Moment at={turn.occurredAt} />
      {runId !== null && (
        <>
          ,{' '}
          <Anchor underline="always" renderRoot={(props) => <Link {...props} to={`/runs/${runId}`} />}>
            in its run
          </Anchor>
        </>
      )}
    </>
  )
}
