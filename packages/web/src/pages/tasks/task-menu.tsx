import type { Task } from '@holdfast/client/dashboard'
import { ActionIcon, Menu } from '@mantine/core'
import { Archive, ArchiveRestore, Ellipsis, Pencil, ChevronsUp, SquareCheck, UserRoundPlus } from 'lucide-react'
import { useTaskActions } from './task-actions.tsx'
import { StatusIcon, statuses, titleOfStatus } from './task-looks.tsx'

const iconSize = 15

export function TaskMenu({ task, onSelect }: { task: Task; onSelect: () => void }) {
  const actions = useTaskActions()
  const isArchived = task.archivedAt !== null
  return (
    <Menu position="bottom-end" shadow="md" withinPortal>
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={26}
          aria-label={`Actions for ${task.title.slice(0, 80)}`}
          onClick={(event) => event.stopPropagation()}
        >
          <Ellipsis size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown onClick={(event) => event.stopPropagation()}>
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
      </Menu.Dropdown>
    </Menu>
  )
}
