import type { Task } from '@holdfast/client/dashboard'
import { Archive, ArchiveRestore, CircleArrowRight, ChevronsUp, UserRoundPlus } from 'lucide-react'
import { useTaskActions } from './task-actions.tsx'
import { BulkBar, BulkButton } from '../../components/lists/record-list.tsx'

export function TaskBulkBar({ tasks, onClear }: { tasks: readonly Task[]; onClear: () => void }) {
  const actions = useTaskActions()
  const idsOf = (isArchived: boolean) =>
    tasks.filter(({ archivedAt }) => (archivedAt !== null) === isArchived).map(({ taskId }) => taskId)
  const [live, archived] = [idsOf(false), idsOf(true)]
  return (
    <BulkBar one="task" many="tasks" count={tasks.length} onClear={onClear}>
      <BulkButton icon={CircleArrowRight} onClick={() => actions.ask('state', tasks)}>
        Move to
      </BulkButton>
      <BulkButton icon={ChevronsUp} onClick={() => actions.ask('priority', tasks)}>
        Priority
      </BulkButton>
      <BulkButton icon={UserRoundPlus} onClick={() => actions.ask('assignee', tasks)}>
        Assign
      </BulkButton>
      {live.length > 0 && (
        <BulkButton icon={Archive} isBusy={actions.isBusy} onClick={() => actions.archive(live)}>
          Archive
        </BulkButton>
      )}
      {archived.length > 0 && (
        <BulkButton icon={ArchiveRestore} isBusy={actions.isBusy} onClick={() => actions.restore(archived)}>
          Restore
        </BulkButton>
      )}
    </BulkBar>
  )
}
