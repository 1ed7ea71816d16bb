import type { Task } from '@holdfast/client/dashboard'
import { Menu } from '@mantine/core'
import { Archive, ArchiveRestore, Pencil, ChevronsUp, SquareCheck, UserRoundPlus } from 'lucide-react'
import { RowMenu } from '../../components/lists/row-menu.tsx'
import { useTaskActions } from './task-actions.tsx'
import { StatusIcon, statuses, titleOfStatus } from './task-looks.tsx'

const iconSize = 15

interface Props {
  task: Task
  onSelect: () => void
}

export const TaskMenu = (props: Props) => (
  <RowMenu label={`Actions for ${props.task.title.slice(0, 80)}`}>
    <Items {...props} />
  </RowMenu>
)

function Items({ task, onSelect }: Props) {
  const actions = useTaskActions()
  const isArchived = task.archivedAt !== null
  return (
    <>
      <Menu.Label>Move to</Menu.Label>
      {statuses
        .filter((status) => status !== task.status)
        .map((status) => (
          <Menu.Item
            key={status}
            leftSection={<StatusIcon status={status} />}
            onClick={() => actions.move([task], status)}
          >
            {titleOfStatus(status)}
          </Menu.Item>
        ))}
      <Menu.Divider />
      <Menu.Item
        leftSection={<ChevronsUp size={iconSize} aria-hidden />}
        rightSection={<kbd>p</kbd>}
        onClick={() => actions.ask('priority', [task])}
      >
        Priority
      </Menu.Item>
      <Menu.Item
        leftSection={<UserRoundPlus size={iconSize} aria-hidden />}
        rightSection={<kbd>a</kbd>}
        onClick={() => actions.ask('assignee', [task])}
      >
        Assign
      </Menu.Item>
      <Menu.Item
        leftSection={<Pencil size={iconSize} aria-hidden />}
        rightSection={<kbd>e</kbd>}
        onClick={() => actions.edit(task)}
      >
        Edit
      </Menu.Item>
      <Menu.Item
        leftSection={<SquareCheck size={iconSize} aria-hidden />}
        rightSection={<kbd>x</kbd>}
        onClick={onSelect}
      >
        Select
      </Menu.Item>
      <Menu.Divider />
      {isArchived ? (
        <Menu.Item
          leftSection={<ArchiveRestore size={iconSize} aria-hidden />}
          onClick={() => actions.restore([task.taskId])}
        >
          Restore
        </Menu.Item>
      ) : (
        <Menu.Item
          leftSection={<Archive size={iconSize} aria-hidden />}
          rightSection={<kbd>#</kbd>}
          onClick={() => actions.archive([task.taskId])}
        >
          Archive
        </Menu.Item>
      )}
    </>
  )
}
