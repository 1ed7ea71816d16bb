import type { Task } from '@holdfast/client/dashboard'
import { Button, Text } from '@mantine/core'
import { Archive, ArchiveRestore, CircleArrowRight, ChevronsUp, UserRoundPlus } from 'lucide-react'
import classes from '../../components/lists/record-list.module.css'
import { countOf } from '../../components/text/time-text.ts'
import { useTaskActions } from './task-actions.tsx'

/** Actions on all selected tasks. */
export function BulkBar({ tasks, onClear }: { tasks: readonly Task[]; onClear: () => void }) {
  const actions = useTaskActions()
  const idsOf = (isArchived: boolean) =>
    tasks.filter(({ archivedAt }) => (archivedAt !== null) === isArchived).map(({ taskId }) => taskId)
  const [live, archived] = [idsOf(false), idsOf(true)]
  return (
    <section className={classes.bar} aria-label="Selected tasks">
      <Text fw={550} px={4} aria-live="polite">
        {countOf(tasks.length, 'task')} selected
      </Text>
      <Button
        size="xs"
        variant="default"
        leftSection={<CircleArrowRight size={14} aria-hidden />}
        onClick={() => actions.ask('state', tasks)}
      >
        Move to
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<ChevronsUp size={14} aria-hidden />}
        onClick={() => actions.ask('priority', tasks)}
      >
        Priority
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<UserRoundPlus size={14} aria-hidden />}
        onClick={() => actions.ask('assignee', tasks)}
      >
        Assign
      </Button>
      {live.length > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<Archive size={14} aria-hidden />}
          loading={actions.isBusy}
          onClick={() => actions.archive(live)}
        >
          Archive
        </Button>
      )}
      {archived.length > 0 && (
        <Button
          size="xs"
          variant="default"
          leftSection={<ArchiveRestore size={14} aria-hidden />}
          loading={actions.isBusy}
          onClick={() => actions.restore(archived)}
        >
          Restore
        </Button>
      )}
      <Button size="xs" variant="subtle" onClick={onClear}>
        Clear
      </Button>
    </section>
  )
}
